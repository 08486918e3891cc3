// SPDX-License-Identifier: Apache-2.0
// Opens the files that decisions rest on. What is opened is checked by its descriptor, so that nothing can be swapped between the
// check and the use; a file that anyone but its rightful owner could have changed is refused.

import CLinux

/// Opening, reading and replacing files by rules.
public enum SafeFile {
    /// How far up the folders above a file are checked.
    public enum Ancestry: Sendable {
        /// Every folder from the root on: owner root (or the effective user), not writable by others, no symbolic links.
        case everyFolder
        /// The folder that holds the file only; for files beside the running program, whose own path is trusted as it is.
        case lastFolder
    }

    /// What the file is for.
    public enum Purpose: Sendable {
        /// Anyone may read it, only the owner may write it: settings, models, programs.
        case publicFile
        /// Nobody but the owner may read or write it: store, key.
        case privateFile
    }

    /// Opens a file for reading after the checks.
    ///
    /// - Parameter path: absolute, without `.` or `..`.
    /// - Throws: `unsafeFile` for a wrong kind, owner or mode; `system` when it cannot be opened.
    public static func open(
        _ path: String, as purpose: Purpose = .publicFile, checking ancestry: Ancestry = .everyFolder
    ) throws(PlatformError) -> Descriptor {
        let folder = try openFolder(above: path, checking: ancestry)
        return try open(name(of: path), in: folder, path: path, as: purpose)
    }

    /// Opens a folder after the checks; with `privateFile` no other user may enter it.
    public static func openFolder(
        _ path: String, as purpose: Purpose = .publicFile, checking ancestry: Ancestry = .everyFolder
    ) throws(PlatformError) -> Descriptor {
        let names = try components(of: path)
        var folder = try open(at: -1, "/", CLINUX_FOLDER, path: "/")
        var walked = ""
        for (index, name) in names.enumerated() {
            walked += "/" + name
            folder = try open(at: folder.raw, name, CLINUX_FOLDER, path: walked)
            if ancestry == .everyFolder || index == names.count - 1 {
                try verifyFolder(try folder.status(), path: walked)
            }
        }
        if purpose == .privateFile, try folder.status().mode & 0o077 != 0 {
            throw .unsafeFile(path: path, problem: "is open to other users, its mode must be 0700")
        }
        return folder
    }

    /// The whole content of a file after the checks; `tooLarge` when it exceeds `limit` bytes.
    public static func read(
        _ path: String, limit: Int, as purpose: Purpose = .publicFile, checking ancestry: Ancestry = .everyFolder
    ) throws(PlatformError) -> [UInt8] {
        try read(try open(path, as: purpose, checking: ancestry), limit: limit, path: path)
    }

    /// The content of a file of the kernel (/proc, /sys, /run) where owner and mode say nothing.
    public static func readUnchecked(_ path: String, limit: Int) throws(PlatformError) -> [UInt8] {
        try read(try open(at: -1, path, CLINUX_READ, path: path), limit: limit, path: path)
    }

    /// Reads an open file from where it stands to its end; `tooLarge` when there are more than `limit` bytes.
    public static func read(
        _ descriptor: borrowing Descriptor, limit: Int, path: String
    ) throws(PlatformError) -> [UInt8] {
        var content: [UInt8] = []
        var part = [UInt8](repeating: 0, count: min(limit + 1, 65_536))
        while true {
            let number = descriptor.raw
            let got = unsafe part.withUnsafeMutableBytes { room in
                // SAFETY: pointer and length belong to the array lent for the call.
                unsafe clinux_read(number, room.baseAddress, room.count)
            }
            if try check(got, "read", path) == 0 { return content }
            content.append(contentsOf: part[..<got])
            guard content.count <= limit else { throw .tooLarge(path: path, limit: limit) }
        }
    }

