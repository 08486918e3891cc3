// SPDX-License-Identifier: Apache-2.0
// One account has one spelling, else it had several tallies.

import Testing

@testable import Platform

@Suite struct AccountSpellingTests {
    @Test func otherCodePointsAreAnotherName() {
        #expect(AccountName.isSpelled("jos\u{E9}", as: "jos\u{E9}"))
        #expect("jos\u{E9}" == "jose\u{301}", "Swift's own comparison does not tell")
        #expect(!AccountName.isSpelled("jos\u{E9}", as: "jose\u{301}"))
        #expect(!AccountName.isSpelled("Anna", as: "anna"))
    }
}
