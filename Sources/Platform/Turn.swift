// SPDX-License-Identifier: Apache-2.0
// A line before something that one process at a time may use. It is kept by the kernel's locks on the bytes of a file that only root may
// open, not by what is written there: whoever is killed, holder or waiter, has left the line in the same instant, and nothing has to be
// cleaned up or believed.
//
// Byte 0 is the thing itself: who has its lock has the thing. The byte of a number that was drawn by appending to the file is a place in
// the line: it is one's turn when no lower number is locked. The order rests on the numbers, the exclusion on byte 0 alone. The locks
// belong to the open file (F_OFD_SETLK), so they do not end when another descriptor of the same file is closed in this process, as those
// of lockf would; and a caller cannot have one, as it could with a lock on something it may open for reading.

import CLinux

/// A place in a line; it is given up when its owner ends, however that comes.
public struct Turn: ~Copyable, Sendable {
    private let path: String
    private let file: Descriptor
    private let number: UInt64
    private var isHeld = false

    /// Takes the last place.
    ///
    /// - Parameter path: a file for the owner alone, in a folder that nobody else may write to. Both are made when they are not there; the
    ///   folder may then be entered by others.
    /// - Throws: `unsafeFile` for a file or folder that others could open or change, `system` for anything else.
    public init(at path: String) throws(PlatformError) {
        let folder = "/" + (try SafeFile.components(of: path)).dropLast().joined(separator: "/")
        if !SafeFile.exists(folder) { try SafeFile.makeFolder(folder, mode: 0o755) }
        let opened = try SafeFile.openFolder(folder)
        let name = try SafeFile.name(of: path)
        let found = try SafeFile.open(at: opened.raw, name, CLINUX_APPEND_OR_CREATE, mode: 0o600, path: path)
        let file = try SafeFile.verify(found, path: path, as: .privateFile)
        let number = UInt64(try check(clinux_take_number(file.raw), "write", path))
        try check(clinux_lock_byte(file.raw, number), "lock", path)
        self.path = path
        self.file = file
        self.number = number
    }

    /// Whether the turn has come; from then on nobody else's comes before this one's end.
    public mutating func hasCome() throws(PlatformError) -> Bool {
        if isHeld { return true }
        guard try check(clinux_is_locked(file.raw, 1, number), "lock", path) == 0 else { return false }
        let result = clinux_lock_byte(file.raw, 0)
        // Somebody whose number is higher was quicker to look than this one to lock its own.
        if result == -11 { return false }
        try check(result, "lock", path)
        isHeld = true
        return true
    }
}
