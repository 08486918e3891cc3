// SPDX-License-Identifier: Apache-2.0
// The whole verb in folders of the test: what is written, what is kept, and that a trial that goes wrong leaves everything as it was.

import Platform
import Synchronization
import TestSupport
import Testing

@testable import secondlook

/// A libpam that says what the test wants.
private final class FakePAM: PAMLibrary {
    struct Call: Equatable {
        var service: String
        var folder: String?
        var password: String?
    }

    let moduleFolder: String?
    let moduleProblem: String?
    private let answer: @Sendable (Call) -> Int32?
    private let heard = Mutex<[Call]>([])

    init(_ folder: String, problem: String? = nil, _ answer: @escaping @Sendable (Call) -> Int32? = { _ in 7 }) {
        moduleFolder = folder
        moduleProblem = problem
        self.answer = answer
    }

    var calls: [Call] { heard.withLock { $0 } }

    func problem(ofModule path: String) -> String? { moduleProblem }

    func authenticate(
        service: String, user: String, folder: String?, password: String?, seconds: Int32
    ) -> PAMAnswer? {
        let call = Call(service: service, folder: folder, password: password)
        heard.withLock { $0.append(call) }
        return answer(call).map { PAMAnswer(code: $0, text: "code \($0)") }
    }
}

/// A machine in a folder.
private struct Machine {
    let folder = TemporaryFolder()
    let paths: Paths
    let kept = Kept()

    init(_ files: [String: String] = PAMFixture.debian.files) {
        for name in ["pam.d", "state", "modules", "etc"] { TemporaryFolder.makeFolder(folder.file(name), mode: 0o755) }
        folder.write("modules/pam_secondlook.so", text: "")
        for (name, text) in files { folder.write("pam.d/\(name)", text: text, mode: 0o644) }
        for name in ["common-account", "common-session", "common-password", "common-session-noninteractive"] {
            folder.write("pam.d/\(name)", text: "", mode: 0o644)
        }
        var paths = Paths(libexec: folder.file("libexec/secondlook"))
        // Nobody is enrolled here, and whether root has a password is the test machine's affair; RootWayTests have both.
        paths.settings = folder.write("etc/secondlook.conf", text: "not_enrolled = skip\n", mode: 0o644)
        paths.state = folder.file("state")
        paths.pam = PAMPaths(
            folder: folder.file("pam.d"), vendor: folder.file("vendor"), profiles: folder.file("profiles"),
            updater: folder.file("none"), backups: folder.file("etc/backup"))
        self.paths = paths
    }

    func pam(problem: String? = nil, _ answer: @escaping @Sendable (FakePAM.Call) -> Int32? = { _ in 7 }) -> FakePAM {
        FakePAM(folder.file("modules"), problem: problem, answer)
    }

    func run(_ words: String..., pam: FakePAM? = nil, caller: Caller? = nil) -> Int32 {
        let who = caller ?? Caller(isRoot: true, sudoUser: nil, ownUser: "root")
        var session = Session(output: kept, caller: who, paths: paths)
        session.pam = pam ?? self.pam()
        session.pamPatience = 50
        return Command.run(words, Verbs.all, &session)
    }

    func text(_ name: String) -> String { String(decoding: TemporaryFolder.read(folder.file(name)), as: UTF8.self) }
    var sudo: String { text("pam.d/sudo") }
    var files: [String] { (try? SafeFile.names(in: folder.file("pam.d"))) ?? [] }
}

@Suite struct PAMSwitchTests {
    static let on = PAMFixture.sudo.replacingFirst(
        "@include common-auth\n", "@include common-auth\nauth\trequired\tpam_secondlook.so factor=face\n")

