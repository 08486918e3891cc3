// SPDX-License-Identifier: Apache-2.0
// Rules of an attempt on vectors with known angles, and the accuracy of listed pairs.

import Biometrics
import Testing

@testable import secondlook_evaluate

/// A vector in a plane, at an angle whose cosine to the first axis is `cosine`.
private func vector(_ cosine: Float, axis: Int = 0) throws -> Embedding {
    var values = [Float](repeating: 0, count: Embedding.dimension)
    values[axis] = cosine
    values[axis + 1] = (1 - cosine * cosine).squareRoot()
    return try #require(Embedding(values))
}

@Suite struct AttemptsTests {
    private func rule(_ enrolled: Int, _ probes: Int, _ enrolment: Rule.Joining, _ seen: Rule.Joining = .mean) -> Rule {
        Rule(name: "", enrolled: enrolled, probes: probes, enrolment: enrolment, seen: seen)
    }

    @Test func joinsScoresAsNamed() throws {
        let template = [try vector(0.9), try vector(0.5), try vector(0.1)]
        let probe = [try vector(1)]
        #expect(abs(rule(3, 1, .best).score(template, probe) - 0.9) < 1e-6)
        #expect(abs(rule(3, 1, .bestTwo).score(template, probe) - 0.7) < 1e-6)
        let mean = Rule.kept([try vector(0.6), try vector(1)], .mean)
        #expect(mean.count == 1)
        // (1.6, 0.8) of length 1.789.
        #expect(abs(rule(2, 1, .mean).score(mean, probe) - 0.894427) < 1e-5)
    }

    @Test func neverMeetsAnEnrolledPictureAgain() throws {
        // Three pictures of A, of which one is enrolled; two of B.
        let a = [try vector(1), try vector(0.9), try vector(0.8)]
        let b = [try vector(1, axis: 10), try vector(0.5, axis: 10)]
        let scores = Attempts.compare([a, b], rule(1, 1, .mean))
        #expect(scores.genuine.map { ($0 * 10).rounded() } == [5, 8, 9])
        // A against two of B, B against three of A.
        #expect(scores.impostor == [0, 0, 0, 0, 0])
    }

    @Test func enrolsOtherPicturesInEachDraw() throws {
        let a = [try vector(1), try vector(0.9), try vector(0.8)]
        // Each of the three is enrolled once; more draws than pictures repeat nothing.
        #expect(Attempts.compare([a], rule(1, 1, .mean), draws: 3).genuine.count == 6)
        #expect(Attempts.compare([a], rule(2, 1, .mean), draws: 9).genuine.count == 3)
    }

    @Test func enrolsOnlyThoseWithAPictureLeft() throws {
        let a = [try vector(1), try vector(0.9)]
        #expect(Attempts.compare([a], rule(2, 1, .mean)).genuine.isEmpty)
    }

    @Test func choosesThresholdsOnOtherPairs() throws {
        // Clean scores: every fold is judged without a mistake.
        let names = ["same": try vector(0.9), "first": try vector(1), "other": try vector(1, axis: 20)]
        let pairs = (0..<20).map { i in
            Pair(first: "first", second: i % 2 == 0 ? "same" : "other", isSame: i % 2 == 0, fold: i / 2)
        }
        let result = PairResult(pairs, names)
        #expect(result.mistakes.errors == 0 && result.mistakes.trials == 20 && result.skipped == 0)
        #expect(abs(result.threshold - 0.9) < 1e-5)
        let missing = PairResult(pairs + [Pair(first: "first", second: "nobody", isSame: true, fold: 0)], names)
        #expect(missing.skipped == 1 && missing.mistakes.trials == 20)
    }

    @Test func takesTheHighestThresholdOfTheRulesInUse() {
        let tail = (0..<2_000_000).map { Float($0) / 4_000_000 }
        let low = ScoreSet(genuine: [0.9], impostor: tail)
        let high = ScoreSet(genuine: [0.9], impostor: tail.map { $0 + 0.1 })
        let levels = Thresholds([
            (rule(1, 1, .mean), low), (rule(3, 2, .mean), high),
            (rule(3, 1, .best), ScoreSet(genuine: [], impostor: [0.99])),
        ]).levels
        #expect(levels.map(\.name) == ["balanced", "strict", "paranoid"])
        // The best of two million evenly spread impostors end at 0.6.
        #expect(levels.allSatisfy { abs($0.cosine - 0.6) < 0.002 })
        #expect(
            Thresholds([(rule(1, 1, .mean), ScoreSet(genuine: [], impostor: [0.1]))]).levels.allSatisfy {
                $0.cosine == 1
            })
    }
}
