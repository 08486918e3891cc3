// SPDX-License-Identifier: Apache-2.0
// Views are spread over the time of a login, and each followed face has its own.

import Testing

@testable import Vision

@Suite struct EmbeddingPlanTests {
    private func views(every step: UInt64, until end: UInt64) -> [UInt64] {
        var plan = EmbeddingPlan()
        return stride(from: 0, through: end, by: UInt64.Stride(step)).filter { plan.wants(7, at: $0) }
    }

    @Test(
        arguments: [
            (67, [0, 134, 402]), (66, [0, 132, 396]), (33, [0, 132, 396]), (50, [0, 100, 400]), (45, [0, 135, 405]),
            (200, [0, 200, 400]),
        ] as [(UInt64, [UInt64])])
    func spreadsTheViewsOfAFace(step: UInt64, expected: [UInt64]) {
        #expect(views(every: step, until: 540) == expected)
    }

    @Test func neverLeavesTheJudgeWithoutAView() {
        // Two views further apart than half a second would not answer for what lies between.
        let times = views(every: 67, until: 5_000)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 <= 300 })
    }

    @Test func countsEachTrackForItself() {
        var plan = EmbeddingPlan()
        let asked: [(track: UInt32, at: UInt64, expected: Bool)] = [
            (1, 1000, true), (2, 1010, true), (1, 1050, false), (2, 1050, false), (1, 1100, true), (2, 1110, true),
            // A clock that was set back does not stop it.
            (1, 10, true),
        ]
        for question in asked {
            let answer = plan.wants(question.track, at: question.at)
            #expect(answer == question.expected, "track \(question.track) at \(question.at)")
        }
    }
}
