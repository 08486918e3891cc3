// SPDX-License-Identifier: Apache-2.0
// Exact intervals against published numbers, and numbers as text.

import Testing

@testable import secondlook_evaluate

@Suite struct RateTests {
    /// Clopper-Pearson 95 % limits as R's binom.test prints them.
    @Test(arguments: [
        (0, 10, 0.0, 0.3084971), (10, 10, 0.6915029, 1.0), (1, 10, 0.002528579, 0.4450161),
        (5, 100, 0.01643188, 0.1128349), (50, 100, 0.3983211, 0.6016789), (0, 24, 0.0, 0.1424736),
    ])
    func intervalEqualsThePublishedOne(errors: Int, trials: Int, low: Double, high: Double) {
        let interval = Rate(errors: errors, trials: trials).interval
        #expect(abs(interval.low - low) < 1e-6 && abs(interval.high - high) < 1e-6)
    }

    @Test func coversMillionsOfTrials() {
        let rate = Rate(errors: 125, trials: 12_500_000)
        // By the Poisson distribution: 125 has the limits 104.05 and 148.93.
        #expect(abs(rate.interval.low * 12.5e6 - 104.05) < 0.05)
        #expect(abs(rate.interval.high * 12.5e6 - 148.93) < 0.05)
        #expect(rate.value == 1e-5)
    }

    @Test func knowsNothingWithoutTrials() {
        let rate = Rate(errors: 0, trials: 0)
        #expect(rate.value == 0 && rate.interval.low == 0 && rate.interval.high == 1)
    }

    @Test(arguments: [(0.0, 2, "0.00"), (1.005, 1, "1.0"), (-0.4, 0, "0"), (-1.25, 2, "-1.25"), (99.999, 2, "100.00")])
    func writesFixedNumbers(value: Double, digits: Int, expected: String) {
        #expect(fixed(value, digits) == expected)
    }
}
