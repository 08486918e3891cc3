// SPDX-License-Identifier: Apache-2.0
// Files that an administrator's command changes or makes: a settings file keeps whose it is, and a new file never takes the place of another.

import CLinux

extension SafeFile {
    /// Waits for the lock of the folder that holds the file: whoever changes the file holds it; it ends with the descriptor.
    ///
    /// - Parameter patience: milliseconds. Whoever may read the folder can hold the lock for as long as he likes, so the wait has an end.
    /// - Throws: `timedOut` when the lock was not free in that time.
    public static func lockFolder(of path: String, patience: UInt64 = 5_000) throws(PlatformError) -> Descriptor {
        let folder = try openFolder(above: path, checking: .everyFolder)
        let deadline = clinux_monotonic_milliseconds() + patience
        while true {
            let result = clinux_try_lock(folder.raw)
            if result != -11 {
                try check(result, "lock", path)
                return folder
            }
            let now = clinux_monotonic_milliseconds()
            guard now < deadline else {
                throw .timedOut("waiting for another program that has the folder of '\(path)' locked")
            }
            try Readiness.pause(until: now + 10)
        }
    }

    /// Replaces a file in one step by one of the same owner, group and mode; one that is not there is made with `mode`.
    public static func replaceKeeping(_ path: String, with content: [UInt8], mode: UInt32) throws(PlatformError) {
        guard exists(path) else { return try replace(path, with: content, mode: mode) }
        let status = try open(path).status()
        try replace(path, with: content, mode: status.mode & 0o777, owner: (status.owner, status.group))
    }

    /// Makes a file that only its owner may read, in a folder that need not be anybody's in particular, and writes it as a whole.
    ///
    /// - Throws: `system` with the code of EEXIST when the name exists, whatever it is. What cannot be written to its end is removed again.
    public static func writeNew(_ path: String, with content: [UInt8]) throws(PlatformError) {
        let file = try open(at: -1, path, CLINUX_CREATE, mode: 0o600, path: path)
        do throws(PlatformError) {
            try check(clinux_set_mode(file.raw, 0o600), "set the mode of", path)
            try write(content, to: file, path: path)
            try check(clinux_sync(file.raw), "write", path)
        } catch {
            // SAFETY: a text lent for the call.
            _ = unsafe clinux_unlink(-1, path)
            throw error
        }
    }
}
