// SPDX-License-Identifier: Apache-2.0
// Views are spread over the time of a login, and each followed face has its own.

import Testing

@testable import Vision

@Suite struct EmbeddingPlanTests {
    private func views(every step: UInt64, until end: UInt64) -> [UInt64] {
        var plan = EmbeddingPlan()
        return stride(from: 0, through: end, by: UInt64.Stride(step)).filter { plan.wants(7, at: $0) }
    }

    @Test(arguments: [
        (67 as UInt64, [0, 134, 335, 536] as [UInt64]), (33, [0, 132, 333, 534]), (50, [0, 100, 300, 500]),
        (200, [0, 200, 400]),
    ])
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
        #expect(plan.wants(1, at: 1000))
        #expect(plan.wants(2, at: 1010))
        #expect(!plan.wants(1, at: 1050))
        #expect(!plan.wants(2, at: 1050))
        #expect(plan.wants(1, at: 1100))
        #expect(plan.wants(2, at: 1110))
        // A clock that was set back does not stop it.
        #expect(plan.wants(1, at: 10))
    }
}
