// SPDX-License-Identifier: Apache-2.0
// Is the person who asks in front of this machine? The camera never opens for a remote or unattended caller. Several witnesses are asked,
// each of which can only say "remote"; that one of them is missing (no session, no terminal) says nothing.

public import Platform
public import Wire

/// What speaks for a remote or unattended caller.
public struct Remoteness: Equatable, Sendable {
    /// A few words for the record.
    public let words: String
    /// The PAM application or the session's keeper says so; everything else (variables, names of programs, the list of terminals) can be
    /// made up by someone who sits here and would like to be skipped.
    public let isCertain: Bool

    /// A finding.
    public init(_ words: String, isCertain: Bool) {
        self.words = words
        self.isCertain = isCertain
    }
}

/// Tells remote callers from local ones; a protocol so that sessions can be tested without a login.
public protocol RemoteChecking: Sendable {
    /// Why the caller is remote or unattended; nil when nothing says so. What is certain is given before what is not.
    ///
    /// Throws when a witness is there and cannot be heard: then nobody knows, and that is a refusal.
    func remoteness(of request: BeginRequest, caller process: Int32) throws(PlatformError) -> Remoteness?
}

/// Asks the request itself, the session, the ancestors of the caller, and the list of terminals.
public struct SystemRemoteCheck: RemoteChecking {
    private let root: String

    /// Services whose callers are elsewhere, or nobody at all.
    static let services: Set<String> = [
        "sshd", "ssh", "cron", "crond", "atd", "at", "anacron", "ftp", "ftpd", "vsftpd", "proftpd", "pure-ftpd",
        "samba",
        "smbd", "dovecot", "imap", "pop3", "smtp", "exim", "postfix", "httpd", "apache2", "nginx", "php", "cockpit",
        "remote",
        "rlogin", "rsh", "telnet", "xrdp-sesman", "vnc", "tigervnc", "x2go", "gnome-remote-desktop", "openvpn", "squid",
        "radiusd", "cups", "systemd-user",
    ]

    /// Programs that bring callers from elsewhere, or start things when nobody is there.
    static let programs: Set<String> = [
        "sshd", "sshd-session", "sshd-auth", "dropbear", "mosh-server", "telnetd", "in.telnetd", "rlogind",
        "in.rlogind",
        "rshd", "xrdp-sesman", "xrdp", "Xvnc", "x0vncserver", "Xtigervnc", "x11vnc", "vncserver", "x2goagent",
        "nxagent",
        "gnome-remote-de", "krfb", "cockpit-bridge", "cockpit-session", "cron", "crond", "atd", "anacron", "vsftpd",
        "proftpd", "pure-ftpd", "smbd", "httpd", "apache2", "nginx", "ttyd", "shellinaboxd", "wetty",
    ]

    /// Terminals that PAM applications invent for callers without one.
    static let terminals: Set<String> = ["ssh", "cron", "ftp", "atd", "NODEVssh"]

    /// - Parameter root: what stands before /proc and /run; empty but for tests.
    public init(root: String = "") { self.root = root }

    /// Asks all witnesses.
    public func remoteness(of request: BeginRequest, caller process: Int32) throws(PlatformError) -> Remoteness? {
        func certain(_ words: String) -> Remoteness { Remoteness(words, isCertain: true) }
        if let host = SystemRemoteCheck.remoteHost(request.rhost) { return certain("remote host '\(host)'") }
        if SystemRemoteCheck.services.contains(request.service) { return certain("service '\(request.service)'") }
        if SystemRemoteCheck.terminals.contains(request.tty) { return certain("terminal '\(request.tty)'") }
        let ancestors = try remotenessOfAncestors(of: process)
        if let ancestors, ancestors.isCertain { return ancestors }
        if let host = try hostOfTerminal(request.tty) {
            return Remoteness("terminal of remote host '\(host)'", isCertain: false)
        }
        return ancestors
    }

    /// A local display (":0") is not a host; `localhost` is one: whoever comes by network may sit anywhere.
    static func remoteHost(_ rhost: String) -> String? {
        guard !rhost.isEmpty else { return nil }
        let digits = rhost.dropFirst()
        let isDisplay =
            rhost.hasPrefix(":") && digits.first?.isNumber == true && digits.allSatisfy { $0.isNumber || $0 == "." }
        return isDisplay ? nil : rhost
    }

    /// Walks from the caller up to the first process; the first certain finding, else the first.
    private func remotenessOfAncestors(of process: Int32) throws(PlatformError) -> Remoteness? {
        var current = process
        var first: Remoteness?
        for _ in 0..<64 {
            guard current > 1, let parent = try Process(current, root: root) else { break }
            if let session = parent.session, let words = try remoteSession(session.name) {
                if session.isKept { return Remoteness(words, isCertain: true) }
                first = first ?? Remoteness(words, isCertain: false)
            }
            if SystemRemoteCheck.programs.contains(parent.name) {
                first = first ?? Remoteness("started by '\(parent.name)'", isCertain: false)
            }
            if parent.hasVariable("SSH_CONNECTION") || parent.hasVariable("SSH_TTY") {
                first = first ?? Remoteness("inside an SSH session", isCertain: false)
            }
            current = parent.parent
        }
        return first
    }

