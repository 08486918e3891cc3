// SPDX-License-Identifier: Apache-2.0
// A backup file: a header that says how the passphrase becomes a key, then the enrolments, sealed by that key and bound to the header. The
// header is readable by everyone and so are its costs; it is believed only within limits. Without imports, so that it can be fuzzed by itself.

/// What is wrong with a backup file or its passphrase.
public enum BackupFault: Error, Equatable, Sendable {
    /// Not a file of `secondlook export`.
    case notABackup
    /// Written by a newer version.
    case newerVersion(Int)
    /// Shorter than its header says.
    case cutShort(bytes: Int, of: Int)
    /// Longer than its header says.
    case tooLong(bytes: Int, of: Int)
    /// The header asks for more work or memory than any export does.
    case cost
    /// There is not so much memory to make the key in.
    case memory(kibibytes: UInt32)
    /// It does not open: another passphrase, or a changed bit.
    case passphraseOrChanged
    /// It opens, but what is inside makes no sense.
    case content

    /// One line without a full stop.
    var description: String {
        switch self {
        case .notABackup: "is not a backup of secondlook"
        case .newerVersion(let version): "is a backup of version \(version); a newer secondlook can read it"
        case .cutShort(let bytes, let all): "is cut short: \(bytes) of \(all) bytes"
        case .tooLong(let bytes, let all): "is longer than it was written: \(bytes) bytes, not \(all)"
        case .cost: "asks for more work than any backup does: it was changed"
        case .memory(let kibibytes): "needs \(kibibytes / 1024) MiB of memory to make its key, which are not free"
        case .passphraseOrChanged: "does not open: the passphrase is wrong, or the file was changed"
        case .content: "opens, but does not hold enrolments: it was not made by secondlook"
        }
    }
}

/// Enrolments in a file, sealed under a passphrase.
public enum Backup {
    /// A longer file is refused unread.
    public static let longestFile = 64 << 20

    /// How much work making the key of a passphrase is (Argon2id).
    public struct Cost: Equatable, Sendable {
        /// Passes over the memory.
        public var passes: UInt32
        /// Memory in KiB.
        public var kibibytes: UInt32

        /// A cost.
        public init(passes: UInt32, kibibytes: UInt32) {
            self.passes = passes
            self.kibibytes = kibibytes
        }

        /// What libsodium calls moderate: 256 MiB, about a second.
        public static let standard = Cost(passes: 3, kibibytes: 256 << 10)

        var isAllowed: Bool { (1...16).contains(passes) && (8 << 10...1 << 20).contains(kibibytes) }
    }

    /// What stands before the sealed list, for everyone to read.
    ///
    /// Layout: "secondlook backup ", the version (1 byte), passes and KiB (4 bytes each, little-endian), salt (16), length of the rest (8).
    struct Header: Equatable {
        private static let magic = Array("secondlook backup ".utf8)
        private static let version: UInt8 = 1
        /// Bytes of a salt.
        static let saltLength = 16
        /// Bytes of a header.
        static let length = magic.count + 1 + 4 + 4 + saltLength + 8
        /// What the shortest list is when it is sealed: nonce, a count and tag.
        static let shortestRest = 24 + 4 + 16

        let cost: Cost
        let salt: [UInt8]
        /// Bytes after the header.
        let rest: Int

        init(cost: Cost, salt: [UInt8], rest: Int) {
            precondition(salt.count == Header.saltLength && rest >= 0)
            (self.cost, self.salt, self.rest) = (cost, salt, rest)
        }

        /// Believes a file's header within limits, and only when the file is as long as it says.
        init(of file: [UInt8]) throws(BackupFault) {
            let magic = Header.magic
            guard file.count > magic.count, Array(file[..<magic.count]) == magic else { throw .notABackup }
            guard file[magic.count] == Header.version else { throw .newerVersion(Int(file[magic.count])) }
            guard file.count >= Header.length else { throw .cutShort(bytes: file.count, of: Header.length) }
            var reader = ListReader(Array(file[(magic.count + 1)..<Header.length]))
            guard let passes = reader.number(UInt32.self), let kibibytes = reader.number(UInt32.self),
                let salt = reader.take(Header.saltLength), let rest = reader.number(UInt64.self)
            else { throw .notABackup }
            let cost = Cost(passes: passes, kibibytes: kibibytes)
            guard cost.isAllowed, rest <= UInt64(longestFile) else { throw .cost }
            guard rest >= UInt64(Header.shortestRest) else { throw .notABackup }
            let whole = Header.length + Int(rest)
            if file.count < whole { throw .cutShort(bytes: file.count, of: whole) }
            if file.count > whole { throw .tooLong(bytes: file.count, of: whole) }
            self.init(cost: cost, salt: Array(salt), rest: Int(rest))
        }

        var bytes: [UInt8] {
            Header.magic + [Header.version] + LittleEndian.bytes(cost.passes) + LittleEndian.bytes(cost.kibibytes)
                + salt + LittleEndian.bytes(UInt64(rest))
        }
    }
}
