// SPDX-License-Identifier: Apache-2.0
// What a verb is given besides its words: where to write, who calls, and the folders. No verb reads the environment by itself.

import Monitor
import Platform
import TemplateStore

/// The folders and files of an installation.
struct Paths: Sendable, Equatable {
    /// The settings.
    var settings = "/etc/secondlook/secondlook.conf"
    /// Store, key and added models.
    var state = "/var/lib/secondlook"
    /// Where a unit puts the key, when it does.
    var credentials = "/run/secondlook"
    /// The files of libpam.
    var pam = PAMPaths()
    /// Helper, worker, runtime and models: beside this program's own place.
    var libexec: String

    /// The path without `.` and with each `..` taken away together with the name before it.
    static func normalised(_ path: String) -> String {
        var names: [Substring] = []
        for name in path.split(separator: "/") where name != "." {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return "/" + names.joined(separator: "/")
    }

    /// The same as the monitor names them.
    var installation: Installation {
        Installation(programs: libexec, settings: settings, state: state, credentials: credentials)
    }
}

/// Who called, and how.
struct Caller: Sendable, Equatable {
    /// Whether changes are allowed.
    var isRoot: Bool
    /// Who called sudo, if anybody did.
    var sudoUser: String?
    /// The name of the user who runs this process.
    var ownUser: String?
}

/// One run of the command.
struct Session {
    /// Where to write.
    var output: any Output
    /// Who can be asked.
    var input: any Input = NoInput()
    /// Who called.
    let caller: Caller
    /// The folders.
    let paths: Paths
    /// Where the caller stood: relative paths begin there.
    var folder = "/"
    /// How hard a passphrase is made to guess; tests need not wait for it.
    var backupCost = Backup.Cost.standard
    /// The time.
    var clock: any TimeSource = SystemTime()
    /// The cameras.
    var cameras = CameraNodes()

    /// libpam.
    var pam: any PAMLibrary = SystemPAM()
    /// How long a change of PAM files waits for another one to end, in milliseconds.
    var pamPatience: UInt64 = 15_000

    /// What the worker is started in; tests put another worker there.
    var makeEnvironment: @Sendable (Installation) throws(MonitorError) -> LoginEnvironment = {
        installation throws(MonitorError) in
        try LoginEnvironment(installation: installation, isService: false)
    }

    /// A path that was typed, from the root on.
    func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : Paths.normalised("\(folder)/\(path)") }

    /// The account of a name; a user that does not exist is a failure.
    func account(_ name: String) throws(CommandError) -> Account {
        do throws(PlatformError) {
            if let account = try Account.find(name: name) { return account }
        } catch {
            throw .failed(error.description)
        }
        throw .failed("there is no user '\(name)' on this machine")
    }

    /// Refuses callers that are not root.
    func requireRoot(_ verb: String) throws(CommandError) {
        guard caller.isRoot else { throw .failed("\(verb): only root may do this; run it again with sudo") }
    }

    /// Refuses to call done what nobody could read.
    func requireWritten() throws(CommandError) {
        switch output.fault {
        case .none: return
        case .readerLeft: throw .answeredNo
        case .failed(let what): throw .failed("the answer is cut: \(what)")
        }
    }

    /// The user that a verb is about: the one named, else the one who called sudo, else the caller unless that is root.
    func user(_ named: String?) throws(CommandError) -> String {
        if let named { return try UserName.checked(named) }
        if let sudoUser = caller.sudoUser, !sudoUser.isEmpty { return try UserName.checked(sudoUser) }
        if !caller.isRoot, let own = caller.ownUser { return own }
        throw .usage("no user named, and nobody called sudo; name one")
    }
}

/// Names that may be names of users at all.
enum UserName {
    /// The longest, in bytes.
    static let longest = 256

    /// The name, when it cannot be mistaken for a path, an option or a line of a file.
    static func checked(_ name: String) throws(CommandError) -> String {
        let shown = Shown.safe(String(name.prefix(64)))
        guard !name.isEmpty else { throw .failed("the user name is empty") }
        guard name.utf8.count <= longest else {
            throw .failed("the user name is longer than \(longest) bytes: '\(shown)...'")
        }
        guard name != ".", name != "..", !name.contains("/") else {
            throw .failed("'\(shown)' is not a user name: it reads like a path")
        }
        guard !name.hasPrefix("-") else { throw .failed("'\(shown)' is not a user name: it begins with '-'") }
        let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != ":" }
        guard isPlain, Shown.safe(name) == name else {
            throw .failed("'\(shown)' is not a user name: it has a character that no name has")
        }
        return name
    }
}
