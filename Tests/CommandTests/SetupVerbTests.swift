// SPDX-License-Identifier: Apache-2.0
// The guided first run where it cannot be: without a terminal, without an answer. The whole of it is played in Tests/demo.

import Platform
import Testing

@testable import secondlook

/// Somebody who types these lines and then nothing more.
final class Typed: Input {
    var isTerminal = true
    private var lines: [String]
    init(_ lines: [String]) { self.lines = lines }
    func line() throws(PlatformError) -> String? { lines.isEmpty ? nil : lines.removeFirst() }
    func hidden(_ prompt: String) throws(PlatformError) -> SecretBytes { throw .protocolBroken("no password") }
}

@Suite struct SetupVerbTests {
    private func run(_ words: [String], _ input: any Input, isRoot: Bool = true) -> (Int32, Kept) {
        let kept = Kept()
        var session = Session(
            output: kept, input: input, caller: Caller(isRoot: isRoot, sudoUser: nil, ownUser: "root"),
            paths: Paths(settings: "/nonexistent", state: "/nonexistent", libexec: "/nonexistent"))
        return (Command.run(words, Verbs.all, &session), kept)
    }

    @Test func saysOneLineWithoutATerminal() {
        let typed = Typed([])
        typed.isTerminal = false
        let (code, kept) = run(["setup", "root"], typed)
        #expect(code == 2)
        #expect(kept.lines.isEmpty)
        #expect(kept.errors == ["secondlook: \(SetupTexts.noTerminal)"])
        #expect(run(["setup", "root", "--json"], Typed([])).0 == 2, "a program cannot be asked")
    }

    @Test func isForRootAndAUserWhoExists() {
        #expect(run(["setup", "root"], Typed([]), isRoot: false).0 == 1)
        let (code, kept) = run(["setup", "no-such-user"], Typed([]))
        #expect(code == 1 && kept.errors == ["secondlook: there is no user 'no-such-user' on this machine"])
    }

    @Test func stopsWhenNothingMoreIsTyped() {
        let (code, kept) = run(["setup", "root"], Typed(["what", "y"]))
        #expect(code == 1)
        #expect(kept.errors.contains("Type y or n."))
        #expect(kept.errors.last == "secondlook: setup: ended by you; what was done so far stays")
        #expect(!kept.lines.contains { $0.hasPrefix("Step 6") }, "the last step is not reached")
    }

    @Test func saysEverythingInPlainLines() {
        let lines = SetupTexts.welcome("ann") + SetupTexts.wayBack("ann", "sudo")
        for line in lines + [SetupTexts.notSwitchedOn("sudo")] {
            #expect(line.count <= 90 && line.utf8.allSatisfy { $0 < 0x80 }, "\(line)")
        }
    }
}
