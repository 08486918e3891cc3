// SPDX-License-Identifier: Apache-2.0
// The figures of a liveness measurement, after ISO/IEC 30107-3: APCER is the part of attack sessions that were accepted, BPCER the part of
// live sessions that were refused as an attack. Sessions asked for a challenge are neither and are told apart.

import Foundation
import Policy

/// Rates over sessions.
struct LivenessRates {
    let live: Int
    let attacks: Int
    let attacksAccepted: Int
    let liveRefused: Int
    let liveAccepted: Int
    let liveAsked: Int
    let attacksAsked: Int
    let undecided: Int

    init(_ trials: [SessionTrial]) {
        func count(_ isLive: Bool, _ end: TrialEnd) -> Int { trials.count { $0.isLive == isLive && $0.end == end } }
        live = trials.count(where: \.isLive)
        attacks = trials.count - live
        attacksAccepted = count(false, .accepted)
        liveRefused = count(true, .refused)
        liveAccepted = count(true, .accepted)
        liveAsked = count(true, .asked)
        attacksAsked = count(false, .asked)
        undecided = count(true, .undecided) + count(false, .undecided)
    }

    static func rate(_ hits: Int, _ count: Int) -> Double { count > 0 ? Double(hits) / Double(count) : 0 }

    var object: [String: Any] {
        let apcer = ExactInterval(hits: attacksAccepted, of: attacks)
        let bpcer = ExactInterval(hits: liveRefused, of: live)
        return [
            "apcer": LivenessRates.rate(attacksAccepted, attacks), "apcer_interval": [apcer.low, apcer.high],
            "bpcer": LivenessRates.rate(liveRefused, live), "bpcer_interval": [bpcer.low, bpcer.high],
            "live": live, "attacks": attacks, "attacks_accepted": attacksAccepted, "live_refused": liveRefused,
            "live_accepted": liveAccepted, "live_asked": liveAsked, "attacks_asked": attacksAsked,
            "undecided": undecided,
        ]
    }
}

/// Everything a measurement found.
struct LivenessReport {
    let trials: [SessionTrial]
    let ablations: [(name: String, trials: [SessionTrial])]

    /// Equal error rate of the passive score's session mean alone, and the threshold at which it lies.
    var equalError: (rate: Double, threshold: Double) {
        let curve = passiveCurve
        let best = curve.min { abs($0.apcer - $0.bpcer) < abs($1.apcer - $1.bpcer) }
        return best.map { (max($0.apcer, $0.bpcer), $0.threshold) } ?? (1, 0)
    }

    /// APCER and BPCER of the passive score's session mean at every threshold.
    var passiveCurve: [(threshold: Double, apcer: Double, bpcer: Double)] {
        let scored = trials.filter { !$0.trace.isEmpty }.map { trial in
            (isLive: trial.isLive, score: Double(trial.trace.reduce(0, +)) / Double(trial.trace.count))
        }
        let live = scored.filter(\.isLive).map(\.score)
        let attacks = scored.filter { !$0.isLive }.map(\.score)
        guard !live.isEmpty, !attacks.isEmpty else { return [] }
        return (Set(scored.map(\.score)).union([0, 1.000_001])).sorted().map { threshold in
            (
                threshold, LivenessRates.rate(attacks.count { $0 >= threshold }, attacks.count),
                LivenessRates.rate(live.count { $0 < threshold }, live.count)
            )
        }
    }

    /// The JSON file.
    var json: Data {
        get throws {
            var object = LivenessRates(trials).object
            let equal = equalError
            object["eer"] = equal.rate
            object["eer_threshold"] = equal.threshold
            object["sessions"] = trials.map(LivenessReport.object)
            object["ablations"] = Dictionary(
                ablations.map { ($0.name, LivenessRates($0.trials).object) }, uniquingKeysWith: { first, _ in first })
            return try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
        }
    }

    private static func object(_ trial: SessionTrial) -> [String: Any] {
        var scores: [String: Any] = [:]
        let cues: [(String, Float?)] = [
            ("similarity", trial.scores.similarity), ("passive", trial.scores.passive),
            ("motion", trial.scores.motion), ("screen", trial.scores.screen), ("depth", trial.scores.depth),
        ]
        for (name, value) in cues { if let value { scores[name] = (Double(value) * 10_000).rounded() / 10_000 } }
        return [
            "name": trial.name, "label": trial.isLive ? "live" : "attack", "verdict": trial.end.rawValue,
            "reason": trial.reason, "scores": scores, "milliseconds": trial.milliseconds,
            "frames_used": trial.scores.frames,
        ]
    }

    /// What the terminal shows.
    var text: String {
        var lines = trials.map { trial -> String in
            func shown(_ name: String, _ value: Float?) -> String {
                value.map { " \(name) \(String(format: "%.4f", $0))" } ?? ""
            }
            return "\(trial.isLive ? "live  " : "attack") \(trial.end.rawValue) \(trial.reason) \(trial.name)"
                + shown("passive", trial.scores.passive) + shown("motion", trial.scores.motion)
                + shown("screen", trial.scores.screen) + shown("depth", trial.scores.depth)
                + shown("similarity", trial.scores.similarity) + " after \(trial.milliseconds) ms"
        }
        lines.append(LivenessReport.line("all cues", LivenessRates(trials)))
        for (name, trials) in ablations { lines.append(LivenessReport.line(name, LivenessRates(trials))) }
        let equal = equalError
        lines.append("passive session mean alone: equal error rate \(equal.rate) at \(equal.threshold)")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ name: String, _ rates: LivenessRates) -> String {
        "\(name): attacks accepted \(rates.attacksAccepted) of \(rates.attacks) (asked \(rates.attacksAsked)); live "
            + "accepted \(rates.liveAccepted), asked \(rates.liveAsked), refused \(rates.liveRefused) of \(rates.live); "
            + "undecided \(rates.undecided)"
    }
}
