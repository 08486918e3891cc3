// SPDX-License-Identifier: Apache-2.0
// Passphrases of an administrator's command: typed at the terminal without being shown, or handed over on a descriptor. Never from the words
// of the command line and never from the environment, which others can read.

import CLinux

/// Reads a passphrase.
public enum HiddenInput {
    /// The longest, in bytes.
    public static let longest = 1024

    /// A line typed at the controlling terminal, without echo and without its end.
    ///
    /// - Throws: `system` with the code of ENXIO where there is no terminal; `tooLarge`.
    public static func typed(prompt: String) throws(PlatformError) -> SecretBytes {
        var room = [UInt8](repeating: 0, count: longest)
        defer { SecretBytes.wipe(&room) }
        // SAFETY: a text and an array lent for the call; the C side writes at most the array's length and tells how much.
        let count = unsafe clinux_read_hidden(prompt, &room, room.count)
        if count == -7 { throw .tooLarge(path: "passphrase", limit: longest) }
        var bytes = Array(room.prefix(try check(count, "read a passphrase from", "/dev/tty")))
        return try SecretBytes(wiping: &bytes)
    }

    /// The first line of what an inherited descriptor gives, without its end.
    public static func line(of descriptor: borrowing Descriptor) throws(PlatformError) -> SecretBytes {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(longest + 1)
        defer { SecretBytes.wipe(&bytes) }
        let number = descriptor.raw
        while bytes.count <= longest {
            var letter: UInt8 = 0
            // SAFETY: one byte lent for the call.
            let got = unsafe clinux_read(number, &letter, 1)
            if try check(got, "read a passphrase from", "descriptor \(number)") == 0 || letter == 0x0A { break }
            bytes.append(letter)
        }
        guard bytes.count <= longest else { throw .tooLarge(path: "passphrase", limit: longest) }
        return try SecretBytes(wiping: &bytes)
    }
}
