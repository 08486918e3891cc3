// SPDX-License-Identifier: Apache-2.0
// The man page against the source: every option, every return code, the range of the timeout.

import Foundation
import Testing

@Suite struct ManualTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: Rig.package + "/" + path, encoding: .utf8)
    }

    @Test func namesEveryOptionAndNoOther() throws {
        let source = try text("pam/arguments.c")
        let compared = source.matches(of: /strcmp\(word, "([a-z_]+)"\)|value_of\(word, "([a-z_]+)"\)/)
        let options = Set(compared.compactMap { $0.output.1 ?? $0.output.2 }.map(String.init))
        #expect(options.count == 6)
        let manual = try text("docs/man/pam_secondlook.8")
        let named = Set(manual.matches(of: /\n\.Op Cm ([a-z_]+)/).map { String($0.output.1) })
        let explained = Set(manual.matches(of: /\n\.It Cm ([a-z_]+)/).map { String($0.output.1) })
        #expect(named == options)
        #expect(explained == options)
    }

    @Test func namesEveryReturnCodeAndNoOther() throws {
        let sources = try text("pam/pam_secondlook.c") + text("pam/conversation.c")
        let returned = Set(sources.matches(of: /(?:return|code =|\?|:) (PAM_[A-Z_]+)/).map { String($0.output.1) })
            .subtracting(["PAM_PROMPT_ECHO_ON", "PAM_PROMPT_ECHO_OFF"])
        let manual = try text("docs/man/pam_secondlook.8")
        let explained = Set(manual.matches(of: /\n\.It Dv (PAM_[A-Z_]+)/).map { String($0.output.1) })
        #expect(returned.count == 10)
        #expect(explained == returned)
    }

    @Test func namesTheTimeoutsRange() throws {
        let source = try text("pam/arguments.c")
        let manual = try text("docs/man/pam_secondlook.8")
        #expect(source.contains("#define SECONDLOOK_TIMEOUT_LEAST 5\n"))
        #expect(source.contains("TIMEOUT_MOST = 300, TIMEOUT_USUAL = 30"))
        #expect(manual.contains("5 to 300 seconds; 30 when not given"))
    }
}