    /// At most `length` bytes from `offset` on; fewer only at the end of the file, none behind it.
    public static func readPiece(
        _ descriptor: borrowing Descriptor, at offset: Int, length: Int, path: String
    ) throws(PlatformError) -> [UInt8] {
        let number = descriptor.raw
        var result = 0
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: length) { room, count in
            while count < length {
                let rest = unsafe UnsafeMutableBufferPointer(rebasing: room[count...])
                // SAFETY: the C side writes at most `rest.count` bytes and tells how many; only those are counted.
                result = unsafe clinux_read_at(number, rest.baseAddress, rest.count, UInt64(offset + count))
                guard result > 0 else { break }
                count += result
            }
        }
        try check(result, "read", path)
        return piece
    }

    /// Replaces a file in one step: readers see the old or the new content, never half of it, also after a power cut.
    ///
    /// - Parameters:
    ///   - mode: permission bits of the new file.
    ///   - owner: user and group of the new file; nil: those of this process.
    public static func replace(
        _ path: String, with content: [UInt8], mode: UInt32, owner: (user: UInt32, group: UInt32)? = nil
    ) throws(PlatformError) {
        let folder = try openFolder(above: path, checking: .everyFolder)
        let name = try name(of: path)
        let suffix = try Machine.randomBytes(8).map { String($0, radix: 16) }.joined()
        let temporary = ".\(name).\(suffix)"
        let file = try open(at: folder.raw, temporary, CLINUX_CREATE, mode: mode, path: path)
        do throws(PlatformError) {
            try fill(file, content, mode: mode, owner: owner, path: path)
            // SAFETY: texts lent for the call.
            try check(unsafe clinux_rename(folder.raw, temporary, name), "replace", path)
        } catch {
            // SAFETY: as above; what cannot be removed is a hidden file that no one reads.
            _ = unsafe clinux_unlink(folder.raw, temporary)
            throw error
        }
        try check(clinux_sync(folder.raw), "write", path)
    }

    /// Makes a new file where an administrator wants one, and writes it; a name that is taken is refused, whatever it is.
    ///
    /// What could not be written as a whole is removed.
    public static func create(_ path: String, with content: [UInt8], mode: UInt32) throws(PlatformError) {
        // SAFETY: texts lent for the calls.
        let number = unsafe clinux_open(-1, path, Int32(CLINUX_CREATE.rawValue), mode)
        let file = Descriptor(owning: try check(number, "make", path))
        do throws(PlatformError) {
            try check(clinux_set_mode(file.raw, mode), "set the mode of", path)
            try write(content, to: file, path: path)
        } catch {
            _ = unsafe clinux_unlink(-1, path)
            throw error
        }
    }

    /// Makes a file that is not there yet; what is there already is an error (EEXIST), and left as it is.
    ///
    /// - Parameters: as for `replace`.
    public static func makeFile(
        _ path: String, with content: [UInt8], mode: UInt32, owner: (user: UInt32, group: UInt32)? = nil
    ) throws(PlatformError) {
        let folder = try openFolder(above: path, checking: .everyFolder)
        let file = try open(at: folder.raw, try name(of: path), CLINUX_CREATE, mode: 0o600, path: path)
        try fill(file, content, mode: mode, owner: owner, path: path)
        try check(clinux_sync(folder.raw), "write", path)
    }

    private static func fill(
        _ file: borrowing Descriptor, _ content: [UInt8], mode: UInt32, owner: (user: UInt32, group: UInt32)?,
        path: String
    ) throws(PlatformError) {
        try write(content, to: file, path: path)
        if let owner { try check(clinux_set_owner(file.raw, owner.user, owner.group), "keep the owner of", path) }
        try check(clinux_set_mode(file.raw, mode), "set the mode of", path)
        try check(clinux_sync(file.raw), "write", path)
    }

    /// Removes a folder with the files in it; it must hold no other folders.
    public static func removeFolder(_ path: String) throws(PlatformError) {
        for name in try names(in: path) { try remove(path + "/" + name) }
        let folder = try openFolder(above: path, checking: .everyFolder)
        // SAFETY: a text lent for the call.
        try check(unsafe clinux_remove_folder(folder.raw, try name(of: path)), "remove", path)
    }

    /// Makes a folder, which only its owner may enter unless the mode says otherwise; one that is there already is left as it is.
    public static func makeFolder(_ path: String, mode: UInt32 = 0o700) throws(PlatformError) {
        let folder = try openFolder(above: path, checking: .everyFolder)
        // SAFETY: a text lent for the call.
        let result = unsafe clinux_make_folder(folder.raw, try name(of: path), mode)
        if result != -17 { try check(result, "make the folder", path) }
    }

    /// Makes an empty file that only its owner may read and write; one that is there already is left as it is.
    public static func makePrivateFile(_ path: String) throws(PlatformError) {
        let folder = try openFolder(above: path, checking: .everyFolder)
        // SAFETY: a text lent for the call.
        let result = unsafe clinux_open(folder.raw, try name(of: path), Int32(CLINUX_CREATE.rawValue), 0o600)
        if result == -17 { return }
        _ = Descriptor(owning: try check(result, "make", path))
    }

    /// Waits for a lock on an open file or folder; it ends with the descriptor.
    public static func lock(_ descriptor: borrowing Descriptor, path: String) throws(PlatformError) {
        try check(clinux_lock(descriptor.raw), "lock", path)
    }

    /// Whether the name exists, whatever it is; symbolic links are not followed.
    ///
    /// Only "no such file" is false: whatever else goes wrong is true, so that opening it then tells what is wrong.
    public static func exists(_ path: String) -> Bool {
        var status = clinux_status()
        // SAFETY: a text and a structure lent for the call.
        let result = unsafe clinux_find_status_at(-1, path, &status)
        return result != -2 && result != -20
    }

    /// True when the name exists and, where it is a symbolic link, so does what it points to.
    public static func existsFollowing(_ path: String) -> Bool { exists(resolved(path)) }

    /// The path with a symbolic link in its last place followed, a few times at most.
    public static func resolved(_ path: String) -> String {
        var path = path
        for _ in 0..<8 {
            guard let target = try? OwnProcess.readLink(path) else { return path }
            let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
            path = target.hasPrefix("/") ? target : "\(folder)/\(target)"
        }
        return path
    }

    /// Opens a file that an administrator named, as it is; its content is not trusted.
    public static func openForReading(_ path: String) throws(PlatformError) -> Descriptor {
        let file = try open(at: -1, resolved(path), CLINUX_READ, path: path)
        guard try file.status().kind == .file else { throw .unsafeFile(path: path, problem: "is not a regular file") }
        return file
    }

    /// /dev/null, for reading and writing.
    public static func openNull() throws(PlatformError) -> Descriptor {
        // SAFETY: a constant text.
        Descriptor(
            owning: try check(
                unsafe clinux_open(-1, "/dev/null", Int32(CLINUX_READ_WRITE.rawValue), 0), "open", "/dev/null"))
    }

    /// The names in a folder, without `.` and `..`, sorted.
    public static func names(in path: String) throws(PlatformError) -> [String] {
        var length = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 18) { room, count in
            length = unsafe room.withMemoryRebound(to: CChar.self) { texts in
                // SAFETY: the C side writes at most `texts.count` bytes and tells how many.
                unsafe clinux_list_folder(path, texts.baseAddress, texts.count)
            }
            count = max(0, length)
        }
        try check(length, "list", path)
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    /// Writes all bytes.
    public static func write(
        _ content: [UInt8], to descriptor: borrowing Descriptor, path: String
    ) throws(PlatformError) {
        var written = 0
        let number = descriptor.raw
        while written < content.count {
            let result = unsafe content.withUnsafeBytes { room in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: room[written...])
                // SAFETY: the unwritten rest of the array, lent for the call.
                return unsafe clinux_write(number, rest.baseAddress, rest.count)
            }
            written += try check(result, "write", path)
        }
    }
}

