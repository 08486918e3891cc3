// SPDX-License-Identifier: Apache-2.0
// Callers that have closed, ignored, limited or lost what programs usually have. A good verdict gets through, a bad one never turns good,
// and the caller is afterwards as it was.

import Testing
import Wire

extension ModuleTests {
    @Suite struct CallerTests {
        static let surroundings: [(name: String, options: [String])] = [
            ("plain", []), ("closed-0", ["closed=0"]), ("closed-1", ["closed=1"]), ("closed-2", ["closed=2"]),
            ("closed-0-and-1", ["closed=01"]), ("closed-1-and-2", ["closed=12"]), ("closed-all", ["closed=012"]),
            ("children-ignored", ["children=ignore"]), ("children-not-waited-for", ["children=no-wait"]),
            ("children-reaped-by-a-handler", ["children=reap"]), ("children-waited-for", ["children=wait"]),
            ("storm-1000-us", ["storm=1000"]), ("storm-100-us", ["storm=100"]),
            ("tiny-limit", ["nofile=8"]), ("tiny-limit-closed-all", ["nofile=8", "closed=012"]),
            ("lost-directory", ["lost-directory"]), ("hostile-environment", ["environment"]), ("umask-0", ["umask=0"]),
            ("silent", ["silent"]), ("no-new-privileges", ["no-new-privileges"]), ("private-dev", ["private-dev"]),
            (
                "everything",
                ["closed=012", "children=reap", "storm=500", "lost-directory", "environment", "umask=0", "private-dev"]
            ),
        ]

        @Test(arguments: surroundings)
        func hearsGoodAndBadAlike(_ row: (name: String, options: [String])) throws {
            let options = ["answer=geheim"] + row.options
            let good = try Call(options: options).run()
            good.expectUntouchedCaller()
            #expect(good.code == .success)
            let bad = try Call(script: Step.untilSecret + Step.verdict(0x52), options: options).run()
            bad.expectUntouchedCaller()
            #expect(bad.code == .authError)
        }

        @Test(arguments: surroundings)
        func refusesAHelperThatLies(_ row: (name: String, options: [String])) throws {
            let script = Step.untilSecret + [.say(.verdict(0x41)), .exit(1)]
            try Call(script: script, options: ["answer=geheim"] + row.options).run().expectFault()
        }

        static let difficult = surroundings.filter { row in
            ["closed-all", "children-ignored", "children-reaped-by-a-handler", "children-waited-for", "everything"]
                .contains(
                    row.name)
        }

        @Test(arguments: difficult)
        func endsAHelperThatHangs(_ row: (name: String, options: [String])) throws {
            try Call(script: Step.untilSecret + [.stop], options: ["answer=geheim"] + row.options).run().expectFault()
        }

        @Test(arguments: ["default", "ignore", "no-wait", "reap", "wait"])
        func keepsTheExitStatusWhileANoticeIsShown(_ children: String) throws {
            let notice = Step.say(.notice(isError: false, text: "Look"))
            let script = Step.untilSecret + [notice, .sleep(30), notice] + Step.verdict(0x41)
            let report = try Call(script: script, options: ["answer=geheim", "children=\(children)"]).run()
            report.expectUntouchedCaller()
            #expect(report.code == .success)
            #expect(report.number("handled") == 0)
        }

        static let bystanders: [(children: String, status: String, handled: Int)] = [
            ("default", "7", 0), ("reap", "gone", 1), ("wait", "gone", 1), ("ignore", "7", 0),
        ]

        /// A child of the caller ends while the module waits for its helper: the module must leave it alone, and the caller's handler
        /// must hear of it all the same. (Where children are ignored it waits for its parent, since the module had to stop that.)
        @Test(arguments: bystanders)
        func leavesTheCallersChildrenAlone(_ row: (children: String, status: String, handled: Int)) throws {
            let script = Step.untilSecret + [.sleep(300)] + Step.verdict(0x41)
            let options = ["answer=geheim", "children=\(row.children)", "bystander=100"]
            let report = try Call(script: script, options: options).run()
            report.expectUntouchedCaller()
            #expect(report.code == .success)
            #expect(report.all("bystander") == [row.status])
            #expect(report.number("handled") == row.handled)
            #expect(report.number("reaped") == row.handled)
        }

