// SPDX-License-Identifier: Apache-2.0
// The thresholds are in order, and the estimate of misses is the one of the documented table.

import Testing

@testable import Policy

@Suite struct CalibrationTests {
    @Test func demandsMoreOfEachLevel() {
        let thresholds = [MatchLevel.balanced, .strict, .paranoid].map { Calibration.threshold(for: $0) }
        #expect(thresholds == thresholds.sorted() && Set(thresholds).count == 3)
        #expect(Calibration.threshold(for: .cosine(0.61)) == 0.61)
    }

    @Test func estimatesMissesByTheMeasuredTable() throws {
        func rate(_ samples: Int, _ level: MatchLevel) -> Double? {
            Calibration.falseNonMatch(samples: samples, level: level).map { ($0.rate * 10_000).rounded() / 100 }
        }
        #expect(rate(1, .balanced) == 1.91 && rate(1, .strict) == 4.08 && rate(2, .strict) == 4.08)
        #expect(rate(3, .balanced) == 0.1 && rate(3, .strict) == 0.3 && rate(10, .strict) == 0.3)
        #expect(rate(3, .paranoid) == 1.6)
        #expect(try #require(Calibration.falseNonMatch(samples: 9, level: .strict)).enrolled == 3)
    }

    @Test func estimatesNothingThatWasNotMeasured() {
        #expect(Calibration.falseNonMatch(samples: 0, level: .strict) == nil)
        #expect(Calibration.falseNonMatch(samples: 1, level: .paranoid) == nil)
        #expect(Calibration.falseNonMatch(samples: 5, level: .cosine(0.5)) == nil)
    }
}
