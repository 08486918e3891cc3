// SPDX-License-Identifier: Apache-2.0
// Real login programs with the real module, in a mount namespace whose /etc/pam.d (and /etc/sudoers) is a folder of the test's own.

import Foundation
import Testing
import Wire

extension ModuleTests {
    @Suite struct ProgramTests {
        struct Program: Sendable, CustomTestStringConvertible {
            let name: String
            /// What an unprivileged user types; it prints the user it runs as, or what pamtester says.
            let words: String
            let output: String

            var testDescription: String { name }
            var isInstalled: Bool { (try? Rig.output("which", name)) != nil }
        }

        static let all = [
            Program(
                name: "su", words: "setpriv --reuid 65534 --regid 65534 --clear-groups su root -c 'id -u'", output: "0"),
            Program(
                name: "sudo", words: "setpriv --reuid 65534 --regid 65534 --clear-groups sudo -S id -u", output: "0"),
            Program(
                name: "pamtester", words: "pamtester pamtester anna authenticate setcred",
                output: "successfully authenticated"),
        ]
        static let installed = all.filter(\.isInstalled)

        private func run(_ program: Program, _ script: [Step]) throws -> (exit: Int, output: String, ids: String?) {
            let folder = try Folder()
            defer { folder.remove() }
            try folder.write("script", script.map(\.line).joined(separator: "\n") + "\n")
            let module = "\(Rig.folder)/plain/pam_secondlook.so timeout=2 conf=\(folder.path("script"))"
            let stack = "auth required \(module)\naccount required pam_permit.so\nsession required pam_permit.so\n"
            try folder.write("stack/" + program.name, stack)
            try folder.write("sudoers", "#65534 ALL=(ALL) ALL\nDefaults passwd_tries=1\n")
            let sudoers = FileManager.default.fileExists(atPath: "/etc/sudoers")
            let prepare =
                "mount --bind \(folder.path("stack")) /etc/pam.d && chmod 440 \(folder.path("sudoers"))"
                + (sudoers ? " && mount --bind \(folder.path("sudoers")) /etc/sudoers" : "")
            let command = "\(prepare) && echo geheim | \(program.words)"
            let exit = try Rig.run(
                ["unshare", "-m", "sh", "-c", command], output: folder.path("output"), environment: [:])
            let seen = folder.lines("script.seen").last { $0.name == "ids" }?.value
            return (exit, folder.text("output") ?? "", seen)
        }

        @Test(arguments: installed)
        func letsThePersonIn(_ program: Program) throws {
            let result = try run(program, Step.accepting)
            #expect(result.exit == 0)
            #expect(result.output.contains(program.output))
            // Also where the calling user is not root, the helper is root's alone and takes no signal of that user's.
            #expect(result.ids == "0 0 0 0 groups=0")
        }

        @Test(arguments: installed, [0x52, 0x4E, 0x4C, 0x46] as [UInt8])
        func refuses(_ program: Program, _ byte: UInt8) throws {
            let result = try run(program, Step.untilSecret + Step.verdict(byte))
            #expect(result.exit != 0)
            #expect(!result.output.contains(program.output))
        }

        @Test func atLeastOneProgramIsInstalled() { #expect(!Self.installed.isEmpty) }
    }
}
