// SPDX-License-Identifier: Apache-2.0
// The prompted movement: who answers it gets in, who does not, answers otherwise, or is flat, does not.

import Biometrics
import Policy
import TestSupport
import Testing

@Suite struct ChallengeTests {
    typealias Subject = EvidenceScript.Subject
    let person = Subject(passive: nil)

    @Test(arguments: 1...30 as ClosedRange<UInt64>) func acceptsWhoAnswers(seed: UInt64) throws {
        for (noise, interval) in [(0, 33), (0.5, 66), (1, 66), (1.5, 100)] as [(Float, UInt64)] {
            var attempt = Attempt(hasPassive: false, interval: interval, noise: noise, seed: seed)
            attempt.answer(with: person)
            #expect(attempt.verdict == Verdict(.accepted, .matched), "noise \(noise), \(attempt.notices)")
            #expect(try #require(attempt.end).at - attempt.started < 9_000)
        }
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>) func refusesTheOtherWayRound(seed: UInt64) {
        var attempt = Attempt(hasPassive: false, seed: seed)
        attempt.answer(with: person) { notice in
            switch notice {
            case .turnLeft: (-1, 0)
            case .turnRight: (1, 0)
            default: nil
            }
        }
        #expect(attempt.verdict == Verdict(.refused, .challengeFailed))
    }

    @Test func refusesWhoDoesNotAnswer() {
        var attempt = Attempt(hasPassive: false)
        attempt.answer(with: person) { _ in nil }
        #expect(attempt.verdict == Verdict(.refused, .challengeTimeout))
    }

    @Test func saysThatATurnIsTooSmall() {
        var attempt = Attempt(hasPassive: false)
        attempt.answer(with: person, head: ScriptedHead(extent: 0.3))
        #expect(attempt.verdict == Verdict(.refused, .challengeTimeout))
        #expect(attempt.notices.contains { $0.notice == .turnFurther })
    }

    @Test(arguments: [0, 0.5, 1, 1.5, 2] as [Float]) func neverTakesAPlaneForAHead(noise: Float) {
        for seed in UInt64(1)...15 {
            for extent in [0.4, 0.6, 0.75] as [Float] {
                var attempt = Attempt(hasPassive: false, noise: noise, seed: seed)
                attempt.answer(
                    with: Subject(shape: .picture, passive: nil), head: ScriptedHead(extent: extent))
                #expect(attempt.verdict?.outcome == .refused, "noise \(noise), extent \(extent), seed \(seed)")
            }
        }
    }

    @Test func refusesARecordingOfTurnsInItsOwnOrder() {
        // Left, right, over and over: what a replay has to offer.
        var accepted = 0
        for seed in UInt64(1)...60 {
            var attempt = Attempt(hasPassive: false, seed: seed)
            var head = ScriptedHead()
            var next = 0
            let moves: [(Float, Float)] = [(1, 0), (-1, 0)]
            while attempt.end == nil {
                if attempt.script.now >= attempt.started + UInt64(next) * 2_000 {
                    head.turn(yaw: moves[next % 2].0, pitch: moves[next % 2].1, at: attempt.script.now)
                    next += 1
                }
                var subject = person
                (subject.pose.yaw, subject.pose.pitch) = head.pose(at: attempt.script.now)
                attempt.play(1) { _ in [subject] }
            }
            accepted += attempt.verdict?.outcome == .accepted ? 1 : 0
        }
        // Chance alone: at most two sequences of six.
        #expect(accepted <= 26)
    }

    @Test func beginsAgainWhenTheFaceIsLostAndEndsWhenItKeepsHappening() {
        var attempt = Attempt(hasPassive: false)
        attempt.play(1_000) { _ in [person] }
        attempt.play(800) { _ in [] }
        var next = person
        next.track = 2
        attempt.answer(with: next)
        #expect(attempt.notices.contains { $0.notice == .startAgain })
        #expect(attempt.verdict == Verdict(.accepted, .matched))
        attempt = Attempt(hasPassive: false)
        for track in UInt32(1)...12 {
            var subject = person
            subject.track = track
            attempt.play(900) { _ in [subject] }
        }
        #expect(attempt.verdict == Verdict(.refused, .challengeFailed))
    }

    @Test func takesNoAnswerOfAnotherFace() {
        // The photo of the owner is compared, a live stranger answers.
        var attempt = Attempt(hasPassive: false)
        attempt.play(1_500) { _ in [Subject(shape: .picture, passive: nil)] }
        attempt.answer(with: Subject(similarity: 0.1, passive: nil, track: 2))
        #expect(attempt.verdict?.outcome == .refused)
    }

    @Test func asksEverySequenceEquallyOften() {
        var counts: [String: Int] = [:]
        for seed in UInt64(1)...300 {
            var attempt = Attempt(hasPassive: false, seed: seed)
            attempt.answer(with: person)
            let prompts = attempt.notices.map(\.notice).filter { [.turnLeft, .turnRight].contains($0) }
            counts[prompts.map(\.rawValue).joined(separator: " "), default: 0] += 1
        }
        #expect(counts.count == 6)
        for (_, count) in counts { #expect((25...80).contains(count)) }
    }
}
