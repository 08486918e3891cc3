// SPDX-License-Identifier: Apache-2.0
// Views are spread over the time of a login, and each followed face has its own.

import Testing

@testable import Vision

@Suite struct EmbeddingPlanTests {
    /// A look at somebody: stripes of a breadth of their own.
    private static func look(of person: Int = 3) -> Appearance {
        let side = AlignedFace.side
        let values = (0..<(side * side)).map { i in Float((i % side / 8 / person) % 2 * 100 + i / side) }
        return Appearance(Luminance(width: side, height: side, values: values))
    }

    private static let owner = look()

    /// When a face is compared that is looked at every `step` ms and belongs to `person(time)`.
    private func views(every step: UInt64, until end: UInt64, person: (UInt64) -> Int = { _ in 3 }) -> [UInt64] {
        var plan = EmbeddingPlan()
        let looks = [1: EmbeddingPlanTests.look(of: 1), 2: EmbeddingPlanTests.look(of: 2), 3: EmbeddingPlanTests.owner]
        return stride(from: 0, through: end, by: UInt64.Stride(step)).filter { time in
            looks[person(time)].map { plan.wants(7, $0, at: time) } ?? false
        }
    }

    @Test(
        arguments: [
            (67, [0, 402, 670]), (66, [0, 396, 660]), (33, [0, 396, 660]), (50, [0, 400, 650]), (45, [0, 405, 675]),
            (200, [0, 400, 800]), (500, [0, 500]),
        ] as [(UInt64, [UInt64])])
    func comparesAFaceThatStaysAtTheBeginningAndWhereTheJudgeMayDecide(step: UInt64, expected: [UInt64]) {
        #expect(views(every: step, until: expected.last.map { $0 + 20 } ?? 0) == expected)
    }

    @Test func comparesAtOnceWhateverLooksDifferent() {
        // Somebody takes the person's place for some looks, wherever they lie; and two others in turn.
        for (from, to) in [(50, 100), (100, 300), (350, 400), (150, 200), (450, 600)] as [(UInt64, UInt64)] {
            let times = views(every: 50, until: 700) { (from..<to).contains($0) ? 1 : 3 }
            #expect(times.contains(from) && times.contains(to), "\(from) to \(to): \(times)")
            // The view that may decide comes all the same, and no sooner.
            #expect(times.contains(400), "\(from) to \(to): \(times)")
        }
        #expect(views(every: 50, until: 200) { [3, 1, 1, 2, 2][Int($0 / 50)] } == [0, 50, 150])
    }

    @Test func comparesAlsoWhatChangesLittleByLittle() {
        // Each look resembles the one before; the last ones no longer the one that was compared.
        let side = AlignedFace.side
        let looks = (0...10).map { step -> Appearance in
            let values = (0..<(side * side)).map { i -> Float in
                let (from, to) = (Float((i % side / 8) % 2 * 100), Float((i / side / 8) % 2 * 100))
                return from + (to - from) * Float(step) / 10
            }
            return Appearance(Luminance(width: side, height: side, values: values))
        }
        for (before, after) in zip(looks, looks.dropFirst()) { #expect(after.resembles(before)) }
        var plan = EmbeddingPlan()
        let compared = looks.indices.filter { plan.wants(1, looks[$0], at: UInt64($0) * 30) }
        #expect(compared.first == 0 && compared.count >= 3)
    }

    @Test func neverLeavesTheJudgeWithoutAView() {
        // Two views further apart than half a second would not answer for what lies between.
        let times = views(every: 67, until: 5_000)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 <= 402 })
        #expect(zip(times.dropFirst(), times.dropFirst(2)).allSatisfy { $1 - $0 <= 300 })
    }

    @Test func countsEachTrackForItself() {
        var plan = EmbeddingPlan()
        let asked: [(track: UInt32, at: UInt64, expected: Bool)] = [
            (1, 1000, true), (2, 1010, true), (1, 1380, false), (2, 1390, false), (1, 1390, true), (2, 1400, true),
            // A clock that was set back does not stop it.
            (1, 10, true), (1, 60, false), (1, 400, true),
        ]
        for question in asked {
            let answer = plan.wants(question.track, EmbeddingPlanTests.owner, at: question.at)
            #expect(answer == question.expected, "track \(question.track) at \(question.at)")
        }
    }
}
