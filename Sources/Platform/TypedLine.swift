// SPDX-License-Identifier: Apache-2.0
// One line of what somebody types, byte by byte, so that nothing behind its end is taken from whoever reads next.

import CLinux

/// Reads lines.
public enum TypedLine {
    /// A longer line is cut here.
    public static let longest = 256

    /// The next line without its end; nil at the end of the stream.
    public static func read(from descriptor: borrowing Descriptor) throws(PlatformError) -> String? {
        let number = descriptor.raw
        var bytes: [UInt8] = []
        while true {
            var letter: UInt8 = 0
            // SAFETY: one byte lent for the call; the C side writes at most that and tells how much.
            let got = unsafe clinux_read(number, &letter, 1)
            if try check(got, "read", "standard input") == 0 {
                return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
            }
            if letter == 0x0A { return String(decoding: bytes, as: UTF8.self) }
            if bytes.count < longest { bytes.append(letter) }
        }
    }
}
