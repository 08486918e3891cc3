// SPDX-License-Identifier: Apache-2.0
// The dispatcher's rules against libpam itself: random stacks of pam_debug.so, whose answers are its arguments.

import Platform
import TestSupport
import Testing

@testable import secondlook

@Suite struct PAMStackTests {
    static let folder = SystemPAM().moduleFolder ?? ""
    static let hasDebug = SafeFile.existsFollowing(folder + "/pam_debug.so")

    @Test func goesThroughIncludesInOrder() throws {
        let stack = try PAMFixture.debian.stack("login")
        #expect(
            stack.steps.map { $0.rule?.name ?? "-" } == [
                "pam_faildelay", "pam_nologin", "pam_unix", "pam_deny", "pam_permit", "pam_cap", "pam_group",
            ])
        #expect(stack.steps.map(\.file).filter { $0 == "common-auth" }.count == 4)
    }

    @Test func refusesCirclesAndWhatIsMissing() {
        let circle = PAMFixture(files: ["a": "@include b\n", "b": "@include a\n"])
        #expect(throws: PAMError.self) { try circle.stack("a") }
        #expect(throws: PAMError.missing(file: "gone", includedBy: "/etc/pam.d/a")) {
            try PAMFixture(files: ["a": "@include gone\n"]).stack("a")
        }
    }

    @Test func countsASubstackAsOneWhenItJumps() throws {
        let fixture = PAMFixture(files: [
            "a": "auth [success=1] pam_a.so\nauth substack b\nauth required pam_d.so\n",
            "b": "auth required pam_b.so\nauth [success=1] pam_c.so\n",
        ])
        let stack = try fixture.stack("a")
        #expect(stack.landing(from: 0, count: 1) == 4)
        #expect(stack.landing(from: 3, count: 1) == nil)
    }

    /// One random line; the answer of its module is in its argument.
    static func line(_ chance: inout SeededGenerator, _ results: [PAMResult]) -> String {
        let controls = ["required", "requisite", "sufficient", "optional"]
        let actions = ["ok", "done", "bad", "die", "ignore", "reset", "1", "2", "3"]
        let result = results.randomElement(using: &chance) ?? .success
        var control = controls.randomElement(using: &chance) ?? "required"
        if Bool.random(using: &chance) {
            let name = (Bool.random(using: &chance) ? result : PAMResult.success).rawValue
            let first = actions.randomElement(using: &chance) ?? "ok"
            let rest = actions.randomElement(using: &chance) ?? "ok"
            control = "[\(name)=\(first)\(Bool.random(using: &chance) ? " default=\(rest)" : "")]"
        }
        return "auth \(control) pam_debug.so auth=\(result.rawValue)\n"
    }

    @Test(.enabled(if: hasDebug, "this machine has no pam_debug.so"))
    func endsAsLibpamDoes() throws {
        var chance = SeededGenerator(seed: 2026)
        let results: [PAMResult] = [.success, .success, .authError, .ignore, .userUnknown, .newTokenRequired]
        let place = TemporaryFolder()
        var successes = 0
        for _ in 0..<400 {
            // libpam takes what a file includes from /etc/pam.d, whatever folder the file is in, unless its whole path is given.
            let inner = place.path + "/inner"
            var files = ["other": "auth required pam_deny.so\n", inner: "", "x": ""]
            for _ in 0..<Int.random(in: 1...3, using: &chance) {
                files[inner, default: ""] += Self.line(&chance, results)
            }
            for _ in 0..<Int.random(in: 1...5, using: &chance) {
                switch Int.random(in: 0..<6, using: &chance) {
                case 0: files["x", default: ""] += "auth substack \(inner)\n"
                case 1: files["x", default: ""] += "@include \(inner)\n"
                default: files["x", default: ""] += Self.line(&chance, results)
                }
            }
            for (name, text) in files { place.write(name == inner ? "inner" : name, text: text) }
            let stack = try PAMFixture(files: files).stack("x")
            let end = stack.run { step in
                let word = stack.steps[step].rule?.arguments.first?.split(separator: "=").last.map(String.init)
                return word.flatMap(PAMResult.init(rawValue:)) ?? .success
            }
            let answer = try #require(
                SystemPAM().authenticate(
                    service: "x", user: "nobody", folder: place.path, password: "", seconds: 20))
            #expect(end.isSuccess == (answer.code == 0), "\(files)")
            successes += end.isSuccess ? 1 : 0
        }
        // A test that never sees one of the two ends would prove nothing.
        #expect((40...360).contains(successes))
    }
}
