// SPDX-License-Identifier: Apache-2.0
// `secondlook-evaluate attempts`: whole logins. People are enrolled from some sessions and log in with others, each as himself and as
// everybody else; attacks try the person they show. A recording cannot answer a challenge, so "asked" is told apart: a genuine person would
// still have to turn the head, an attacker would have to as well.

import Biometrics
import Foundation
import Policy
import TestSupport
import Vision

/// The verb.
enum AttemptsVerb {
    static let usage =
        "--enrol DIR… --probe DIR… [--attack DIR…] [--match balanced|strict|paranoid] [--json OUT] [--cache DIR] "
        + "[--models DIR] [--liveness FILE|none]\n      (a session's person is its name up to the first '_', '-' or '.')"

    /// Samples that are enrolled of each session, spread over it.
    static let samples = 5

    /// How one attempt ended.
    struct Attempt {
        let probe: String
        let user: String
        let kind: Kind
        let outcome: String
        let reason: String
        let similarity: Float?
    }

    enum Kind: String, CaseIterable { case genuine, impostor, attack }

    static func run(_ arguments: Arguments) throws {
        try arguments.only(["enrol", "probe", "attack", "match", "json", "cache", "models", "liveness"])
        let models = try LoadedModels(arguments)
        let cache = try EvidenceCache(folder: arguments.optional("cache"), models: models)
        let settings = try settings(arguments)
        func seen(_ option: String) throws -> [(person: String, name: String, frames: [FrameEvidence])] {
            let sessions = try arguments.all(option).flatMap { try SessionSource.list($0) }
            let frames = try Parallel.map(sessions, label: option, makeState: { models }) { models, session in
                try cache.evidence(session, variant: LivenessVerb.variant()) { try LivenessVerb.see(session, models) }
            }
            return zip(sessions, frames).map { (person($0.name), $0.name, $1) }
        }
        _ = try arguments.required("enrol")
        _ = try arguments.required("probe")
        let references = try enrolled(seen("enrol"))
        var attempts: [Attempt] = []
        for probe in try seen("probe") {
            for (person, reference) in references {
                let kind: Kind = person == probe.person ? .genuine : .impostor
                attempts.append(
                    attempt(probe.name, probe.frames, person, reference, kind, settings, models.hasLiveness))
            }
        }
        for probe in try seen("attack") {
            guard let reference = references.first(where: { $0.person == probe.person })?.reference else { continue }
            attempts.append(
                attempt(probe.name, probe.frames, probe.person, reference, .attack, settings, models.hasLiveness))
        }
        let report = AttemptsReport(attempts)
        print(report.text, terminator: "")
        if let path = arguments.optional("json") { try report.json.write(to: URL(filePath: path)) }
    }

    private static func settings(_ arguments: Arguments) throws -> Settings {
        guard let level = arguments.optional("match") else { return Settings() }
        do { return try Settings.parse(Array("match = \(level)\n".utf8), service: "") } catch {
            throw EvaluateError.usage("--match: \(error)")
        }
    }

    static func person(_ name: String) -> String { String(name.prefix { !"_-.".contains($0) }) }

    /// The mean template of each person, of samples spread over all sessions that show him.
    private static func enrolled(
        _ sessions: [(person: String, name: String, frames: [FrameEvidence])]
    ) -> [(person: String, reference: Embedding)] {
        var samplesByPerson: [String: [Embedding]] = [:]
        for session in sessions {
            let all = session.frames.filter { $0.faces.count == 1 }.compactMap { $0.faces.first?.embedding }
            guard !all.isEmpty else { continue }
            let count = min(samples, all.count)
            samplesByPerson[session.person, default: []] += (0..<count).map { all[$0 * all.count / count] }
        }
        return samplesByPerson.sorted { $0.key < $1.key }.compactMap { person, samples in
            Embedding.mean(of: samples).map { (person, $0) }
        }
    }

    private static func attempt(
        _ probe: String, _ frames: [FrameEvidence], _ person: String, _ reference: Embedding, _ kind: Kind,
        _ settings: Settings, _ hasPassive: Bool
    ) -> Attempt {
        var generator = SeededGenerator(seed: 1)
        let begin = frames.first?.timestamp ?? 0
        var judge = Judge(
            reference: reference, settings: settings, hasPassive: hasPassive, started: begin, using: &generator)
        for frame in frames {
            guard case .decided(let verdict, let scores) = judge.observe(frame, now: frame.timestamp) else { continue }
            let isUnanswered = verdict.reason == .challengeTimeout || verdict.reason == .challengeFailed
            let outcome = verdict.outcome == .accepted ? "accepted" : isUnanswered ? "asked" : "refused"
            return Attempt(
                probe: probe, user: person, kind: kind, outcome: outcome, reason: verdict.reason.rawValue,
                similarity: scores.similarity)
        }
        let end = judge.verdict(interruptedBy: .deadline)
        let outcome = judge.scores.challenged ? "asked" : end.outcome == .refused ? "refused" : "undecided"
        return Attempt(
            probe: probe, user: person, kind: kind, outcome: outcome, reason: end.reason.rawValue,
            similarity: judge.scores.similarity)
    }
}
