// SPDX-License-Identifier: Apache-2.0
// The files of libpam on this machine: found as libpam finds them, checked, backed up and replaced in one step.

import Platform

/// Where the files are.
struct PAMPaths: Sendable, Equatable {
    /// The administrator's files.
    var folder = "/etc/pam.d"
    /// Those that came with packages and that the administrator's hide.
    var vendor = "/usr/lib/pam.d"
    /// Profiles of pam-auth-update.
    var profiles = "/usr/share/pam-configs"
    /// Debian's program that writes the common files from the profiles.
    var updater = "/usr/sbin/pam-auth-update"
    /// Where files are kept as they were before a change.
    var backups = "/etc/secondlook/pam-backup"
}

/// The files of libpam.
struct PAMFolder: Sendable {
    let paths: PAMPaths

    /// The name when it can be one of a service.
    static func checked(_ name: String) throws(CommandError) -> String {
        let isPlain = name.utf8.allSatisfy {
            ($0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z")) || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9"))
                || "._-+@".utf8.contains($0)
        }
        guard isPlain, (1...64).contains(name.utf8.count), !name.hasPrefix("."), !name.hasPrefix("-") else {
            throw .usage("'\(Shown.safe(String(name.prefix(64))))' is no name of a PAM service, such as sudo or login")
        }
        return name
    }

    /// Finds files as libpam does.
    var load: PAMLoader {
        { name throws(PAMError) in
            let candidates =
                name.hasPrefix("/") ? [name] : [paths.folder + "/" + name, paths.vendor + "/" + name]
            guard !name.contains("..") else { throw .unreadable("'\(name)' is no name of a PAM file") }
            for path in candidates {
                do throws(PlatformError) {
                    let bytes = try SafeFile.read(SafeFile.resolved(path), limit: PAMFile.longest)
                    return try parsed(path, bytes)
                } catch  where error.isMissing {
                    continue
                } catch {
                    throw .unreadable(error.description)
                }
            }
            return nil
        }
    }

    private func parsed(_ path: String, _ bytes: [UInt8]) throws(PlatformError) -> PAMFile {
        do throws(PAMError) {
            return try PAMFile(path: path, bytes, folder: paths.folder)
        } catch {
            throw .protocolBroken(error.description)
        }
    }

    /// The names of all services, those of packages too.
    var services: [String] {
        let all = [paths.folder, paths.vendor].flatMap { (try? SafeFile.names(in: $0)) ?? [] }
        // What an editor, dpkg or pam-auth-update left is no service that any program asks for.
        let ends = [
            "~", ".bak", ".old", ".orig", ".dpkg-old", ".dpkg-new", ".dpkg-dist", ".pam-old", ".pam-new", ".rpmnew",
        ]
        return Set(all).filter { name in
            (try? PAMFolder.checked(name)) != nil && !ends.contains { name.hasSuffix($0) }
        }.sorted()
    }

    /// The path a service's file is written to.
    func path(of service: String) -> String { paths.folder + "/" + service }

    /// Owner and mode of the administrator's file; nil when only a package's is there.
    func status(of service: String) throws(PlatformError) -> FileStatus? {
        do throws(PlatformError) {
            return try SafeFile.open(path(of: service)).status()
        } catch  where error.isMissing {
            return nil
        }
    }

    /// Keeps a copy of the file under a number that is not taken; its path, or nil where there is no file yet.
    func backUp(_ service: String) throws(PlatformError) -> String? {
        guard let status = try status(of: service) else { return nil }
        let bytes = try SafeFile.read(path(of: service), limit: PAMFile.longest)
        try SafeFile.makeFolder(paths.backups)
        for number in 1...9_999 {
            let copy = "\(paths.backups)/\(service).\(number)"
            if SafeFile.exists(copy) { continue }
            try SafeFile.makeFile(copy, with: bytes, mode: status.mode, owner: (status.owner, status.group))
            return copy
        }
        throw .unsafeFile(path: paths.backups, problem: "is full of backups of '\(service)'")
    }

    /// Replaces a file; owner and mode stay.
    func write(_ service: String, _ bytes: [UInt8]) throws(PlatformError) {
        let status = try status(of: service)
        try SafeFile.replace(
            path(of: service), with: bytes, mode: status?.mode ?? 0o644,
            owner: status.map { ($0.owner, $0.group) })
    }

    /// Puts a file back as it was: its content, or its absence.
    func restore(_ service: String, _ bytes: [UInt8]?) throws(PlatformError) {
        if let bytes {
            try write(service, bytes)
        } else {
            try SafeFile.remove(path(of: service))
        }
    }

    /// A private copy of all files that can be read, with another one for a service; who asks for it removes it.
    func copy(to folder: String, replacing service: String, by file: PAMFile) throws(PlatformError) {
        try SafeFile.makeFolder(folder)
        for name in services {
            guard let content = name == service ? file : (try? load(name)) else { continue }
            let text = content.text(includingFrom: folder)
            try SafeFile.makeFile(folder + "/" + name, with: Array(text.utf8), mode: 0o600)
        }
    }
}
