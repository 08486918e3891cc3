// SPDX-License-Identifier: Apache-2.0
// The logistic function without a C library.

import Biometrics
import Testing

@Suite struct LogisticTests {
    @Test(arguments: [
        (x: Float(0), p: Float(0.5)), (1, 0.7310586), (-1, 0.2689414), (4, 0.9820138), (-7.5, 0.00055277866),
        (100, 1), (-100, 0),
    ])
    func agreesWithTheTable(x: Float, p: Float) { #expect(abs(Logistic.probability(x) - p) < 1e-6) }

    @Test func neverLeavesTheRange() {
        for x in [Float.infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude] {
            #expect((0...1).contains(Logistic.probability(x)))
        }
    }
}