    @Test func switchesOnAndOffAgain() throws {
        let machine = Machine()
        TemporaryFolder.setMode(machine.folder.file("pam.d/sudo"), 0o640)
        #expect(machine.run("pam", "enable", "sudo") == 0, "\(machine.kept.errors)")
        #expect(machine.sudo == Self.on)
        #expect(machine.text("etc/backup/sudo.1") == PAMFixture.sudo)
        for name in ["pam.d/sudo", "etc/backup/sudo.1"] {
            #expect(try SafeFile.open(machine.folder.file(name)).status().mode == 0o640)
        }
        #expect(machine.kept.lines.contains("+auth\trequired\tpam_secondlook.so factor=face"))
        #expect(machine.run("pam", "status", "sudo") == 0)
        #expect(machine.run("pam", "disable", "sudo") == 0)
        #expect(machine.sudo == PAMFixture.sudo)
        #expect(machine.text("etc/backup/sudo.2") == Self.on)
        #expect(machine.text("etc/backup/sudo.1") == PAMFixture.sudo)
        #expect(machine.run("pam", "status", "sudo") == 1)
        #expect((try? SafeFile.names(in: machine.paths.state)) == ["pam.line"])
    }

    @Test func changesNothingTheSecondTime() {
        let machine = Machine()
        #expect(machine.run("pam", "enable", "sudo") == 0)
        #expect(machine.run("pam", "enable", "sudo") == 0)
        #expect(machine.sudo == Self.on)
        #expect(machine.kept.lines.last == "the look is on already: 'sudo' line 7")
        #expect(machine.run("pam", "disable", "sudo") == 0)
        #expect(machine.run("pam", "disable", "sudo") == 0)
        #expect(machine.sudo == PAMFixture.sudo)
        #expect(!SafeFile.exists(machine.folder.file("etc/backup/sudo.3")))
    }

    @Test func showsTheChangeInADryRunToAnybody() {
        let machine = Machine()
        let somebody = Caller(isRoot: false, sudoUser: nil, ownUser: "ann")
        #expect(machine.run("pam", "enable", "sudo", "--dry-run", caller: somebody) == 0)
        #expect(machine.kept.lines.contains("+auth\trequired\tpam_secondlook.so factor=face"))
        #expect(machine.kept.lines.last == "nothing was changed")
        #expect(machine.sudo == PAMFixture.sudo)
        #expect(machine.run("pam", "enable", "sudo", caller: somebody) == 1)
        #expect(machine.sudo == PAMFixture.sudo)
    }

