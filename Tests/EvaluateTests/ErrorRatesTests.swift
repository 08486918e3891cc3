// SPDX-License-Identifier: Apache-2.0
// Thresholds and error rates of scores that can be counted by hand.

import Testing

@testable import secondlook_evaluate

@Suite struct ErrorRatesTests {
    private let scores = ScoreSet(
        genuine: [0.2, 0.5, 0.6, 0.7, 0.9], impostor: (0..<1000).map { Float($0) / 2000 })

    @Test func thresholdLetsPassNoMoreThanAllowed() {
        // The best impostors are 0.4995, 0.499, ...
        #expect(scores.threshold(atFalseMatchRate: 1e-3) == Float(0.499).nextUp)
        #expect(scores.falseMatches(at: scores.threshold(atFalseMatchRate: 1e-3)).errors == 1)
        #expect(scores.threshold(atFalseMatchRate: 1e-4) == Float(0.4995).nextUp)
        #expect(scores.falseMatches(at: scores.threshold(atFalseMatchRate: 1e-4)).errors == 0)
        #expect(scores.threshold(atFalseMatchRate: 1) == -1)
    }

    @Test func equalScoresAreNotSplit() {
        let equal = ScoreSet(genuine: [0.9], impostor: [0.5, 0.5, 0.5, 0.1])
        let threshold = equal.threshold(atFalseMatchRate: 0.5)
        #expect(equal.falseMatches(at: threshold).errors == 0)
    }

    @Test func countsMissesBelowTheThreshold() {
        #expect(scores.falseNonMatches(at: 0.5).errors == 1)
        #expect(scores.falseNonMatches(at: Float(0.5).nextUp).errors == 2)
        #expect(scores.falseNonMatches(at: 1).errors == 5)
    }

    @Test(arguments: [(Float(-1), 0), (0.5, 1), (0.55, 2), (2, 3)]) func countsBelow(threshold: Float, expected: Int) {
        #expect(ScoreSet.below(threshold, [0.1, 0.5, 0.6]) == expected)
    }
}
