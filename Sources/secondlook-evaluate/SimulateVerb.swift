// SPDX-License-Identifier: Apache-2.0
// `secondlook-evaluate simulate`: attacks made from live clips, played against the real Observer and the real Judge. The attacker
// hears the prompts, since an attacker would.

import Biometrics
import Foundation
import Policy
import TestSupport
import Vision

/// The verb.
enum SimulateVerb {
    static let usage =
        "--live DIR… [--kind NAME…] [--seeds N] [--first-seed N] [--json OUT] [--models DIR] [--liveness FILE|none] [--mode auto|challenge]"

    static func run(_ arguments: Arguments) throws {
        try arguments.only(["live", "kind", "seeds", "first-seed", "json", "models", "liveness", "mode"])
        let models = try LoadedModels(arguments)
        var settings = Settings()
        if let mode = arguments.optional("mode") {
            guard let liveness = LivenessMode(rawValue: mode) else {
                throw EvaluateError.usage("unknown mode '\(mode)'")
            }
            settings.liveness = liveness
        }
        let chosen = settings
        let kinds = try arguments.all("kind").map { name -> SimulatedAttack in
            guard let kind = SimulatedAttack(rawValue: name) else {
                throw EvaluateError.usage("unknown attack '\(name)'")
            }
            return kind
        }
        let sessions = try arguments.all("live").flatMap { try SessionSource.list($0) }
        guard !sessions.isEmpty else { throw EvaluateError.usage("--live is missing") }
        let first = try arguments.number("first-seed", 1)
        let seeds = first..<(first + (try arguments.number("seeds", 5)))
        var jobs: [SimulatedTrial.Job] = []
        for (index, session) in sessions.enumerated() {
            for kind in kinds.isEmpty ? SimulatedAttack.allCases : kinds {
                for seed in seeds {
                    jobs.append(
                        .init(
                            kind: kind, owner: session, other: sessions[(index + 1) % sessions.count],
                            seed: UInt64(seed)))
                }
            }
        }
        let results = try Parallel.map(jobs, label: "simulating", makeState: { models }) { models, job in
            try SimulatedTrial.run(job, models, chosen)
        }
        print(text(results), terminator: "")
        guard let path = arguments.optional("json") else { return }
        try JSONSerialization.data(withJSONObject: object(results), options: [.prettyPrinted, .sortedKeys])
            .write(to: URL(filePath: path))
    }

    private static func text(_ results: [SimulatedTrial]) -> String {
        var lines = results.map {
            "\($0.job.kind.rawValue) \($0.outcome) \($0.reason) \($0.job.owner.name) seed \($0.job.seed)"
                + " passive \($0.scores.passive ?? -1) motion \($0.scores.motion ?? -1) screen \($0.scores.screen ?? -1)"
                + " depth \($0.scores.depth ?? -1) similarity \($0.scores.similarity ?? -1)"
                + " challenged \($0.scores.challenged) after \($0.milliseconds) ms"
        }
        for kind in SimulatedAttack.allCases {
            let own = results.filter { $0.job.kind == kind }
            if own.isEmpty { continue }
            let accepted = own.count { $0.isAccepted }
            let interval = ExactInterval(hits: accepted, of: own.count)
            let range = String(format: "%.1f to %.1f %%", interval.low * 100, interval.high * 100)
            lines.append("\(kind.rawValue): \(accepted) of \(own.count) accepted (95 %: \(range))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func object(_ results: [SimulatedTrial]) -> [String: Any] {
        var kinds: [String: Any] = [:]
        for kind in SimulatedAttack.allCases {
            let own = results.filter { $0.job.kind == kind }
            if own.isEmpty { continue }
            let accepted = own.count { $0.isAccepted }
            let interval = ExactInterval(hits: accepted, of: own.count)
            kinds[kind.rawValue] = [
                "attacks": own.count, "accepted": accepted, "apcer": LivenessRates.rate(accepted, own.count),
                "apcer_interval": [interval.low, interval.high],
            ]
        }
        let accepted = results.count { $0.isAccepted }
        return [
            "kinds": kinds, "attacks": results.count, "accepted": accepted,
            "apcer": LivenessRates.rate(accepted, results.count),
        ]
    }
}