    struct Trouble: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var problem: String?
        let answer: @Sendable (_ service: String, _ isCopy: Bool) -> Int32?
    }

    @Test(arguments: [
        Trouble(testDescription: "the module cannot be loaded", problem: "no such file") { _, _ in 7 },
        Trouble(testDescription: "the module finds no helper") { service, _ in service == "secondlook-trial" ? 4 : 7 },
        Trouble(testDescription: "the module ends the process") { service, _ in
            service == "secondlook-trial" ? nil : 7
        },
        Trouble(testDescription: "a wrong password is right") { service, _ in service == "sudo" ? 0 : 7 },
        Trouble(testDescription: "the stack is a fault") { service, _ in service == "sudo" ? 28 : 7 },
        Trouble(testDescription: "the machine says something else than the copy") { service, isCopy in
            service == "sudo" && !isCopy ? 4 : 7
        },
        Trouble(testDescription: "the machine lets everybody in") { service, isCopy in
            service == "sudo" && !isCopy ? 0 : 7
        },
    ])
    func leavesEverythingAsItWasAfter(_ trouble: Trouble) {
        let machine = Machine()
        let before = machine.files
        let copy = machine.paths.state + "/pam-trial"
        let pam = machine.pam(problem: trouble.problem) { trouble.answer($0.service, $0.folder == copy) }
        #expect(machine.run("pam", "enable", "sudo", pam: pam) == 1)
        #expect(machine.sudo == PAMFixture.sudo)
        #expect(machine.files == before)
        #expect(machine.kept.errors.last?.hasPrefix("secondlook: pam: ") == true)
        #expect((try? SafeFile.names(in: machine.paths.state)) == ["pam.line"])
    }

    @Test func asksTheOneWhoTriesAndChangesNothingWhenRefused() throws {
        let name = try #require(try Account.find(user: 0)).name
        for (code, result) in [(Int32(0), Int32(0)), (9, 1)] {
            let machine = Machine()
            let pam = machine.pam { $0.password == nil ? code : 7 }
            #expect(machine.run("pam", "enable", "sudo", "--trial", name, pam: pam) == result)
            #expect(machine.sudo == (result == 0 ? Self.on : PAMFixture.sudo))
            #expect(pam.calls.filter { $0.password == nil }.count == 1)
        }
    }

    @Test func letsOneAtATimeChangeFiles() throws {
        let machine = Machine()
        do {
            var other = try Turn(at: machine.paths.state + "/pam.line")
            let isItsTurn = try other.hasCome()
            #expect(isItsTurn)
            for verb in ["enable", "disable"] {
                #expect(machine.run("pam", verb, "sudo") == 1)
                #expect(machine.kept.errors.last?.contains("another 'secondlook pam' is at work") == true)
            }
            // Nobody waits to be shown a change.
            #expect(machine.run("pam", "enable", "sudo", "--dry-run") == 0)
            _ = try other.hasCome()
        }
        #expect(machine.sudo == PAMFixture.sudo)
        #expect(machine.run("pam", "enable", "sudo") == 0, "\(machine.kept.errors)")
    }

    @Test func losesNoChangeOfSomebodyElse() {
        let machine = Machine()
        let (folder, copy) = (machine.folder, machine.paths.state + "/pam-trial")
        let edited = PAMFixture.sudo + "# by hand\n"
        let pam = machine.pam { call in
            if call.folder == copy, call.service == "sudo" { folder.write("pam.d/sudo", text: edited, mode: 0o644) }
            return 7
        }
        #expect(machine.run("pam", "enable", "sudo", pam: pam) == 1)
        #expect(machine.kept.errors.last?.contains("was changed by somebody else meanwhile") == true)
        #expect(machine.sudo == edited)
    }

    @Test func switchesOffWhereThereIsNoStateAnyMore() throws {
        let machine = Machine()
        #expect(machine.run("pam", "enable", "sudo") == 0)
        try SafeFile.removeFolder(machine.paths.state)
        #expect(machine.run("pam", "disable", "sudo") == 0, "\(machine.kept.errors)")
        #expect(machine.sudo == PAMFixture.sudo)
    }

    @Test func triesSuWithoutTheLineThatLetsRootIn() {
        let machine = Machine()
        let copy = machine.paths.state + "/pam-trial"
        let folder = machine.folder.path
        let pam = machine.pam { call in
            guard call.folder == copy, call.service == "su" else { return 7 }
            let tried = TemporaryFolder.read(folder + "/state/pam-trial/su")
            #expect(tried.firstRange(of: Array("@include \(copy)/common-auth".utf8)) != nil)
            return tried.firstRange(of: Array("pam_rootok.so".utf8)) == nil ? 7 : 0
        }
        #expect(machine.run("pam", "enable", "su", pam: pam) == 0, "\(machine.kept.errors)")
        #expect(machine.text("pam.d/su").contains("sufficient pam_rootok.so"))
    }

    @Test func writesAnOwnFileWhereOnlyThePackageHasOne() {
        let machine = Machine()
        TemporaryFolder.makeFolder(machine.folder.file("vendor"), mode: 0o755)
        machine.folder.write("vendor/polkit-1", text: "@include common-auth\n", mode: 0o644)
        #expect(machine.run("pam", "enable", "polkit-1") == 0, "\(machine.kept.errors)")
        #expect(machine.text("vendor/polkit-1") == "@include common-auth\n")
        #expect(machine.text("pam.d/polkit-1").hasSuffix("factor=face\n"))
    }

    @Test(arguments: ["../x", "a/b", "-x", "", ".", "Sudo", "a b", String(repeating: "a", count: 65)])
    func refusesNamesThatAreNoService(_ name: String) {
        #expect(Machine().run("pam", "enable", "--", name) == 2)
    }

    @Test func refusesALinkAndAFileThatOthersCanWrite() {
        let machine = Machine()
        TemporaryFolder.remove(machine.folder.file("pam.d/sudo"))
        machine.folder.write("real", text: PAMFixture.sudo, mode: 0o644)
        TemporaryFolder.link(machine.folder.file("pam.d/sudo"), to: machine.folder.file("real"))
        #expect(machine.run("pam", "enable", "sudo") == 1)
        #expect(machine.text("real") == PAMFixture.sudo)
        TemporaryFolder.setMode(machine.folder.file("pam.d/login"), 0o666)
        #expect(machine.run("pam", "enable", "login") == 1)
        #expect(machine.text("pam.d/login") == PAMFixture.login)
    }

    @Test func refusesASecondLookBesidesTheCommonOne() {
        let machine = Machine()
        #expect(machine.run("pam", "enable", "sudo") == 0)
        #expect(machine.run("pam", "enable", "common-auth") == 1)
        #expect(machine.kept.errors.last?.contains("secondlook pam disable sudo") == true)
        #expect(machine.text("pam.d/common-auth") == PAMFixture.commonAuth)
    }

    @Test func namesTheFileThatHoldsTheLine() {
        let machine = Machine(
            PAMFixture.debian.with("common-auth", PAMFixture.commonAuth + PAMEditTests.line + "\n").files)
        #expect(machine.run("pam", "enable", "sudo") == 0)
        #expect(machine.kept.lines.last?.contains("'common-auth' line") == true)
        #expect(machine.run("pam", "disable", "sudo") == 1)
        #expect(machine.kept.errors.last?.contains("secondlook pam disable common-auth") == true)
        #expect(machine.run("pam", "status", "--json") == 0)
        #expect(machine.kept.lines.last?.contains("{\"service\": \"login\", \"on\": true") == true)
    }

    @Test func saysWhereALineDoesNotHold() {
        let weak = "auth requisite pam_unix.so\nauth sufficient pam_secondlook.so factor=face\n"
        let machine = Machine(PAMFixture.debian.with("sudo", weak).files)
        #expect(machine.run("pam", "status") == 1)
        #expect(machine.kept.lines.contains { $0.hasPrefix("FAULT") && $0.contains("sudo") })
        #expect(machine.run("pam", "enable", "sudo") == 1)
        #expect(machine.kept.errors.last?.contains("'required'") == true)
        #expect(machine.run("doctor", "--json") == 1)
        #expect(machine.kept.lines.last?.contains("{\"name\": \"pam sudo\", \"ok\": false, \"needed\": true") == true)
    }
}

