// SPDX-License-Identifier: Apache-2.0
// Where the line goes in the stacks of Debian and of administrators, what happens to jumps, and what is refused.

import Testing

@testable import secondlook

@Suite struct PAMEditTests {
    static let line = "auth\trequired\tpam_secondlook.so factor=face"

    @Test(arguments: [("sudo", 7), ("login", 8), ("sshd", 5), ("su", 6), ("other", 2)])
    func putsTheLineBehindTheIncludedPassword(_ service: String, _ number: Int) throws {
        let edit = try PAMFixture.debian.enabling(service)
        var expected = PAMFixture.debian.files[service, default: ""].split(
            separator: "\n", omittingEmptySubsequences: false)
        expected.insert(Self.line[...], at: number - 1)
        #expect(text(edit.new) == expected.joined(separator: "\n"))
        #expect(edit.corrected.isEmpty)
    }

    @Test(arguments: ["sudo", "login", "sshd", "su", "other", "common-auth"])
    func givesBackTheSameBytes(_ service: String) throws {
        let edit = try PAMFixture.debian.enabling(service)
        let changed = PAMFixture.debian.with(service, text(edit.new))
        let back = try changed.disabling(service)
        #expect(back.new.bytes == edit.old.bytes)
        #expect(throws: PAMError.self) { try changed.enabling(service) }
    }

    @Test(arguments: [PAMFixture.commonAuth, PAMFixture.commonAuthWithThree])
    func goesBehindTheBlockThatDebianLooksAfter(_ common: String) throws {
        let edit = try PAMFixture.debian.with("common-auth", common).enabling("common-auth")
        #expect(text(edit.new) == common + Self.line + "\n")
    }

    @Test(arguments: [PAMFixture.commonAuth, PAMFixture.commonAuthWithThree])
    func goesToTheHeadOfTheAdditionalBlockWhereThatIsManaged(_ common: String) throws {
        let edit = try PAMFixture.debian.with("common-auth", common).enabling("common-auth", isManaged: true)
        let mark = "(the \"Additional\" block)\n"
        #expect(text(edit.new) == common.replacingFirst(mark, mark + Self.line + "\n"))
        #expect(edit.corrected.isEmpty)
    }

    @Test func staysOutOfTheJumpsOfThePassword() throws {
        let before = """
            auth [success=2 default=ignore] pam_unix.so
            auth [success=1 default=ignore] pam_sss.so use_first_pass
            auth requisite pam_deny.so
            auth required pam_permit.so
            account required pam_unix.so

            """
        let edit = try PAMFixture.only(before).enabling("x")
        #expect(text(edit.new) == before.replacingFirst("account", Self.line + "\naccount"))
    }

    @Test func isWhereThePasswordJumpsToWhenNothingElseIs() throws {
        let before = "auth [success=1 default=ignore] pam_unix.so\nauth requisite pam_deny.so\n"
        // Without a line behind, libpam has nothing that says yes: such a stack lets nobody in, so nothing is compared here but the place.
        #expect(throws: PAMError.self) { try PAMFixture.only(before).enabling("x") }
        let permitted = before + "auth required pam_permit.so\n"
        #expect(try text(PAMFixture.only(permitted).enabling("x").new) == permitted + Self.line + "\n")
    }