    /// What logind wrote of a session.
    private func remoteSession(_ session: String) throws(PlatformError) -> String? {
        guard let bytes = try witness("\(root)/run/systemd/sessions/\(session)", limit: 16_384) else {
            return nil
        }
        for line in bytes.split(separator: UInt8(ascii: "\n")) where Array(line) == Array("REMOTE=1".utf8) {
            return "remote session '\(session)'"
        }
        return nil
    }

    /// The host that the list of terminals (utmp) has for one.
    private func hostOfTerminal(_ tty: String) throws(PlatformError) -> String? {
        let name = tty.hasPrefix("/dev/") ? String(tty.dropFirst(5)) : tty
        guard !name.isEmpty, let bytes = try witness("\(root)/run/utmp", limit: 1 << 20) else {
            return nil
        }
        return TerminalList.host(of: name, in: bytes)
    }
}

/// The list of terminals as glibc writes it: records of 384 bytes.
enum TerminalList {
    static let recordLength = 384

    /// The remote host of a terminal someone is logged in at; nil for none, for a local display, and for a terminal multiplexer's note.
    static func host(of terminal: String, in bytes: [UInt8]) -> String? {
        for start in stride(from: 0, to: bytes.count - recordLength + 1, by: recordLength) {
            let record = Array(bytes[start..<start + recordLength])
            // ut_type 7 is a user's process; ut_line is at 8 (32 bytes), ut_host at 76 (256 bytes).
            guard record[0] == 7, record[1] == 0, text(record[8..<40]) == terminal else { continue }
            let host = text(record[76..<332])
            let isLocal = host.isEmpty || host.hasPrefix(":") || host.hasPrefix("tmux(") || host == "login screen"
            if !isLocal { return host }
        }
        return nil
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String {
        String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// What /proc says of a process.
private struct Process {
    let name: String
    let parent: Int32
    /// The number of the logind session it belongs to, and whether it stands where only logind can put it: users make control groups of any
    /// name below their own service manager's.
    let session: (name: String, isKept: Bool)?
    private let environment: [UInt8]

    init?(_ number: Int32, root: String) throws(PlatformError) {
        let folder = "\(root)/proc/\(number)"
        guard let stat = try witness(folder + "/stat", limit: 4096) else { return nil }
        // "12 (name) S 1 ...": the name may have blanks and parentheses itself.
        guard let open = stat.firstIndex(of: UInt8(ascii: "(")), let close = stat.lastIndex(of: UInt8(ascii: ")")),
            open < close
        else { return nil }
        name = String(decoding: stat[(open + 1)..<close], as: UTF8.self)
        let rest = stat[(close + 1)...].split(separator: UInt8(ascii: " "))
        guard rest.count > 1, let parent = Int32(String(decoding: rest[1], as: UTF8.self)) else { return nil }
        self.parent = parent
        environment = try witness(folder + "/environ", limit: 4 << 20, mayBeDenied: true) ?? []
        let groups = try witness(folder + "/cgroup", limit: 65_536) ?? []
        session = Process.session(in: String(decoding: groups, as: UTF8.self))
    }

    func hasVariable(_ variable: String) -> Bool {
        let wanted = Array((variable + "=").utf8)
        return environment.split(separator: 0).contains { $0.starts(with: wanted) }
    }

    /// The number in a line like "0::/user.slice/user-1000.slice/session-3.scope".
    private static func session(in groups: String) -> (name: String, isKept: Bool)? {
        for line in groups.split(separator: "\n") {
            let parts = line.split(separator: "/")
            for (index, part) in parts.enumerated() {
                guard part.hasPrefix("session-"), part.hasSuffix(".scope") else { continue }
                let number = part.dropFirst(8).dropLast(6)
                let isNumber = number.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
                guard !number.isEmpty, isNumber else { continue }
                let isKept = index == 3 && parts[1] == "user.slice" && parts[2].hasPrefix("user-")
                return (String(number), isKept && parts[2].hasSuffix(".slice"))
            }
        }
        return nil
    }
}

/// A file of the kernel or of logind; nil when there is none, or when its process has just ended (ESRCH).
private func witness(_ path: String, limit: Int, mayBeDenied: Bool = false) throws(PlatformError) -> [UInt8]? {
    do throws(PlatformError) {
        return try SafeFile.readUnchecked(path, limit: limit)
    } catch {
        if error.isMissing || error.code == 3 || (mayBeDenied && error.isDenied) { return nil }
        throw error
    }
}
