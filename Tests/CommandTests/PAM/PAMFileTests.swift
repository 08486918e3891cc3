// SPDX-License-Identifier: Apache-2.0
// Files are read as libpam reads them and written back byte for byte.

import Testing

@testable import secondlook

@Suite struct PAMFileTests {
    static func file(_ text: String) throws -> PAMFile { try PAMFile(path: "f", Array(text.utf8)) }

    static func rules(_ text: String) throws -> [PAMRule] {
        try file(text).statements.compactMap { if case .rule(let rule) = $0.meaning { rule } else { nil } }
    }

    @Test(arguments: PAMFixture.debian.files.keys.sorted())
    func writesBackWhatItRead(_ name: String) throws {
        let text = PAMFixture.debian.files[name, default: ""]
        #expect(try Self.file(text).bytes == Array(text.utf8))
    }

    @Test func readsTypesControlsModulesAndArguments() throws {
        let rule = try #require(try Self.rules("auth\trequired /lib/security/pam_x.so a=b [c d] # e\n").first)
        #expect(rule.type == "auth")
        #expect(!rule.isSilent)
        #expect(rule.control.text == "required")
        #expect(rule.module == "/lib/security/pam_x.so")
        #expect(rule.name == "pam_x")
        #expect(rule.arguments == ["a=b", "[c d]"])
    }

    @Test func readsTheDashOfAModuleThatMayBeMissing() throws {
        let rule = try #require(try Self.rules("-auth optional pam_gnome_keyring.so\n").first)
        #expect(rule.type == "auth")
        #expect(rule.isSilent)
    }

    @Test func joinsLinesThatEndInABackslash() throws {
        let text = "auth \\\n  required \\  \n# a comment in between\n\n pam_x.so a\n"
        let file = try Self.file(text)
        #expect(file.statements.count == 1)
        #expect(file.statements[0].lines == 0...4)
        #expect(try Self.rules(text).first?.arguments == ["a"])
        #expect(file.bytes == Array(text.utf8))
    }

    @Test func endsALineAtItsCommentEvenBeforeABackslash() throws {
        let rules = try Self.rules("auth required pam_x.so # more \\\nauth required pam_y.so\n")
        #expect(rules.map(\.name) == ["pam_x", "pam_y"])
    }

    @Test func takesABracketWithAnEscapedBracketAsOneWord() throws {
        let rule = try #require(try Self.rules("auth required pam_x.so [a \\] b] c\n").first)
        #expect(rule.arguments == ["[a \\] b]", "c"])
    }

    @Test func readsIncludesOfAllThreeKinds() throws {
        let file = try Self.file("@include a\nauth include b\nauth substack c\n")
        let expected: [PAMFile.Meaning] = [
            .includeAll("a"), .include(type: "auth", file: "b"), .substack(type: "auth", file: "c"),
        ]
        #expect(file.statements.map(\.meaning) == expected)
    }

    @Test(arguments: [
        ("auth required\n", 1), ("nonsense required pam_x.so\n", 1), ("#\n\nauth maybe pam_x.so\n", 3),
        ("auth [success=1 pam_x.so\n", 1), ("auth required pam_x.so \\", 1), ("@include\n", 1),
        ("auth required pam_x.so\r\n", 1), ("auth required pam_x.so\n\nauth required pam\u{0}.so\n", 3),
        ("auth [success=x] pam_x.so\n", 1), ("auth [what=ok] pam_x.so\n", 1),
    ])
    func namesTheLineItDoesNotUnderstand(_ text: String, _ number: Int) {
        do {
            _ = try Self.file(text)
            Issue.record("was read")
        } catch PAMError.line(let file, let line, _) {
            #expect(file == "f")
            #expect(line == number)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func correctsANumberAndNothingElseOfALine() throws {
        let file = try Self.file("# x\nauth\t[ success=2  default=ignore ]\tpam_x.so success=2 # success=2\n")
        let control = try #require(file.rule(0)?.control)
        let changed = try file.replacingControl(of: 0, by: control.changingJumps { $0 + 8 })
        #expect(
            text(changed) == "# x\nauth\t[ success=10  default=ignore ]\tpam_x.so success=2 # success=2\n")
    }

    @Test(arguments: ["auth required a.so\nauth required b.so", "auth required a.so\nauth required b.so\n"])
    func takesOutExactlyWhatItPutIn(_ before: String) throws {
        let file = try Self.file(before)
        for line in 0...2 {
            let with = try file.inserting("auth required c.so", beforeLine: line)
            #expect(with.statements.count == 3)
            let index = try #require(with.statements.indices.first { with.rule($0)?.name == "c" })
            #expect(try text(with.removing(index)) == before)
        }
    }
}

@Suite struct PAMControlTests {
    @Test(arguments: [
        ("required", PAMResult.authError, PAMAction.bad), ("required", .ignore, .ignore),
        ("requisite", .authError, .die),
        ("sufficient", .success, .done), ("sufficient", .authError, .ignore), ("optional", .success, .ok),
        ("optional", .authError, .ignore), ("REQUIRED", .newTokenRequired, .ok),
        ("[success=1 default=ignore]", .success, .jump(1)), ("[success=1 default=ignore]", .authError, .ignore),
        ("[default=die success=ok]", .success, .ok), ("[success=ok]", .authError, .bad),
        ("[user_unknown = reset default=done]", .userUnknown, .reset),
    ])
    func says(_ control: String, _ result: PAMResult, _ action: PAMAction) throws {
        #expect(try #require(PAMControl(control)).action(for: result) == action)
    }

    @Test(arguments: [
        "", "needed", "[]", "[ ]", "[success]", "[success=]", "[success=0]", "[success=-1]", "[=ok]", "[success=ok",
    ])
    func refuses(_ control: String) {
        #expect(PAMControl(control) == nil)
    }
}
