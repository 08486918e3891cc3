// SPDX-License-Identifier: Apache-2.0
// Which verdicts are believed, and what each becomes. Everything that is not exactly right is a fault.

import Testing
import Wire

extension ModuleTests {
    @Suite struct VerdictTests {
        static let table: [(name: String, byte: UInt8, code: Code)] = [
            ("accepted", 0x41, .success), ("refused", 0x52, .authError), ("not-judged", 0x4E, .authInfoUnavailable),
            ("locked", 0x4C, .maxTries), ("unknown-user", 0x55, .userUnknown), ("fault", 0x46, .systemError),
        ]

        @Test(arguments: table)
        func becomesTheCodeOfTheTable(_ row: (name: String, byte: UInt8, code: Code)) throws {
            let report = try Call(script: Step.untilSecret + Step.verdict(row.byte)).run()
            report.expectUntouchedCaller()
            #expect(report.code == row.code)
        }

        @Test(arguments: table.dropFirst())
        func isHeardBeforeThePasswordIsAskedFor(_ row: (name: String, byte: UInt8, code: Code)) throws {
            let report = try Call(script: [.read] + Step.verdict(row.byte)).run()
            report.expectUntouchedCaller()
            #expect(report.code == row.code)
            #expect(report.said.isEmpty)
        }

        @Test func isExplainedBeforeThePasswordIsAskedFor() throws {
            let script = [.read, Step.say(.notice(isError: true, text: "Locked"))] + Step.verdict(0x4C)
            let report = try Call(script: script).run()
            report.expectUntouchedCaller()
            #expect(report.code == .maxTries)
            #expect(report.said == ["3 Locked"])
        }

        /// PAM_IGNORE jumps to a module that succeeds; every other code ends in another way.
        private static let skipping = (
            control: "[ignore=1 success=ok default=die]", after: ["required TOKEN code=4", "required TOKEN code=0"]
        )

        @Test func skippedIsPamIgnore() throws {
            let script = Step.untilSecret + Step.verdict(0x49)
            let report = try Call(control: Self.skipping.control, script: script, after: Self.skipping.after).run()
            report.expectUntouchedCaller()
            #expect(report.code == .success)
        }

        @Test func nobodyIsSkippedBeforeThePasswordWasHeard() throws {
            let script = [Step.read] + Step.verdict(0x49)
            let report = try Call(control: Self.skipping.control, script: script, after: Self.skipping.after).run()
            #expect(report.code == .systemError)
        }

        @Test(arguments: table)
        func nothingElseIsPamIgnore(_ row: (name: String, byte: UInt8, code: Code)) throws {
            let script = Step.untilSecret + Step.verdict(row.byte)
            let report = try Call(control: Self.skipping.control, script: script, after: Self.skipping.after).run()
            #expect(report.code == (row.code == .success ? .systemError : row.code))
        }

        static let disagreements: [(name: String, end: [Step])] = [
            ("success-then-exit-0", [.say(.verdict(0x41)), .exit(0)]),
            ("success-then-exit-1", [.say(.verdict(0x41)), .exit(1)]),
            ("success-then-exit-of-refusal", [.say(.verdict(0x41)), .exit(82)]),
            ("success-then-exit-of-skip", [.say(.verdict(0x41)), .exit(73)]),
            ("success-then-signal-9", [.say(.verdict(0x41)), .signal(9)]),
            ("success-then-signal-11", [.say(.verdict(0x41)), .signal(11)]),
            ("success-then-stop", [.say(.verdict(0x41)), .stop]),
            ("success-then-no-end", [.say(.verdict(0x41))]),
            ("success-and-closed-then-no-end", [.say(.verdict(0x41)), .close]),
            ("success-and-closed-then-stop", [.say(.verdict(0x41)), .close, .stop]),
            ("success-twice", [.say(.verdict(0x41)), .say(.verdict(0x41)), .exit(65)]),
            ("success-then-a-byte", [.say(.verdict(0x41)), .raw([1]), .exit(65)]),
            ("success-then-a-late-byte", [.say(.verdict(0x41)), .sleep(100), .raw([1]), .exit(65)]),
            ("refusal-then-success", [.say(.verdict(0x52)), .say(.verdict(0x41)), .exit(65)]),
            ("refusal-then-exit-0", [.say(.verdict(0x52)), .exit(0)]),
            ("refusal-then-exit-of-success", [.say(.verdict(0x52)), .exit(65)]),
            ("skip-then-exit-of-success", [.say(.verdict(0x49)), .exit(65)]),
            ("skip-then-exit-0", [.say(.verdict(0x49)), .exit(0)]),
            ("exit-of-success-without-a-word", [.exit(65)]),
            ("exit-of-skip-without-a-word", [.exit(73)]),
            ("exit-0-without-a-word", [.exit(0)]),
            ("unknown-verdict-0", [.raw([1, 0x84, 0, 1, 0]), .exit(0)]),
            ("unknown-verdict-lower-case", [.raw([1, 0x84, 0, 1, 0x61]), .exit(0x61)]),
            ("verdict-of-another-version", [.raw([2, 0x84, 0, 1, 0x41]), .exit(65)]),
            ("verdict-without-its-byte", [.raw([1, 0x84, 0, 0]), .exit(65)]),
            ("verdict-of-two-bytes", [.raw([1, 0x84, 0, 2, 0x41, 0x41]), .exit(65)]),
            ("half-a-verdict-1", [.raw([1]), .exit(65)]), ("half-a-verdict-2", [.raw([1, 0x84]), .exit(65)]),
            ("half-a-verdict-3", [.raw([1, 0x84, 0]), .exit(65)]),
            ("half-a-verdict-4", [.raw([1, 0x84, 0, 1]), .exit(65)]),
            ("half-a-verdict-and-no-end", [.raw([1, 0x84, 0, 1])]),
            ("killed", [.signal(9)]), ("crashed", [.signal(11)]), ("interrupted", [.signal(2)]), ("stopped", [.stop]),
            ("hangs", []), ("closes-and-hangs", [.close]),
            ("flood-of-one-byte", [.raw([0xFF], times: 1_000_000)]),
            ("flood-of-zeros", [.raw([UInt8](repeating: 0, count: 65_536), times: 1000)]),
            ("flood-of-versions", [.raw([UInt8](repeating: 1, count: 65_536), times: 1000)]),
            ("flood-of-notices", [.raw(HelperMessage.notice(isError: false, text: "x").frame.bytes, times: 1_000_000)]),
            ("flood-of-verdicts", [.raw([1, 0x84, 0, 1, 0x41], times: 1_000_000)]),
            ("flood-of-prompts", [.raw(HelperMessage.prompt(echo: true, text: "x").frame.bytes, times: 100_000)]),
        ]

