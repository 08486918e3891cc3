// SPDX-License-Identifier: Apache-2.0
// New files that are written by descriptor, by this process or by one that is given it, and their end.

import CLinux

extension SafeFile {
    /// Makes a file for writing; a name that is there already is an error.
    ///
    /// - Parameter mode: its permission bits.
    public static func makeFile(_ path: String, mode: UInt32) throws(PlatformError) -> Descriptor {
        let folder = try openFolder(above: path, checking: .everyFolder)
        return try open(at: folder.raw, try name(of: path), CLINUX_CREATE, mode: mode, path: path)
    }

    /// Waits until what was written to an open file is on the disk.
    public static func sync(_ descriptor: borrowing Descriptor, path: String) throws(PlatformError) {
        try check(clinux_sync(descriptor.raw), "write", path)
    }

    /// Removes a file; one that is not there is no error.
    public static func remove(_ path: String) throws(PlatformError) {
        let folder = try openFolder(above: path, checking: .everyFolder)
        // SAFETY: a text lent for the call.
        let result = unsafe clinux_unlink(folder.raw, try name(of: path))
        if result != -2 { try check(result, "remove", path) }
    }
}
