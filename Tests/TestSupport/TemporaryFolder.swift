// SPDX-License-Identifier: Apache-2.0
// A folder of its own for one test, removed at its end. The functions below do to files what an administrator or an attacker would.

import Glibc

/// A fresh folder (0700) that goes when its owner goes.
public final class TemporaryFolder: Sendable {
    /// Its absolute path, without symbolic links.
    public let path: String

    /// Makes it below /tmp.
    public init() {
        var template = Array("/tmp/secondlook-test-XXXXXX".utf8CString)
        // SAFETY: mkdtemp writes into the array it is lent.
        let made = unsafe mkdtemp(&template) != nil
        precondition(made, "no temporary folder")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { TemporaryFolder.removeTree(path) }

    /// True when the tests run as root: only then can files be given to others.
    public static var isRoot: Bool { geteuid() == 0 }

    /// The path of a name in it.
    public func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file; replaces one that is there.
    @discardableResult
    public func write(_ name: String, _ bytes: [UInt8], mode: UInt32 = 0o600) -> String {
        let path = file(name)
        // SAFETY: texts and an array lent for the calls.
        _ = unsafe unlink(path)
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
        precondition(descriptor >= 0)
        _ = unsafe Glibc.write(descriptor, bytes, bytes.count)
        _ = fchmod(descriptor, mode)
        _ = close(descriptor)
        return path
    }

    /// Writes a text file.
    @discardableResult
    public func write(_ name: String, text: String, mode: UInt32 = 0o600) -> String {
        write(name, Array(text.utf8), mode: mode)
    }

    /// The bytes of a file; empty when there is none.
    public static func read(_ path: String) -> [UInt8] {
        // SAFETY: a text and an array lent for the calls.
        let descriptor = unsafe open(path, O_RDONLY)
        guard descriptor >= 0 else { return [] }
        defer { _ = close(descriptor) }
        var content: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let got = unsafe Glibc.read(descriptor, &part, part.count)
            guard got > 0 else { return content }
            content += part[..<got]
        }
    }

    /// Sets permission bits.
    public static func setMode(_ path: String, _ mode: UInt32) {
        // SAFETY: texts lent for the calls, here and below.
        _ = unsafe chmod(path, mode)
    }

    /// Gives a file to another user.
    public static func setOwner(_ path: String, _ user: UInt32) { _ = unsafe chown(path, user, user) }

    /// Makes a symbolic link.
    public static func link(_ path: String, to target: String) { _ = unsafe symlink(target, path) }

    /// Makes a folder.
    public static func makeFolder(_ path: String, mode: UInt32 = 0o700) {
        _ = unsafe mkdir(path, mode)
        _ = unsafe chmod(path, mode)
    }

    /// Takes a file's content away and leaves the file.
    public static func empty(_ path: String) { _ = unsafe truncate(path, 0) }

    /// Removes one name.
    public static func remove(_ path: String) { _ = unsafe unlink(path) }

    private static func removeTree(_ path: String) {
        // SAFETY: readdir's entry is read before the next call; texts are lent for the calls.
        if let folder = unsafe opendir(path) {
            var names: [String] = []
            while let entry = unsafe readdir(folder) {
                names.append(
                    unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                    })
            }
            unsafe closedir(folder)
            for name in names where name != "." && name != ".." {
                let inner = path + "/" + name
                if unsafe unlink(inner) != 0 { removeTree(inner) }
            }
        }
        _ = unsafe rmdir(path)
    }
}