        @Test(arguments: disagreements)
        func isRefusedWhenAnythingIsWrong(_ row: (name: String, end: [Step])) throws {
            let answers = [String](repeating: "answer=x", count: 12)
            try Call(script: Step.untilSecret + row.end, options: answers).run().expectFault()
        }

        static let outOfOrder: [(name: String, arguments: [String], script: [Step])] = [
            ("success-before-ready", [], [.read] + Step.verdict(0x41)),
            ("success-before-begin", [], Step.verdict(0x41)),
            ("ready-twice", [], [.read, .ready, .read, .ready] + Step.verdict(0x41)),
            ("ready-without-secret-for-both", [], [.read, .readyForFace] + Step.verdict(0x41)),
            ("ready-with-secret-for-face", ["factor=face"], [.read, .ready] + Step.verdict(0x41)),
            ("success-before-ready-for-face", ["factor=face"], [.read] + Step.verdict(0x41)),
            ("prompt-before-ready", [], [.read, .say(.prompt(echo: false, text: "x"))] + Step.verdict(0x41)),
            ("a-request-as-reply", [], [.read, .raw(ModuleMessage.cancel.frame.bytes)] + Step.verdict(0x41)),
            ("ready-with-flag-2", [], [.read, .raw([1, 0x81, 0, 3, 2, 0, 0])] + Step.verdict(0x41)),
            ("ready-too-long", [], [.read, .raw([1, 0x81, 2, 0])] + Step.verdict(0x41)),
        ]

        @Test(arguments: outOfOrder)
        func isRefusedOutOfOrder(_ row: (name: String, arguments: [String], script: [Step])) throws {
            try Call(arguments: ["timeout=1"] + row.arguments, script: row.script).run().expectFault()
        }

        static let early: [(name: String, script: [Step])] = [
            ("exits-at-once", [.exit(1)]), ("killed-at-once", [.signal(9)]), ("stops-at-once", [.stop]), ("hangs", []),
            ("stops-after-begin", [.read, .stop]), ("dies-while-the-person-types", [.read, .ready, .signal(9)]),
            ("stops-while-the-person-types", [.read, .ready, .stop]),
            ("leaves-without-reading", [.ready, .exit(82)]),
            ("success-while-the-person-types", [.read, .ready] + Step.verdict(0x41)),
        ]

        @Test(arguments: early)
        func isRefusedWhenTheHelperLeavesEarly(_ row: (name: String, script: [Step])) throws {
            let report = try Call(script: row.script, options: ["answer=geheim", "delay=50"]).run()
            report.expectUntouchedCaller()
            #expect(report.code != .success)
            #expect(report.milliseconds <= 1250)
        }

        @Test func theTimeThePersonTakesIsNotCounted() throws {
            let report = try Call(options: ["answer=geheim", "delay=1500"]).run()
            report.expectUntouchedCaller()
            #expect(report.code == .success)
            #expect(report.milliseconds >= 1500)
        }

        @Test func aSlowVerdictWithinTheDeadlineIsHeard() throws {
            let script = Step.untilSecret + [.sleep(600)] + Step.verdict(0x52)
            #expect(try Call(script: script).run().code == .authError)
        }

        @Test func aVerdictInSingleBytesIsHeard() throws {
            let bytes = HelperMessage.verdict(0x41).frame.bytes
            let slow = bytes.flatMap { [Step.raw([$0]), .sleep(5)] }
            #expect(try Call(script: Step.untilSecret + slow + [.exit(65)]).run().code == .success)
        }
    }
}
