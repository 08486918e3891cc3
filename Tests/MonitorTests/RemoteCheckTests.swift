// SPDX-License-Identifier: Apache-2.0
// Who is remote: each witness by itself, on a made-up /proc and /run.

import Platform
import TestSupport
import Testing
import Wire

@testable import Monitor

@Suite struct RemoteCheckTests {
    let temporary = TemporaryFolder()

    private func process(
        _ number: Int, _ name: String, parent: Int, environment: String = "", cgroup: String = "0::/user.slice\n"
    ) {
        for folder in ["proc", "proc/\(number)"] { TemporaryFolder.makeFolder(temporary.file(folder)) }
        temporary.write("proc/\(number)/stat", text: "\(number) (\(name)) S \(parent) 1 1 0")
        temporary.write("proc/\(number)/environ", text: environment)
        temporary.write("proc/\(number)/cgroup", text: cgroup)
    }

    private func check(
        tty: String = "/dev/pts/3", rhost: String = "", service: String = "sudo", caller: Int32 = 30
    ) -> String? { find(tty: tty, rhost: rhost, service: service, caller: caller)?.words }

    private func find(
        tty: String = "/dev/pts/3", rhost: String = "", service: String = "sudo", caller: Int32 = 30
    ) -> Remoteness? {
        try? SystemRemoteCheck(root: temporary.path).remoteness(
            of: BeginRequest(user: "anna", service: service, tty: tty, rhost: rhost), caller: caller)
    }

    @Test func whatACallerCanMakeUpIsNotCertain() {
        process(30, "sudo", parent: 1, environment: "SSH_TTY=/dev/pts/9\0")
        #expect(find()?.isCertain == false, "a variable")
        process(30, "sshd", parent: 1)
        #expect(find()?.isCertain == false, "a program's name")
        #expect(find(rhost: "far.example")?.isCertain == true)
        #expect(find(service: "sshd")?.isCertain == true)
    }

    @Test(arguments: [
        ("/user.slice/user-1000.slice/session-c7.scope", true),
        ("/user.slice/user-1000.slice/user@1000.service/app.slice/session-c7.scope", false),
        ("/session-c7.scope", false),
    ])
    func onlyLogindsOwnPlaceMakesASessionCertain(group: String, isCertain: Bool) {
        process(30, "sudo", parent: 1, environment: "SSH_TTY=x\0", cgroup: "0::\(group)\n")
        for folder in ["run", "run/systemd", "run/systemd/sessions"] {
            TemporaryFolder.makeFolder(temporary.file(folder))
        }
        temporary.write("run/systemd/sessions/c7", text: "REMOTE=1\n")
        #expect(find() == Remoteness("remote session 'c7'", isCertain: isCertain))
    }

    @Test func aDesktopIsLocal() {
        process(1, "systemd", parent: 0)
        process(10, "gnome-shell", parent: 1)
        process(20, "bash", parent: 10)
        process(30, "sudo", parent: 20)
        #expect(check() == nil)
        #expect(check(tty: "", caller: 30) == nil, "no terminal alone is not remote")
        #expect(check(tty: ":0") == nil)
        #expect(check(rhost: ":0") == nil)
        #expect(check(rhost: ":0.1") == nil)
    }

    @Test func aMissingProcessOrSessionIsNotRemote() { #expect(check(caller: 4711) == nil) }

    @Test(arguments: ["far.example", "192.0.2.7", "localhost", "::1", "2001:db8::1", "unknown"])
    func aRemoteHostIsRemote(host: String) { #expect(check(rhost: host) == "remote host '\(host)'") }

    @Test(arguments: ["sshd", "cron", "crond", "atd", "vsftpd", "xrdp-sesman", "cockpit", "httpd", "vnc", "samba"])
    func servicesOfOthersAreRemote(service: String) { #expect(check(service: service) == "service '\(service)'") }

    @Test(arguments: ["ssh", "cron", "ftp"])
    func inventedTerminalsAreRemote(tty: String) { #expect(check(tty: tty) == "terminal '\(tty)'") }

    @Test(arguments: [
        "sshd", "sshd-session", "mosh-server", "in.telnetd", "Xvnc", "x11vnc", "xrdp-sesman", "cron", "crond", "atd",
        "cockpit-bridge", "httpd",
    ])
    func ancestorsThatBringCallersAreRemote(program: String) {
        process(5, program, parent: 1)
        process(20, "su (deep)", parent: 5)
        process(30, "sudo", parent: 20)
        #expect(check() == "started by '\(program)'")
    }

    @Test func suInsideSSHIsRemoteAlsoWhenItsOwnEnvironmentIsClean() {
        process(5, "bash", parent: 1, environment: "HOME=/root\0SSH_CONNECTION=192.0.2.7 5 192.0.2.8 22\0")
        process(20, "su", parent: 5)
        process(30, "sudo", parent: 20)
        #expect(check() == "inside an SSH session")
    }

    @Test func aVariableThatOnlyLooksSimilarIsNotRemote() {
        process(30, "sudo", parent: 1, environment: "MY_SSH_CONNECTION=x\0SSH_AUTH_SOCK=/run/agent\0")
        #expect(check() == nil)
    }

    @Test(arguments: [("REMOTE=1", true), ("REMOTE=0", false), ("REMOTE_HOST=x", false), ("", false)])
    func logindKnowsRemoteSessions(line: String, isRemote: Bool) {
        process(30, "sudo", parent: 1, cgroup: "0::/user.slice/user-1000.slice/session-c7.scope\n")
        for folder in ["run", "run/systemd", "run/systemd/sessions"] {
            TemporaryFolder.makeFolder(temporary.file(folder))
        }
        temporary.write("run/systemd/sessions/c7", text: "UID=1000\n\(line)\nACTIVE=1\n")
        #expect(check() == (isRemote ? "remote session 'c7'" : nil))
    }

    @Test func aSessionNumberCannotBeAPath() {
        process(30, "sudo", parent: 1, cgroup: "0::/session-..%2f.scope\n1:x:/session-.scope\n")
        #expect(check() == nil)
    }

    @Test(arguments: [
        ("pts/3", "far.example", "far.example"), ("pts/3", ":0", nil), ("pts/3", "tmux(12).%0", nil),
        ("pts/3", "", nil),
        ("pts/4", "far.example", nil),
    ])
    func theListOfTerminalsKnowsRemoteHosts(line: String, host: String, found: String?) {
        var record = [UInt8](repeating: 0, count: 384)
        record[0] = 7
        for (index, byte) in line.utf8.enumerated() { record[8 + index] = byte }
        for (index, byte) in host.utf8.enumerated() { record[76 + index] = byte }
        #expect(TerminalList.host(of: "pts/3", in: [UInt8](repeating: 0, count: 384) + record) == found)
        record[0] = 8
        #expect(TerminalList.host(of: "pts/3", in: record) == nil, "whoever left is not there")
        #expect(TerminalList.host(of: "pts/3", in: Array(record.dropLast())) == nil)
    }

    @Test func aWitnessThatCannotBeHeardIsAFault() {
        process(30, "sudo", parent: 1)
        TemporaryFolder.makeFolder(temporary.file("run"))
        TemporaryFolder.makeFolder(temporary.file("run/utmp"))
        #expect(throws: PlatformError.self) {
            try SystemRemoteCheck(root: temporary.path).remoteness(
                of: BeginRequest(user: "anna", service: "sudo", tty: "/dev/pts/3"), caller: 30)
        }
    }

    @Test func aCircleOfParentsEnds() {
        process(30, "a", parent: 31)
        process(31, "b", parent: 30)
        #expect(check() == nil)
    }
}
