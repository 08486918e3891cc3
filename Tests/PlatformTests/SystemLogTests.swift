// SPDX-License-Identifier: Apache-2.0
// What foreign names may do to a line of the system's log: nothing.

import Testing

@testable import Platform

@Suite struct SystemLogTests {
    @Test(arguments: [
        "\n", "\r", "\u{0}", "\u{1B}", "\u{7F}", "\u{85}", "\u{9B}", "\u{2028}", "\u{2029}", "\u{202E}", "\u{2066}",
    ])
    func aLineStaysOneLine(character: String) {
        #expect(SystemLog.plain("user='a\(character)accepted'") == "user='a?accepted'")
    }

    @Test func lettersStay() {
        for name in ["anna", "Jörg", "Ольга", "花子", "e\u{301}"] {
            #expect(Array(SystemLog.plain(name).utf8) == Array(name.utf8))
        }
    }
}
