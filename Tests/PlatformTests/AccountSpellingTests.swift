// SPDX-License-Identifier: Apache-2.0
// One account has one spelling, else it had several tallies.

import Testing

@testable import Platform

@Suite struct AccountSpellingTests {
    @Test func otherCodePointsAreAnotherName() {
        #expect(Account.isSpelled("jos\u{E9}", as: "jos\u{E9}"))
        #expect("jos\u{E9}" == "jose\u{301}", "Swift's own comparison does not tell")
        #expect(!Account.isSpelled("jos\u{E9}", as: "jose\u{301}"))
        #expect(!Account.isSpelled("Anna", as: "anna"))
    }
}
