// SPDX-License-Identifier: Apache-2.0
// Pages and JSON: what is shown is escaped, axes are named, nothing is fetched from elsewhere.

import Testing

@testable import secondlook_evaluate

@Suite struct PageTests {
    @Test func verificationPageNeedsNothingElse() {
        let scores = ScoreSet(genuine: [0.5, 0.8], impostor: (0..<100).map { Float($0) / 300 })
        let pair = Pair(first: "a", second: "b", isSame: true, fold: 0)
        let page = VerificationPage.render(PairResult([pair], [:]), scores, Rate(errors: 1, trials: 9), pictures: 9)
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("</html>"))
        for label in ["false match rate", "false non-match rate", "cosine similarity", "share of its kind per bin"] {
            #expect(page.contains(label))
        }
        #expect(!page.contains("http") && !page.contains("<script") && !page.contains("src="))
        #expect(!page.contains("nan") && !page.contains("inf"))
    }

    @Test func escapesWhatItShows() {
        #expect(Page.table([["<b>&\""]]).contains("<th>&lt;b&gt;&amp;&quot;</th>"))
    }

    @Test func writesJsonInOrder() {
        let value: Json = .object([
            ("b", .real(0.5)), ("a", .list([.whole(1), .null, .flag(true)])), ("t", .text("q\"\n\u{1}")),
            ("o", .list([.object([("x", .real(.nan))])])),
        ])
        #expect(
            value.rendered(indent: nil)
                == #"{"b": 0.5, "a": [1, null, true], "t": "q\"\n\u0001", "o": [{"x": null}]}"#)
    }

    @Test(arguments: [(0.0, "0.0"), (1.0, "1.0"), (4.543e-2, "0.04543"), (0.4652437, "0.4652437"), (1e-9, "1e-09")])
    func writesShortNumbers(value: Double, expected: String) {
        #expect(Json.real(value).rendered() == expected)
    }
}
