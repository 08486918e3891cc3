// SPDX-License-Identifier: Apache-2.0
// Two rooms have to keep the same time: the worker decides when a face is compared, the judge at which comparison the evidence is enough.
// This is the lowest target that sees both.

import Biometrics
import Policy
import TestSupport
import Testing

@testable import Vision

@Suite struct PaceTests {
    /// Milliseconds that a look takes: the first one's networks are cold, and a comparison takes longest.
    private static func delay(of index: Int, isCompared: Bool) -> UInt64 {
        (index == 0 ? 150 : 6) + (isCompared ? 20 : 0)
    }

    /// How people move, pixels from look to look: before a background that stands still, and before one that moves a little with them.
    private static let motions: [Motion] = [Point(0, 0), Point(0.3, 0)].map {
        Motion(face: Point(0.9, 0), surround: $0, faceChange: 2, surroundChange: 1)
    }

    /// A face that looks the same all the time.
    private static let look = Appearance(
        Luminance(width: 112, height: 112, values: (0..<(112 * 112)).map { Float($0 % 112) }))

    /// When the frame was taken at which the person is let in, in milliseconds after the first; frames come every `step`.
    private func accepted(every step: Double, motion: Motion) throws -> UInt64? {
        var (rate, plan) = (LookRate(), EmbeddingPlan())
        var script = EvidenceScript()
        let started = script.now
        var generator = SeededGenerator(seed: 3)
        var judge = Judge(
            reference: EvidenceScript.owner, settings: Settings(), hasPassive: true, started: started, using: &generator
        )
        var (looks, now) = (0, started)
        for index in 0..<60 {
            let taken = started + UInt64(Double(index) * step)
            guard rate.admits(taken, now: taken) else { continue }
            script.now = taken
            var frame = script.frame([EvidenceScript.Subject()])
            let isCompared = plan.wants(1, PaceTests.look, at: taken)
            frame.faces[0].motion = motion
            if !isCompared { frame.faces[0].embedding = nil }
            now = max(now, taken) + PaceTests.delay(of: looks, isCompared: isCompared)
            let step = judge.observe(frame, now: now)
            if case .decided(let verdict, _) = step { return verdict.outcome == .accepted ? taken - started : nil }
            looks += 1
        }
        return nil
    }

    @Test(arguments: [1_000.0 / 60, 1_000.0 / 30, 40, 50, 1_000.0 / 15, 100])
    func isLetInAtTheFirstComparisonThatMayDecide(step: Double) throws {
        for motion in PaceTests.motions {
            let at = try #require(try accepted(every: step, motion: motion))
            #expect((399...400).contains(at), "let in after \(at) ms")
        }
    }
}
