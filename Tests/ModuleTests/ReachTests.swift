// SPDX-License-Identifier: Apache-2.0
// The two ways to a helper: a file that only root can have put there, or a service whose listener is root.

import Foundation
import Testing
import Wire

extension ModuleTests {
    @Suite struct ReachTests {
        static let programs: [(name: String, make: @Sendable (String) throws -> Void)] = [
            ("missing", { _ in }),
            ("not-executable", { try place($0, 0o644) }),
            ("world-writable", { try place($0, 0o757) }),
            ("group-writable", { try place($0, 0o775) }),
            (
                "of-another-owner",
                {
                    try place($0, 0o755)
                    try FileManager.default.setAttributes([.ownerAccountID: 1], ofItemAtPath: $0)
                }
            ),
            (
                "a-link-to-the-right-one",
                { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: right) }
            ),
            (
                "a-directory",
                { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false) }
            ),
            ("a-fifo", { _ = try Rig.output("mkfifo", "-m", "700", $0) }),
            ("empty", { try place($0, 0o755, Data()) }),
            ("not-a-program", { try place($0, 0o755, Data("nonsense".utf8)) }),
            ("a-shell-script", { try place($0, 0o755, Data("#!/bin/sh\nexit 65\n".utf8)) }),
        ]

        private static let right = Rig.folder + "/libexec/helper"

        private static func place(_ path: String, _ mode: Int, _ data: Data? = nil) throws {
            let content = try data ?? Data(contentsOf: URL(filePath: right))
            try content.write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }

        @Test(arguments: programs)
        func refusesAProgramThatIsNotRootsAlone(
            _ row: (name: String, make: @Sendable (String) throws -> Void)
        ) throws {
            let path = Rig.folder + "/odd/program"
            try? FileManager.default.removeItem(atPath: path)
            try row.make(path)
            defer { try? FileManager.default.removeItem(atPath: path) }
            let report = try Call(module: "odd").run()
            report.expectFault()
            #expect(report.said.isEmpty)
            #expect(report.seen.isEmpty)
        }

        @Test func namesTheProgramAndTheReason() throws {
            let report = try Call(module: "odd", options: ["log"]).run()
            #expect(report.printed.contains("cannot use '\(Rig.folder)/odd/program'"))
            #expect(report.printed.contains("No such file or directory"))
        }

        @Test func usesTheProgramOnceItIsRight() throws {
            let path = Rig.folder + "/odd/program"
            try Self.place(path, 0o755)
            defer { try? FileManager.default.removeItem(atPath: path) }
            #expect(try Call(module: "odd").run().code == .success)
        }

        private static let unprivileged = ["answer=geheim", "uid=65534"]

        @Test func anUnprivilegedCallerUsesTheService() throws {
            let report = try Call(usesConf: false, options: Self.unprivileged, service: 0).run()
            report.expectUntouchedCaller()
            #expect(report.code == .success)
            #expect(report.begin?.user == "anna")
            #expect(report.frames.last == .secret(Array("geheim".utf8)))
        }

        @Test(arguments: VerdictTests.table)
        func theServicesVerdictBecomesTheSameCode(_ row: (name: String, byte: UInt8, code: Code)) throws {
            let script = Step.untilSecret + [.say(.verdict(row.byte)), .exit(0)]
            let report = try Call(usesConf: false, script: script, options: Self.unprivileged, service: 0).run()
            report.expectUntouchedCaller()
            #expect(report.code == row.code)
        }

        static let broken: [(name: String, script: [Step])] = [
            ("leaves-without-a-verdict", Step.untilSecret + [.exit(65)]),
            ("half-a-verdict", Step.untilSecret + [.raw([1, 0x84, 0, 1]), .exit(65)]),
            ("a-byte-after-the-verdict", Step.untilSecret + [.say(.verdict(0x41)), .raw([0]), .exit(65)]),
            ("two-verdicts", Step.untilSecret + [.say(.verdict(0x52)), .say(.verdict(0x41)), .exit(65)]),
            ("does-not-close", Step.untilSecret + [.say(.verdict(0x41))]),
            ("breaks-off-instead-of-ending", [.read, .ready, .sleep(150), .say(.verdict(0x41)), .exit(65)]),
            ("hangs", [.read]), ("stops", Step.untilSecret + [.stop]),
            ("success-before-ready", [.read] + Step.verdict(0x41)),
        ]

        @Test(arguments: broken)
        func refusesAServiceThatBreaksOff(_ row: (name: String, script: [Step])) throws {
            try Call(usesConf: false, script: row.script, options: Self.unprivileged, service: 0).run().expectFault()
        }

        @Test func tellsNothingToAListenerThatIsNotRoot() throws {
            let report = try Call(usesConf: false, options: Self.unprivileged, service: 1).run()
            report.expectFault()
            #expect(report.frames.isEmpty)
            #expect(report.said.isEmpty)
        }

        @Test func refusesWithoutAService() throws {
            let report = try Call(usesConf: false, options: Self.unprivileged).run()
            report.expectFault()
            #expect(report.said.isEmpty)
        }

        @Test(arguments: ["no-new-privileges", "private-dev"])
        func confinedRootUsesTheService(_ confinement: String) throws {
            let report = try Call(usesConf: false, options: ["answer=geheim", confinement], service: 0).run()
            report.expectUntouchedCaller()
            #expect(report.code == .success)
            #expect(report.begin?.user == "anna")
        }

        @Test func rootThatIsNotConfinedStartsTheHelper() throws {
            // The helper that is started has no script and exits; the service would have accepted.
            let report = try Call(usesConf: false, service: 0).run()
            report.expectFault()
            #expect(report.begin == nil)
        }

        @Test(arguments: ["no-new-privileges", "private-dev"])
        func confinedRootWithSettingsOfItsOwnStartsTheHelper(_ confinement: String) throws {
            let report = try Call(options: ["answer=geheim", confinement]).run()
            #expect(report.code == .success)
            #expect(report.helper("arguments")?.contains("--conf") == true)
        }
    }
}
