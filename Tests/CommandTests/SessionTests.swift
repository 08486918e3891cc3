// SPDX-License-Identifier: Apache-2.0
// Whom a verb is about, and which names are refused before anything is opened with them.

import Testing

@testable import secondlook

@Suite struct SessionTests {
    @Test(arguments: [
        "", ".", "..", "../x", "a/b", "-U", "a:b", "a\nb", "a\u{202E}b", "a\u{0}b", String(repeating: "x", count: 300),
    ])
    func refusesNamesThatAreNone(_ name: String) {
        #expect(throws: CommandError.self) { try UserName.checked(name) }
    }

    @Test(arguments: ["ann", "ann.b", "user@realm", "DOM\\user", "jörg", "a-b_c$"])
    func acceptsNames(_ name: String) throws {
        #expect(try UserName.checked(name) == name)
    }

    struct Whom: Sendable {
        let named: String?
        let caller: Caller
        let expected: String?
    }

    @Test(arguments: [
        Whom(named: "ann", caller: Caller(isRoot: true, sudoUser: "bob", ownUser: "root"), expected: "ann"),
        Whom(named: nil, caller: Caller(isRoot: true, sudoUser: "bob", ownUser: "root"), expected: "bob"),
        Whom(named: nil, caller: Caller(isRoot: true, sudoUser: nil, ownUser: "root"), expected: nil),
        Whom(named: nil, caller: Caller(isRoot: false, sudoUser: nil, ownUser: "ann"), expected: "ann"),
        Whom(named: "../x", caller: Caller(isRoot: true, sudoUser: "bob", ownUser: "root"), expected: nil),
    ])
    func findsTheUserMeant(_ whom: Whom) {
        let session = Session(output: Kept(), caller: whom.caller, paths: Paths(libexec: "/x"))
        #expect((try? session.user(whom.named)) == whom.expected)
    }
}