    @Test(arguments: ["@include /etc/pam.d/common-auth", "auth include /etc/pam.d/common-auth", "@include common-auth"])
    func knowsAFileByItsPathAsWell(_ include: String) throws {
        let fixture = PAMFixture.only(
            "auth [success=4 default=ignore] pam_debug.so\n\(include)\nauth requisite pam_deny.so\n")
        let expected = PAMError.impossible("a jump in 'x' line 1 leads over 'common-auth'; change that by hand")
        #expect(throws: expected) { try fixture.enabling("common-auth") }
        #expect(throws: expected) {
            try fixture.with("common-auth", PAMFixture.commonAuth + Self.line + "\n").disabling("common-auth")
        }
    }

    @Test func correctsJumpsThatLeadOverTheLine() throws {
        // Somebody need not give a password; the jump leads behind the include and over the place of the line.
        let before = """
            auth [success=5 default=ignore] pam_succeed_if.so quiet user = kiosk
            @include common-auth
            auth required pam_env.so
            auth required pam_permit.so

            """
        let fixture = PAMFixture.only(before)
        let edit = try fixture.enabling("x")
        #expect(edit.corrected == [1])
        let expected = before.replacingFirst("success=5", "success=6").replacingFirst(
            "auth required pam_env.so", Self.line + "\nauth required pam_env.so")
        #expect(text(edit.new) == expected)
        let changed = fixture.with("x", expected)
        #expect(try changed.stack("x").landing(from: 0, count: 6) == 7)
        #expect(try text(changed.disabling("x").new) == before)
        // It is said that this lets people by.
        #expect(try changed.stack("x").findings == [.skipped(step: 0)])
    }

    @Test func leadsAnotherJumpWhereItLed() throws {
        let before = """
            auth [success=4 default=ignore] pam_succeed_if.so quiet user = kiosk
            @include common-auth
            auth required pam_permit.so

            """
        let edit = try PAMFixture.only(before).enabling("x")
        // It lands on pam_permit, and so it does afterwards: that a line is there for permit's sake moves the look behind it.
        #expect(edit.corrected.isEmpty)
        #expect(text(edit.new) == before + Self.line + "\n")
        #expect(try text(PAMFixture.only(text(edit.new)).disabling("x").new) == before)
    }

    @Test(arguments: [
        // A success there ends the stack, and the look is never reached.
        "auth sufficient pam_unix.so\nauth required pam_deny.so\n",
        // A wrong password goes on to the look.
        "auth required pam_unix.so\n",
        "auth substack common-auth\n",
        // Nothing asks for a password.
        "auth required pam_permit.so\n", "auth required pam_rootok.so\n", "account required pam_unix.so\n",
    ])
    func refusesWhereTheLookWouldNotHold(_ before: String) {
        #expect(throws: PAMError.self) { try PAMFixture.only(before).enabling("x") }
    }

    @Test func refusesToChangeWhatTheJumpOfAnotherFileMeans() {
        let jumps = "auth [success=4 default=ignore] pam_succeed_if.so user = a\n@include common-auth\n"
        let fixture = PAMFixture.debian.with("kiosk", jumps + "auth required pam_permit.so\n")
        #expect(throws: PAMError.self) { try fixture.enabling("common-auth") }
    }

    @Test func refusesToTakeOutWhatAsksForThePassword() throws {
        let own = "auth required pam_secondlook.so\nauth required pam_permit.so\n@include common-account\n"
        #expect(throws: PAMError.self) { try PAMFixture.only(own).disabling("x") }
        let besides = "auth requisite pam_unix.so\nauth required pam_secondlook.so factor=face\n"
        #expect(try text(PAMFixture.only(besides).disabling("x").new) == "auth requisite pam_unix.so\n")
    }

    @Test func takesOutEveryLineOfItsOwnAndLeavesCommentsAlone() throws {
        let before = """
            # pam_secondlook.so
            auth requisite pam_unix.so
            auth required \\
               /usr/local/lib/security/pam_secondlook.so factor=face
            auth required pam_secondlook.so factor=face
            """
        let edit = try PAMFixture.only(before).disabling("x")
        #expect(text(edit.new) == "# pam_secondlook.so\nauth requisite pam_unix.so")
    }

    struct Stack: Sendable, CustomTestStringConvertible {
        let text: String
        let expected: [PAMFinding]
        var testDescription: String { text }
    }

    @Test(arguments: [
        Stack(text: "auth requisite pam_unix.so\n\(line)\n", expected: []),
        Stack(text: "auth required pam_secondlook.so\n", expected: []),
        Stack(text: "auth required pam_unix.so\n\(line)\n", expected: [.lookBeforePassword(step: 0)]),
        Stack(text: "auth sufficient pam_fprintd.so\n@include common-auth\n\(line)\n", expected: [.skipped(step: 0)]),
        Stack(text: "auth sufficient pam_rootok.so\n@include common-auth\n\(line)\n", expected: []),
        Stack(
            text: "auth requisite pam_unix.so\nauth sufficient pam_secondlook.so factor=face\n",
            expected: [.refusalIgnored(step: 1)]),
        Stack(
            text: "auth requisite pam_unix.so\nauth optional pam_secondlook.so factor=face\n",
            expected: [.refusalIgnored(step: 1)]),
        Stack(text: "\(line)\nauth required pam_permit.so\n", expected: [.noPassword]),
        Stack(text: "\(line)\nauth requisite pam_unix.so\n", expected: [.noPassword]),
        Stack(text: "auth requisite pam_unix.so\n\(line)\nauth requisite pam_deny.so\n", expected: [.nobodyGetsIn]),
        Stack(text: "auth requisite pam_unix.so\n\(line)\n\(line)\n", expected: [.twice(step: 2)]),
        Stack(text: "@include common-auth\n", expected: [.absent]),
        Stack(
            text: "auth requisite pam_unix.so\nauth [success=1 default=ignore] pam_listfile.so\n\(line)\n"
                + "auth required pam_permit.so\n", expected: [.skipped(step: 1)]),
    ])
    func findsWhatIsWrong(_ stack: Stack) throws {
        let found = try PAMFixture.only(stack.text).stack("x").findings
        #expect(found == stack.expected)
    }
}

