// SPDX-License-Identifier: Apache-2.0
// Memory: a build with the address and undefined-behaviour sanitizers goes through every course, and valgrind through those it can
// follow (before 3.20 it does not know pidfd_open, so there only the service's way ends well).

import Foundation
import Testing
import Wire

extension ModuleTests {
    @Suite struct MemoryTests {
        struct Course: Sendable, CustomTestStringConvertible {
            let name: String
            let script: [Step]
            let options: [String]
            let code: Code

            init(_ name: String, _ script: [Step], _ options: [String], _ code: Code) {
                self.name = name
                self.script = script
                self.options = options
                self.code = code
            }

            var testDescription: String { name }
        }

        private static let talkative: [Step] =
            Step.untilSecret + [
                .say(.notice(isError: true, text: String(repeating: "n", count: 512))),
                .say(.prompt(echo: true, text: String(repeating: "p", count: 256))), .read,
            ] + Step.verdict(0x41)

        static let courses: [Course] = [
            Course("accepted", talkative, [], .success),
            Course("refused", Step.untilSecret + Step.verdict(0x52), [], .authError),
            Course("garbage", Step.untilSecret + [.raw([UInt8](repeating: 0x81, count: 4096))], [], .systemError),
            Course(
                "largest-message", Step.untilSecret + [.raw([1, 0x82, 2, 3]), .raw([0], times: 600)], [], .systemError),
            Course("half-a-verdict", Step.untilSecret + [.raw([1, 0x84, 0, 1]), .exit(65)], [], .systemError),
            Course("no-answer", [.read, .ready, .read, .wait, .exit(78)], ["conversation=fail"], .conversationError),
            Course("null-answer", [.read, .ready, .read, .wait, .exit(78)], ["conversation=null"], .conversationError),
        ]
        private static let answers = ["answer=geheim", "answer=1234"]

        @Test(arguments: courses)
        func theSanitizersFindNothing(
            _ row: Course
        ) throws {
            let options = Self.answers + row.options
            let report = try Call(
                module: "sanitized", arguments: ["timeout=5"], script: row.script, options: options,
                environment: ["ASAN_OPTIONS": "exitcode=99", "UBSAN_OPTIONS": "halt_on_error=1"]
            ).run()
            report.expectUntouchedCaller()
            #expect(report.code == row.code)
        }

        static let hasValgrind = (try? Rig.output("valgrind", "--version")) != nil

        private static let valgrind = [
            "valgrind", "-q", "--vgdb=no", "--error-exitcode=99", "--leak-check=full",
            "--errors-for-leak-kinds=definite,indirect,possible",
        ]

        @Test(.enabled(if: hasValgrind, "valgrind is not installed"), arguments: courses)
        func valgrindFindsNothing(
            _ row: Course
        ) throws {
            let options = Self.answers + row.options + ["uid=65534"]
            let report = try Call(
                arguments: ["timeout=5"], usesConf: false, script: row.script, options: options, under: Self.valgrind,
                service: 0
            ).run()
            report.expectUntouchedCaller()
            #expect(report.code == row.code)
        }

        @Test(.enabled(if: hasValgrind, "valgrind is not installed"))
        func valgrindFindsNothingWhereAHelperIsStarted() throws {
            let report = try Call(arguments: ["timeout=5"], under: Self.valgrind).run()
            #expect(report.exit == 0)
            #expect(report.code == .success || report.code == .systemError)
            #expect(report.all("left").isEmpty)
        }
    }
}
