// SPDX-License-Identifier: Apache-2.0
// What a user's name may look like before anybody is asked about it. Apart from the look-up and without imports, so that it can be fuzzed
// by itself.

/// The rules for names of accounts.
public enum AccountName {
    /// The longest name that is looked up, in bytes; longer ones exist nowhere.
    public static let longest = 256

    /// False for names that cannot be an account and could be taken for a path or an option.
    public static func isPlausible(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard (1...longest).contains(bytes.count), name != ".", name != ".." else { return false }
        guard bytes[0] != UInt8(ascii: "-") else { return false }
        return bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") }
    }

    /// Byte for byte, as the system and the database compare; for labels as well.
    ///
    /// Texts of Swift are equal too when the same letter is written with other code points.
    public static func isSpelled(_ name: String, as other: String) -> Bool { name.utf8.elementsEqual(other.utf8) }
}
