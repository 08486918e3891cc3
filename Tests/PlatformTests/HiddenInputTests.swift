// SPDX-License-Identifier: Apache-2.0
// A passphrase handed over on a descriptor: one line, as it is, within its limit.

import TestSupport
import Testing

@testable import Platform

@Suite struct HiddenInputTests {
    let temporary = TemporaryFolder()

    func line(of bytes: [UInt8]) throws -> [UInt8] {
        let path = temporary.write("passphrase", bytes)
        let secret = try HiddenInput.line(of: try SafeFile.openForReading(path))
        return unsafe secret.withBytes { unsafe Array($0) }
    }

    @Test(arguments: [
        ("correct horse\n", "correct horse"), ("correct horse", "correct horse"), ("a\nb\n", "a"), ("\n", ""), ("", ""),
        (" blank \r\n", " blank \r"), ("grüße\n", "grüße"),
    ])
    func takesTheFirstLine(_ text: String, _ passphrase: String) throws {
        #expect(try line(of: Array(text.utf8)) == Array(passphrase.utf8))
    }

    @Test func takesTheLongestAndNoLonger() throws {
        let longest = [UInt8](repeating: 0x61, count: HiddenInput.longest)
        #expect(try line(of: longest + [0x0A]) == longest)
        #expect(throws: PlatformError.tooLarge(path: "passphrase", limit: HiddenInput.longest)) {
            try line(of: longest + [0x61, 0x0A])
        }
    }

    @Test func comparesWithoutATerminal() throws {
        var (one, same, other) = (Array("a secret".utf8), Array("a secret".utf8), Array("a secreT".utf8))
        let first = try SecretBytes(wiping: &one)
        #expect(first.isEqual(to: try SecretBytes(wiping: &same)))
        #expect(!first.isEqual(to: try SecretBytes(wiping: &other)))
        var short = Array("a".utf8)
        #expect(!first.isEqual(to: try SecretBytes(wiping: &short)))
    }
}