@Suite struct RootWayTests {
    static let plain = RootWay(
        rootIsEnrolled: false, rootIsLocked: false, sudoUser: nil, somebodyIsEnrolled: true, skipsNotEnrolled: false,
        services: [("login", false), ("su", true)], sudoLooks: true)

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let mayChange: Bool
        let change: @Sendable (inout RootWay) -> Void
    }

    @Test(arguments: [
        Case(testDescription: "login asks root for nothing more", mayChange: true) { _ in },
        Case(testDescription: "every login looks", mayChange: false) { $0.services = [("login", true)] },
        Case(testDescription: "every login looks and root is enrolled", mayChange: true) {
            $0.services = [("login", true)]
            $0.rootIsEnrolled = true
        },
        Case(testDescription: "every login looks and the settings skip", mayChange: true) {
            $0.services = [("login", true)]
            $0.skipsNotEnrolled = true
        },
        Case(testDescription: "root is locked and nobody is enrolled", mayChange: false) {
            $0.rootIsLocked = true
            $0.somebodyIsEnrolled = false
        },
        Case(testDescription: "root is locked, sudo does not look", mayChange: true) {
            $0.rootIsLocked = true
            $0.sudoLooks = false
            $0.somebodyIsEnrolled = false
        },
        Case(testDescription: "root is locked and the sudoer is not enrolled", mayChange: false) {
            $0.rootIsLocked = true
            $0.sudoUser = ("ann", false)
        },
        Case(testDescription: "root is locked and the sudoer is enrolled", mayChange: true) {
            $0.rootIsLocked = true
            $0.sudoUser = ("ann", true)
        },
    ])
    func keepsAWayToRoot(_ one: Case) {
        var way = Self.plain
        one.change(&way)
        #expect((way.problem == nil) == one.mayChange, "\(way.problem ?? "")")
    }

    @Test func remarksWhoIsRefused() {
        var way = Self.plain
        #expect(way.remark == nil)
        way.sudoUser = ("ann", false)
        #expect(way.remark?.contains("'ann'") == true)
        way.somebodyIsEnrolled = false
        #expect(way.remark?.contains("nobody is enrolled") == true)
    }
}
