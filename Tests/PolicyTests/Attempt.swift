// SPDX-License-Identifier: Apache-2.0
// One attempt before the judge, played from a script.

import Biometrics
import Policy
import TestSupport

/// Plays frames to a judge until it decides.
struct Attempt {
    var judge: Judge
    var script: EvidenceScript
    var notices: [(notice: Notice, at: UInt64)] = []
    var end: (verdict: Verdict, scores: Scores, at: UInt64)?
    let started: UInt64

    init(
        _ settings: Settings = Settings(), hasPassive: Bool = true, cues: Cues = .all, interval: UInt64 = 66,
        noise: Float = 0.5, seed: UInt64 = 1
    ) {
        var generator = SeededGenerator(seed: seed)
        script = EvidenceScript(interval: interval, noise: noise, seed: seed)
        started = script.now
        judge = Judge(
            reference: EvidenceScript.owner, settings: settings, hasPassive: hasPassive, cues: cues,
            started: script.now, using: &generator)
    }

    /// Plays for so many milliseconds or until the end.
    mutating func play(_ milliseconds: UInt64, _ subjects: (UInt64) -> [EvidenceScript.Subject]) {
        let until = script.now + milliseconds
        while script.now < until, end == nil {
            let now = script.now
            take(judge.observe(script.frame(subjects(now)), now: now), now)
        }
    }

    /// Plays a subject that answers prompts with `head`; `answer` says how it takes a prompt, nil is "not at all".
    mutating func answer(
        with subject: EvidenceScript.Subject, head: ScriptedHead = ScriptedHead(), for milliseconds: UInt64 = 25_000,
        _ answer: (Notice) -> (yaw: Float, pitch: Float)? = Attempt.rightly
    ) {
        var head = head
        let until = script.now + milliseconds
        while script.now < until, end == nil {
            let now = script.now
            var subject = subject
            let pose = head.pose(at: now)
            subject.pose.yaw += pose.yaw
            subject.pose.pitch += pose.pitch
            let heard = notices.count
            take(judge.observe(script.frame([subject]), now: now), now)
            if notices.count > heard, let last = notices.last, let move = answer(last.notice) {
                head.turn(yaw: move.yaw, pitch: move.pitch, at: now)
            }
        }
    }

    /// Lets time pass without frames.
    mutating func wait(_ milliseconds: UInt64) {
        let until = script.now + milliseconds
        while script.now < until, end == nil {
            take(judge.tick(now: script.now), script.now)
            script.now += 100
        }
    }

    /// What the prompts ask for.
    static func rightly(_ notice: Notice) -> (yaw: Float, pitch: Float)? {
        switch notice {
        case .turnLeft: (1, 0)
        case .turnRight: (-1, 0)
        default: nil
        }
    }

    /// The first prompt of a challenge.
    var firstPrompt: (notice: Notice, at: UInt64)? {
        notices.first { [.turnLeft, .turnRight].contains($0.notice) }
    }

    var verdict: Verdict? { end?.verdict }

    mutating func take(_ step: Step, _ now: UInt64) {
        switch step {
        case .undecided: break
        case .notice(let notice): notices.append((notice, now))
        case .decided(let verdict, let scores): end = (verdict, scores, now)
        }
    }
}
