// SPDX-License-Identifier: Apache-2.0
// The module's options: what is not understood is named in the log and refused before any helper is started.

import Testing
import Wire

extension ModuleTests {
    @Suite struct ArgumentsTests {
        static let wrong = [
            "unknown", "nullok", "Debug", "debug=1", "debugging", "factor", "factor=", "factor=none", "factor=Both",
            "factor=face,both", "conf", "conf=", "conf=relative", "timeout", "timeout=", "timeout=0", "timeout=301",
            "timeout=-5", "timeout=+5", "timeout=5s", "timeout=0x10", "timeout=99999999999", "timeout=5.0",
            "use_first_pas", "try_first_pass=1", "--conf", "=",
        ]

        @Test(arguments: wrong)
        func refusesAndNames(_ word: String) throws {
            let report = try Call(arguments: ["timeout=1", word], options: ["answer=geheim", "log"]).run()
            report.expectUntouchedCaller(printsNothing: false)
            #expect(report.code == .systemError)
            #expect(report.printed.contains("option '\(word)' is unknown or out of range"))
            #expect(report.seen.isEmpty)
            #expect(report.said.isEmpty)
        }

        @Test func namesEveryWrongWord() throws {
            let report = try Call(arguments: ["one", "debug", "two"], options: ["log"]).run()
            #expect(report.printed.contains("'one'") && report.printed.contains("'two'"))
            #expect(!report.printed.contains("'debug'"))
        }

        static let right: [(words: [String], begin: BeginRequest)] = [
            ([], BeginRequest(deadline: 30_000, user: "anna", service: "test")),
            (["factor=both", "timeout=300"], BeginRequest(deadline: 300_000, user: "anna", service: "test")),
            (["timeout=005"], BeginRequest(deadline: 5_000, user: "anna", service: "test")),
            (["debug"], BeginRequest(debug: true, deadline: 30_000, user: "anna", service: "test")),
            (["factor=face", "factor=both"], BeginRequest(deadline: 30_000, user: "anna", service: "test")),
        ]

        @Test(arguments: right)
        func understands(_ row: (words: [String], begin: BeginRequest)) throws {
            let report = try Call(arguments: row.words).run()
            #expect(report.code == .success)
            #expect(report.begin == row.begin)
        }

        @Test func startsTheHelperWithoutConfWhenNoneIsNamed() throws {
            // The scripted helper exits with 2 when it has no script.
            let report = try Call(usesConf: false, options: ["answer=geheim", "log"]).run()
            #expect(report.code == .systemError)
            #expect(report.printed.contains("it ended without a verdict"))
            #expect(report.printed.contains("the helper ended by exit 2"))
        }
    }
}