        @Test(arguments: ["default", "reap"])
        func waitsForNoLivingChildOfTheCaller(_ children: String) throws {
            let options = ["answer=geheim", "children=\(children)", "bystander=700"]
            let report = try Call(options: options).run()
            report.expectUntouchedCaller()
            #expect(report.code == .success)
            #expect(report.milliseconds < 600)
        }

        /// The caller has a thread that waits for any child, so the exit status may be lost: then it is a refusal, and never a hang.
        @Test func losesTheHelperToAThreadAndRefuses() throws {
            var lost = 0
            // Which of the two gets there first is the kernel's choice: on some days the thread needs more than twenty tries.
            for tried in 0..<400 where tried < 20 || lost == 0 {
                let report = try Call(options: ["answer=geheim", "waiting-thread"]).run()
                report.expectUntouchedCaller()
                #expect(report.code == .success || report.code == .systemError)
                if report.code == .systemError { lost += 1 }
                #expect(report.milliseconds < 1000)
            }
            #expect(lost > 0)
            for end in [[.say(.verdict(0x41)), .exit(1)], [.say(.verdict(0x41)), .signal(9)], [.stop]] as [[Step]] {
                try Call(script: Step.untilSecret + end, options: ["answer=geheim", "waiting-thread"]).run()
                    .expectFault()
            }
        }

        @Test func leaksNothingInFiftyCalls() throws {
            let report = try Call(options: ["answer=geheim", "repeat=50"]).run()
            report.expectUntouchedCaller()
            #expect(report.all("code") == [String](repeating: "0", count: 50))
        }

        @Test(arguments: ["nofile=3", "nofile=4", "nofile=5", "nofile=6"])
        func refusesWithoutRoomForDescriptors(_ limit: String) throws {
            let report = try Call(options: ["answer=geheim", limit]).run()
            // With the smallest, libpam itself cannot read its configuration.
            #expect(report.code == .systemError || report.number("code") == 28 || report.all("failed") == ["pam_start"])
            #expect(report.exit == 0 && report.all("left").isEmpty && report.all("changed").isEmpty)
        }

        @Test func theHelperSeesNothingOfTheCaller() throws {
            let hostile = ["environment", "umask=0", "lost-directory", "storm=1000", "children=ignore", "closed=12"]
            let report = try Call(options: ["answer=geheim"] + hostile).run()
            #expect(report.code == .success)
            #expect(report.helper("environment") == "0")
            #expect(report.helper("directory") == "/")
            #expect(report.helper("umask") == "077")
            #expect(report.helper("ids") == "0 0 0 0 groups=0")
            #expect(report.helper("leads-session") == "1")
            #expect(report.helper("output") == "/dev/null")
            #expect(report.helper("descriptors") == "0 1 2 ")
            #expect(report.helper("signals-blocked") == "0")
            #expect(report.helper("signals-changed") == "0")
            #expect(report.helper("arguments")?.hasPrefix("secondlook-helper --conf /") == true)
            #expect(report.helper("limits")?.hasSuffix(" 0 -1") == true)
        }

        @Test func theModuleTellsTheHelperWhatPamKnows() throws {
            let items = ["tty=/dev/pts/9", "rhost=198.51.100.7", "ruser=bert"]
            let report = try Call(arguments: ["timeout=7", "debug"], options: ["answer=geheim"] + items).run()
            let begin = BeginRequest(
                debug: true, deadline: 7000, user: "anna", service: "test", tty: "/dev/pts/9", rhost: "198.51.100.7",
                ruser: "bert")
            #expect(report.frames == [.begin(begin), .secret(Array("geheim".utf8))])
        }

        static let names = [
            "../x", "a/b", "-U", ".", "DOM\\user", "user@realm", "мария", String(repeating: "u", count: 256),
        ]

        @Test(arguments: names)
        func sendsOddNamesUnchanged(_ name: String) throws {
            let report = try Call(user: name).run()
            report.expectUntouchedCaller()
            #expect(report.begin?.user == name)
        }

        @Test func refusesANameThatIsTooLong() throws {
            let report = try Call(user: String(repeating: "u", count: 300)).run()
            report.expectFault()
            #expect(report.begin == nil)
        }

        @Test func aHostOfAnyLengthStaysAHost() throws {
            let host = String(repeating: "h", count: 400)
            let report = try Call(options: ["answer=geheim", "rhost=\(host)"]).run()
            #expect(report.begin?.rhost == String(repeating: "h", count: 256))
        }
    }
}