extension SafeFile {
    /// Parts of an absolute path without `.`, `..` or NUL.
    static func components(of path: String) throws(PlatformError) -> [String] {
        guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
            throw .unsafeFile(path: path, problem: "is not an absolute path")
        }
        let names = path.split(separator: "/").map(String.init)
        guard !names.contains("."), !names.contains("..") else {
            throw .unsafeFile(path: path, problem: "is not an absolute path")
        }
        return names
    }

    static func openFolder(
        above path: String, checking ancestry: Ancestry
    ) throws(PlatformError) -> Descriptor {
        try openFolder("/" + (try components(of: path)).dropLast().joined(separator: "/"), checking: ancestry)
    }

    static func name(of path: String) throws(PlatformError) -> String {
        guard let name = try components(of: path).last else { throw .unsafeFile(path: path, problem: "is not a file") }
        return name
    }

    /// Opens a file by its name in an open folder and checks it.
    static func open(
        _ name: String, in folder: borrowing Descriptor, path: String, as purpose: Purpose
    ) throws(PlatformError) -> Descriptor {
        try verify(try open(at: folder.raw, name, CLINUX_READ, path: path), path: path, as: purpose)
    }

    /// The opened file, when kind, owner and mode are right.
    static func verify(
        _ file: consuming Descriptor, path: String, as purpose: Purpose
    ) throws(PlatformError) -> Descriptor {
        let status = try file.status()
        guard status.kind == .file else { throw .unsafeFile(path: path, problem: "is not a regular file") }
        guard isTrusted(status.owner) else { throw .unsafeFile(path: path, problem: "is not owned by root") }
        guard status.mode & 0o022 == 0 else { throw .unsafeFile(path: path, problem: "can be written by others") }
        if purpose == .privateFile, status.mode & 0o077 != 0 {
            throw .unsafeFile(path: path, problem: "can be read by others, its mode must be 0600")
        }
        return file
    }

    static func open(
        at folder: Int32, _ name: String, _ way: clinux_way, mode: UInt32 = 0, path: String
    ) throws(PlatformError) -> Descriptor {
        // SAFETY: a text lent for the call.
        let number = unsafe clinux_open(folder, name, Int32(way.rawValue), mode)
        if number == -40 { throw .unsafeFile(path: path, problem: "is a symbolic link") }
        return Descriptor(owning: try check(number, "open", path))
    }

    /// In a folder with the sticky bit only owners can rename or remove, so what is opened there is judged by itself.
    private static func verifyFolder(_ status: FileStatus, path: String) throws(PlatformError) {
        guard isTrusted(status.owner) else { throw .unsafeFile(path: path, problem: "is not owned by root") }
        guard status.mode & 0o022 == 0 || status.mode & 0o1000 != 0 else {
            throw .unsafeFile(path: path, problem: "can be written by others")
        }
    }

    private static func isTrusted(_ owner: UInt32) -> Bool { owner == 0 || owner == Machine.effectiveUser }
}
