// SPDX-License-Identifier: Apache-2.0
// The nearest of many, and what comparing with many costs.

import Biometrics
import Testing

@testable import Policy

@Suite struct IdentificationTests {
    /// A unit vector of so much along one axis and the rest along another.
    static func face(_ axis: Int, _ part: Float = 1, rest other: Int = 100) throws -> Embedding {
        var values = [Float](repeating: 0, count: Embedding.dimension)
        values[axis] = part
        values[other] += (1 - part * part).squareRoot()
        return try #require(Embedding(values))
    }

    @Test func ranksTheNearestFirst() throws {
        let references = [
            (name: "cleo", reference: try Self.face(3)), (name: "anna", reference: try Self.face(1)),
            (name: "bert", reference: try Self.face(2)),
        ]
        let ranked = Identification(references).nearest(to: try Self.face(2, 0.8, rest: 3), most: 2)
        #expect(ranked.map(\.name) == ["bert", "cleo"])
        #expect(abs(ranked[0].similarity - 0.8) < 1e-5)
        #expect(abs(ranked[1].similarity - 0.6) < 1e-5)
    }

    @Test func keepsTheOrderOfEqualOnes() throws {
        let one = try Self.face(1)
        let people = Identification(["cleo", "anna", "bert"].map { (name: $0, reference: one) })
        #expect(people.nearest(to: one, most: 5).map(\.name) == ["cleo", "anna", "bert"])
        #expect(people.count == 3)
        #expect(people.reference(of: "anna") == one)
        #expect(people.reference(of: "dora") == nil)
    }

    @Test func findsNobodyAmongNone() throws {
        #expect(Identification([]).nearest(to: try Self.face(1), most: 2).isEmpty)
    }

    @Test func namesTheNearestLabelOfTheRightModelOnly() throws {
        let user = EnrolledUser(
            name: "anna",
            templates: [
                Template(label: "default", embeddings: [try Self.face(1)], model: "m"),
                Template(label: "glasses", embeddings: [try Self.face(2)], model: "m"),
                Template(label: "old", embeddings: [try Self.face(5)], model: "other"),
            ])
        #expect(user.nearestLabel(to: try Self.face(2, 0.9), model: "m")?.name == "glasses")
        #expect(user.nearestLabel(to: try Self.face(5), model: "m")?.name != "old")
        #expect(user.nearestLabel(to: try Self.face(5), model: "none") == nil)
    }

    @Test(arguments: [MatchLevel.balanced, .strict, .paranoid])
    func asksTheLevelsOwnThresholdOfOne(_ level: MatchLevel) {
        #expect(abs(Calibration.threshold(for: level, among: 1) - Calibration.threshold(for: level)) < 1e-6)
        #expect(Calibration.threshold(for: level, among: 0) == Calibration.threshold(for: level, among: 1))
    }

    @Test func asksMoreOfMore() {
        // Ten people: a decade, which is the next level's threshold; measured rates at both ends.
        #expect(abs(Calibration.threshold(for: .balanced, among: 10) - 0.501) < 0.002)
        #expect(abs(Calibration.threshold(for: .strict, among: 10) - 0.567) < 0.002)
        #expect(abs(Calibration.threshold(for: .paranoid, among: 10) - 0.633) < 0.002)
        var last: Float = 0
        for count in [1, 2, 3, 5, 9, 10, 64, 1_000, 100_000] {
            let threshold = Calibration.threshold(for: .strict, among: count)
            #expect(threshold > last)
            last = threshold
        }
        #expect(Calibration.threshold(for: .paranoid, among: .max) == 0.95)
    }

    @Test func leavesAHandWrittenCosine() {
        #expect(Calibration.threshold(for: .cosine(0.4), among: 1_000) == 0.4)
    }
}
