// SPDX-License-Identifier: Apache-2.0
// One session before the real judge. Liveness is measured as if the face matched: the template is the mean of the session's own embeddings,
// so that nothing but liveness can refuse. A recording cannot answer a prompt; that it was asked is a result of its own.

import Biometrics
import Policy
import TestSupport

/// How a session ended.
enum TrialEnd: String, CaseIterable {
    /// Accepted; for a recording that means without, or by chance in spite of, a challenge.
    case accepted
    /// Refused.
    case refused
    /// Asked for a challenge, which a recording does not answer.
    case asked
    /// The recording ended before anything was decided.
    case undecided
}

/// A session's result.
struct SessionTrial: Sendable {
    let name: String
    let isLive: Bool
    let end: TrialEnd
    let reason: String
    let scores: Scores
    /// From the first frame to the decision or the end, in the session's own time.
    let milliseconds: UInt64
    /// The passive network's probability of live, frame by frame.
    let trace: [Float]

    /// Reasons that say the judge saw an attack; a challenge that a recording does not answer is not one of them.
    static let attackReasons: Set<String> = [
        Reason.notLive.rawValue, Reason.frozenFrames.rawValue, Reason.screen.rawValue, Reason.faceSwapped.rawValue,
        Reason.otherPerson.rawValue,
    ]

    /// Judges a session.
    ///
    /// An attack gets `seeds` different challenges, and the worst for the product counts.
    static func run(
        _ name: String, isLive: Bool, frames: [FrameEvidence], settings: Settings, hasPassive: Bool, cues: Cues = .all,
        seeds: Int
    ) -> SessionTrial {
        var first: SessionTrial?
        for seed in 1...(isLive ? 1 : max(1, seeds)) {
            let trial = once(
                name, isLive: isLive, frames: frames, settings: settings, hasPassive: hasPassive, cues: cues,
                seed: UInt64(seed))
            if trial.end == .accepted { return trial }
            if first == nil { first = trial }
        }
        return first
            ?? SessionTrial(
                name: name, isLive: isLive, end: .undecided, reason: "", scores: Scores(threshold: 0), milliseconds: 0,
                trace: [])
    }

    private static func once(
        _ name: String, isLive: Bool, frames: [FrameEvidence], settings: Settings, hasPassive: Bool, cues: Cues,
        seed: UInt64
    ) -> SessionTrial {
        let trace = frames.compactMap { $0.faces.first?.passive.map(Logistic.probability) }
        let begin = frames.first?.timestamp ?? 0
        guard let reference = Embedding.mean(of: frames.compactMap { $0.faces.first?.embedding }) else {
            return SessionTrial(
                name: name, isLive: isLive, end: .undecided, reason: Reason.noFace.rawValue,
                scores: Scores(threshold: 0), milliseconds: (frames.last?.timestamp ?? 0) - begin, trace: trace)
        }
        var generator = SeededGenerator(seed: seed)
        var judge = Judge(
            reference: reference, settings: settings, hasPassive: hasPassive, cues: cues, started: begin,
            using: &generator)
        var askedAt: UInt64?
        for frame in frames {
            let step = judge.observe(frame, now: frame.timestamp)
            if askedAt == nil, judge.scores.challenged { askedAt = frame.timestamp }
            guard case .decided(let verdict, let scores) = step else { continue }
            let isAttack = attackReasons.contains(verdict.reason.rawValue)
            let end: TrialEnd =
                verdict.outcome == .accepted
                ? .accepted : isAttack ? .refused : scores.challenged ? .asked : .undecided
            return SessionTrial(
                name: name, isLive: isLive, end: end, reason: verdict.reason.rawValue, scores: scores,
                milliseconds: (end == .asked ? askedAt ?? frame.timestamp : frame.timestamp) - begin, trace: trace)
        }
        return SessionTrial(
            name: name, isLive: isLive, end: askedAt != nil ? .asked : .undecided, reason: "", scores: judge.scores,
            milliseconds: (askedAt ?? frames.last?.timestamp ?? begin) - begin, trace: trace)
    }
}
