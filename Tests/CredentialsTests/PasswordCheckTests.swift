// SPDX-License-Identifier: Apache-2.0
// Every hash scheme, and every account that must not pass whatever is typed.

import CCrypt
import Platform
import TestSupport
import Testing

@testable import Credentials

/// A scheme with a salt as its tools make it.
struct Scheme: CustomTestStringConvertible {
    let name: String
    let salt: String
    var testDescription: String { name }

    static let all = [
        Scheme(name: "yescrypt", salt: "$y$j75$F5Jx5fExrKuPp53xLKQ..1"),
        Scheme(name: "gost-yescrypt", salt: "$gy$j75$F5Jx5fExrKuPp53xLKQ..1"),
        Scheme(name: "scrypt", salt: "$7$BU..../....F5Jx5fExrKuPp53xLKQ..1"),
        Scheme(name: "bcrypt", salt: "$2b$04$abcdefghijklmnopqrstuu"),
        Scheme(name: "SHA-512", salt: "$6$rounds=1000$saltsalt"),
        Scheme(name: "SHA-512 without rounds", salt: "$6$saltsalt"),
        Scheme(name: "SHA-256", salt: "$5$saltsalt"),
        Scheme(name: "MD5", salt: "$1$saltsalt"),
        Scheme(name: "DES", salt: "ab"),
    ]
}

private func hash(_ password: String, _ salt: String) throws -> String {
    var room = [CChar](repeating: 0, count: 512)
    // SAFETY: texts and an array with its length lent for the call.
    try #require(unsafe ccrypt_make_hash(password, salt, &room, room.count) == 0)
    return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

private func check(_ password: String, _ entry: ShadowEntry, today: Int = 20_000) throws -> PasswordOutcome {
    var bytes = Array(password.utf8)
    return try SystemPasswords.judge(try SecretBytes(wiping: &bytes), entry, today: today)
}

@Suite struct PasswordCheckTests {
    @Test(arguments: Scheme.all)
    func rightAndWrongInEachScheme(scheme: Scheme) throws {
        let entry = ShadowEntry(hash: try hash("Grüße, Jürgen 7", scheme.salt))
        #expect(try check("Grüße, Jürgen 7", entry) == .right)
        for wrong in ["", "x", "Grüße, Jürgen", " Grüße, Jürgen 7", "grüße, jürgen 7"] {
            // DES looks at eight bytes only.
            if scheme.name == "DES", wrong == "Grüße, Jürgen" { continue }
            #expect(try check(wrong, entry) == .wrong)
        }
    }

    @Test(arguments: [510, 511])
    func longPasswordsCountToTheirLastByte(length: Int) throws {
        let password = String(repeating: "p", count: length)
        let entry = ShadowEntry(hash: try hash(password, "$6$saltsalt"))
        #expect(try check(password, entry) == .right)
        #expect(try check(String(password.dropLast()) + "q", entry) == .wrong)
    }

    @Test(arguments: [512, 1024])
    func passwordsBeyondLibcryptsLimitAreWrong(length: Int) throws {
        let entry = ShadowEntry(hash: try hash("p", "$6$saltsalt"))
        #expect(try check(String(repeating: "p", count: length), entry) == .wrong)
    }

    @Test(arguments: ["!", "*", "!!", "*LK*", "!$6$saltsalt$x", "*NP*"])
    func lockedAccountsNeverPass(field: String) throws {
        #expect(try check("anything", ShadowEntry(hash: field)) == .locked)
        #expect(try check(field, ShadowEntry(hash: field)) == .locked)
    }

    @Test func aLockedHashDoesNotPassWithItsOwnPassword() throws {
        let entry = ShadowEntry(hash: "!" + (try hash("secret", "$6$saltsalt")))
        #expect(try check("secret", entry) == .locked)
    }

    @Test(arguments: ["", "anything"])
    func emptyPasswordsNeverPass(typed: String) throws {
        #expect(try check(typed, ShadowEntry(hash: "")) == .empty)
    }

    @Test(arguments: ["x", "$9$unknown$abc", "plain text", "$6$", "$", "nonsense:"])
    func senselessHashesNeverPass(field: String) throws {
        do {
            #expect(try check("anything", ShadowEntry(hash: field)) == .wrong)
        } catch let error as CredentialsError {
            #expect(error == .scheme(prefix: String(field.prefix(3))))
        }
    }

    @Test(arguments: [
        ("never expires", -1, -1, -1, -1, PasswordOutcome.right), ("expired today", 19_000, -1, -1, 20_000, .expired),
        ("expired on day 0", 19_000, -1, -1, 0, .expired), ("expires tomorrow", 19_000, -1, -1, 20_001, .right),
        ("change demanded", 0, -1, -1, -1, .expired), ("aged, no end of grace", 19_000, 90, -1, -1, .right),
        ("aged, within grace", 19_000, 990, 10, -1, .right), ("aged, after grace", 19_000, 980, 10, -1, .expired),
        ("99999 days are for ever", 1, 99_999, 0, -1, .right),
    ])
    func expiry(_: String, changed: Int, longest: Int, inactive: Int, expires: Int, outcome: PasswordOutcome) throws {
        let entry = ShadowEntry(
            hash: try hash("secret", "$5$saltsalt"), lastChange: changed, longestAge: longest, inactive: inactive,
            expires: expires)
        #expect(try check("secret", entry) == outcome)
        #expect(try check("wrong", entry) == .wrong, "only the right password is told that the account expired")
    }

    @Test(.enabled(if: TemporaryFolder.isRoot))
    func anUnknownUserIsLockedAndNoFault() throws {
        var bytes = Array("x".utf8)
        let password = try SecretBytes(wiping: &bytes)
        #expect(try SystemPasswords().check(password, of: "no-such-user-here", at: 0) == .locked)
    }
}
