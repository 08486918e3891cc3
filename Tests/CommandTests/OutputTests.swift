// SPDX-License-Identifier: Apache-2.0
// What a terminal is given.

import Testing

@testable import secondlook

@Suite struct OutputTests {
    @Test func hidesControlCharacters() {
        #expect(Shown.safe("a\u{1B}[2Jb\u{7}\u{202E}c\u{9B}ö") == "a?[2Jb??c?ö")
    }

    @Test func alignsColumns() {
        #expect(
            Shown.table(["user", "label"], [["ann", "day"], ["bartholomew", "x"]]) == [
                "user         label", "ann          day", "bartholomew  x",
            ])
    }
}
