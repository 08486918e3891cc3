// SPDX-License-Identifier: Apache-2.0
// Every call of libc and libpam that the module makes in a login that would succeed fails once, in the caller and in the process between
// fork and exec. The outcome is never success and never PAM_IGNORE, and the caller is left with nothing that was not its own.

import Foundation
import Testing
import Wire

extension ModuleTests {
    @Suite struct FailureTests {
        struct Case: Sendable, CustomTestStringConvertible {
            let name: String
            let side: String
            let call: Call
            /// Functions that this course is known to call, so that an empty run cannot pass.
            let names: Set<String>

            var testDescription: String { "\(name), \(side)" }
        }

        private static let course: [Step] =
            Step.untilSecret + [
                .say(.notice(isError: false, text: "Look")), .say(.prompt(echo: true, text: "Code")), .read,
            ]
            + Step.verdict(0x41)
        private static let answers = ["answer=geheim", "answer=1234"]
        private static let jump = "[ignore=1 success=ok default=die]"

        private static func call(_ options: [String], conf: Bool = true, service: Int? = nil) -> Call {
            // If PAM_IGNORE came out, the jump would end in success.
            Call(
                module: "failing", control: jump, usesConf: conf, script: course, options: answers + options,
                after: ["optional TOKEN code=0"], service: service)
        }

        static let cases = [
            Case(
                name: "started", side: "parent", call: call(["closed=1", "children=reap"]),
                names: [
                    "_Fork", "socketpair", "sigaction", "waitid", "recv", "send", "ppoll", "pam_get_authtok", "close",
                ]
            ),
            Case(
                name: "started", side: "child", call: call([]),
                names: ["setsid", "syscall", "dup2", "open", "chdir", "setrlimit", "sigaction", "sigprocmask"]),
            Case(
                name: "service", side: "parent", call: call(["no-new-privileges"], conf: false, service: 0),
                names: ["socket", "connect", "getsockopt", "prctl"]),
        ]

        @Test(arguments: cases)
        func neverLetsAnybodyIn(_ test: Case) throws {
            var failed: [String] = []
            // Without a failure the same course succeeds.
            #expect(try test.call.run().code == .success)
            while failed.count < 1000 {
                let log = NSTemporaryDirectory() + "secondlook-failures-\(UUID().uuidString)"
                defer { try? FileManager.default.removeItem(atPath: log) }
                var call = test.call
                call.environment = [
                    "SECONDLOOK_FAIL": "\(test.side):\(failed.count + 1)", "SECONDLOOK_FAIL_LOG": log,
                ]
                let report = try call.run()
                guard let name = try? String(contentsOfFile: log, encoding: .utf8) else { break }
                let what = Comment(rawValue: "call \(failed.count + 1): \(name)")
                failed.append(name.trimmingCharacters(in: .newlines))
                #expect(report.exit == 0, what)
                #expect(report.number("code") != nil, what)
                #expect(report.code != .success, what)
                #expect(report.all("left").isEmpty, what)
            }
            #expect(Set(failed).isSuperset(of: test.names))
            #expect(failed.count > 20)
        }
    }
}