extension String {
    /// With the first occurrence of a text replaced; the test's data must have it.
    func replacingFirst(_ old: String, _ new: String) -> String {
        guard let range = firstRange(of: old) else { return "missing: \(old)" }
        return String(self[..<range.lowerBound]) + new + String(self[range.upperBound...])
    }
}

@Suite struct UnifiedDiffTests {
    static func lines(_ text: String) throws -> [[UInt8]] { try PAMFile(path: "f", Array(text.utf8)).lines }

    @Test func showsWhatWasPutInWithThreeLinesAround() throws {
        let edit = try PAMFixture.debian.enabling("sudo")
        let shown = UnifiedDiff.lines(path: "/etc/pam.d/sudo", edit.old.lines, edit.new.lines)
        #expect(
            shown == [
                "--- /etc/pam.d/sudo", "+++ /etc/pam.d/sudo (changed)", "@@ -4,5 +4,6 @@",
                " session    required   pam_limits.so", " ", " @include common-auth",
                "+auth\trequired\tpam_secondlook.so factor=face", " @include common-account",
                " @include common-session-noninteractive",
            ])
    }

    @Test func showsChangesThatAreFarApartSeparately() throws {
        let old = try Self.lines((1...20).map { "#\($0)\n" }.joined())
        var new = old
        new[1] = Array("#a\n".utf8)
        new.remove(at: 17)
        let shown = UnifiedDiff.lines(path: "f", old, new)
        #expect(shown.filter { $0.hasPrefix("@@") } == ["@@ -1,5 +1,5 @@", "@@ -15,6 +15,5 @@"])
        #expect(shown.filter { $0.hasPrefix("-#") } == ["-#2", "-#18"])
        #expect(shown.filter { $0.hasPrefix("+#") } == ["+#a"])
    }

    @Test func showsThatALineHasNoEnd() throws {
        let shown = UnifiedDiff.lines(path: "f", try Self.lines("#a"), try Self.lines("#a\n#b"))
        #expect(
            shown.dropFirst(3) == ["-#a", "\\ No newline at end of file", "+#a", "+#b", "\\ No newline at end of file"])
        #expect(UnifiedDiff.lines(path: "f", try Self.lines("#a"), try Self.lines("#a")).isEmpty)
    }

    @Test func letsNoControlCharacterThrough() throws {
        let shown = UnifiedDiff.lines(path: "f", [], try Self.lines("#\u{1B}[2J\n"))
        #expect(shown.last == "+#?[2J")
    }
}
