// SPDX-License-Identifier: Apache-2.0
// When nothing can be judged: the most specific reason, in bounded time, and not counted.

import Biometrics
import Policy
import TestSupport
import Testing

@Suite struct JudgeDeadlineTests {
    typealias Subject = EvidenceScript.Subject

    private func spent(_ attempt: Attempt) throws -> UInt64 { try #require(attempt.end).at - attempt.started }

    @Test func saysThatNoFrameCame() throws {
        var attempt = Attempt()
        attempt.wait(30_000)
        #expect(attempt.verdict == Verdict(.notJudged, .cameraFailed))
        #expect(try spent(attempt) <= 4_200)
    }

    @Test func saysThatItStayedDark() throws {
        var attempt = Attempt()
        attempt.script.light = (4, 1)
        attempt.play(30_000) { _ in [] }
        #expect(attempt.verdict == Verdict(.notJudged, .tooDark))
        #expect(try spent(attempt) <= 5_200)
        #expect(attempt.notices.first?.notice == .moreLight)
    }

    @Test func waitsForACameraThatWarmsUp() {
        var attempt = Attempt()
        attempt.script.light = (4, 1)
        attempt.play(2_500) { _ in [] }
        attempt.script.light = (110, 50)
        attempt.play(5_000) { _ in [Subject()] }
        #expect(attempt.verdict == Verdict(.accepted, .matched))
    }

    @Test func judgesOnlyLitFramesOfStrobedInfrared() {
        var attempt = Attempt(hasPassive: false, interval: 33)
        var head = ScriptedHead()
        for i in 0..<700 where attempt.end == nil {
            attempt.script.light = i % 2 == 0 ? (110, 50) : (3, 1)
            var subject = Subject(passive: nil)
            let pose = head.pose(at: attempt.script.now)
            (subject.pose.yaw, subject.pose.pitch) = (pose.yaw, pose.pitch)
            let heard = attempt.notices.count
            attempt.play(1) { _ in i % 2 == 0 ? [subject] : [] }
            if attempt.notices.count > heard, let last = attempt.notices.last, let move = Attempt.rightly(last.notice) {
                head.turn(yaw: move.yaw, pitch: move.pitch, at: attempt.script.now)
            }
        }
        #expect(attempt.verdict == Verdict(.accepted, .matched))
        #expect(!attempt.notices.contains { $0.notice == .moreLight })
    }

    @Test func saysThatNobodyIsThere() throws {
        var attempt = Attempt()
        attempt.play(30_000) { _ in [] }
        #expect(attempt.verdict == Verdict(.notJudged, .noFace))
        #expect(try spent(attempt) <= 7_200)
    }

    static let unusable: [(id: String, subject: Subject, notice: Notice)] = [
        ("tiny", Subject(pose: .init(size: 15)), .moveCloser),
        ("cut by the border", Subject(pose: .init(centre: Point(20, 240))), .moveIntoView),
        ("profile", Subject(pose: .init(yaw: 0.9)), .lookStraight),
        ("unlit", Subject(quality: (12, 15, 100)), .moreLight),
        ("glaring", Subject(quality: (250, 15, 100)), .lessLight),
        ("smeared", Subject(quality: (120, 30, 3)), .holdStill),
    ]

    @Test(arguments: unusable.indices) func saysWhatIsWrongWithAFace(index: Int) throws {
        let (id, subject, notice) = Self.unusable[index]
        var attempt = Attempt()
        attempt.play(30_000) { _ in [subject] }
        #expect(attempt.verdict == Verdict(.notJudged, id == "unlit" ? .tooDark : .noUsableFace), "\(id)")
        #expect(attempt.notices.first?.notice == notice, "\(id)")
        #expect(try spent(attempt) <= 9_200)
    }

    @Test func neverLastsBeyondTheWholeDeadline() {
        for seed in UInt64(1)...60 {
            var generator = SeededGenerator(seed: seed)
            var attempt = Attempt(hasPassive: seed % 2 == 0, seed: seed)
            while attempt.end == nil, attempt.script.now < attempt.started + 30_000 {
                let subject = Subject(
                    pose: .init(yaw: generator.normal() * 0.3), similarity: 0.3 + 0.5 * generator.uniform(),
                    passive: generator.normal() * 3, ownMotion: generator.uniform(), track: UInt32(generator.next() % 3)
                )
                let count = Int(generator.next() % 3)
                attempt.play(UInt64(generator.next() % 900)) { _ in [Subject](repeating: subject, count: count) }
            }
            #expect((attempt.end?.at ?? .max) <= attempt.started + 20_100, "seed \(seed)")
        }
    }
}
