// SPDX-License-Identifier: Apache-2.0
// `secondlook-evaluate liveness`: sessions of live people and of attacks through the real Observer and the real Judge.

import Biometrics
import Foundation
import Policy
import Vision

/// The verb.
enum LivenessVerb {
    static let usage =
        "--live DIR… --attack DIR… [--json OUT] [--html OUT] [--cache DIR] [--models DIR] [--liveness FILE|none] "
        + "[--seeds N] [--mode auto|challenge] [--look-every MS]"

    static func run(_ arguments: Arguments) throws {
        try arguments.only([
            "live", "attack", "json", "html", "cache", "models", "liveness", "seeds", "mode", "look-every",
        ])
        let models = try LoadedModels(arguments)
        let cache = try EvidenceCache(folder: arguments.optional("cache"), models: models)
        var settings = Settings()
        if let mode = arguments.optional("mode") {
            guard let liveness = LivenessMode(rawValue: mode) else {
                throw EvaluateError.usage("unknown mode '\(mode)'")
            }
            settings.liveness = liveness
        }
        _ = try arguments.required("live")
        _ = try arguments.required("attack")
        let sessions =
            try arguments.all("live").flatMap { try SessionSource.list($0) }.map { ($0, true) }
            + arguments.all("attack").flatMap { try SessionSource.list($0) }.map { ($0, false) }
        let interval = UInt64(try arguments.number("look-every", Int(LookRate.interval)))
        let seen = try Parallel.map(sessions.map(\.0), label: "seeing", makeState: { models }) { models, session in
            try cache.evidence(session, variant: variant(interval)) { try see(session, models, interval: interval) }
        }
        let seeds = try arguments.number("seeds", 16)
        func trials(_ cues: Cues, hasPassive: Bool) -> [SessionTrial] {
            zip(sessions, seen).map { session, frames in
                SessionTrial.run(
                    session.0.name, isLive: session.1, frames: frames, settings: settings, hasPassive: hasPassive,
                    cues: cues, seeds: seeds)
            }
        }
        let report = LivenessReport(
            trials: trials(.all, hasPassive: models.hasLiveness),
            ablations: Ablation.all(hasPassive: models.hasLiveness).map {
                ($0.name, trials($0.cues, hasPassive: $0.hasPassive))
            })
        print(report.text, terminator: "")
        if let path = arguments.optional("json") { try report.json.write(to: URL(filePath: path)) }
        if let path = arguments.optional("html") {
            try Data(LivenessPage(report).html.utf8).write(to: URL(filePath: path))
        }
    }

    /// What the evidence of a session depends on besides its frames.
    static func variant(_ interval: UInt64 = LookRate.interval) -> String { "every \(interval)" }

    /// The evidence of the frames of a session that a worker would look at.
    static func see(
        _ session: SessionSource, _ models: LoadedModels, interval: UInt64 = LookRate.interval
    ) throws -> [FrameEvidence] {
        var observer = try models.observer()
        var rate = LookRate(interval: interval)
        var evidence: [FrameEvidence] = []
        try session.forEachFrame { frame in
            guard rate.admits(frame.timestamp, now: frame.timestamp) else { return }
            evidence.append(try observer.observe(frame, sequence: UInt32(evidence.count)))
        }
        return evidence
    }
}

/// The judge with one cue less.
struct Ablation {
    let name: String
    let cues: Cues
    let hasPassive: Bool

    /// Every cue left out in turn.
    static func all(hasPassive: Bool) -> [Ablation] {
        [
            Ablation(name: "without motion", cues: Cues.all.subtracting(.motion), hasPassive: hasPassive),
            Ablation(name: "without screen", cues: Cues.all.subtracting(.screen), hasPassive: hasPassive),
            Ablation(name: "without repetition", cues: Cues.all.subtracting(.repetition), hasPassive: hasPassive),
            Ablation(name: "without passive refusal", cues: Cues.all.subtracting(.passive), hasPassive: hasPassive),
            Ablation(name: "without the passive network", cues: .all, hasPassive: false),
        ]
    }
}
