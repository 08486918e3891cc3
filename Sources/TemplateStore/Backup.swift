// SPDX-License-Identifier: Apache-2.0
// A backup file: a header that says how the passphrase becomes a key, then the enrolments, sealed by that key and bound to the header. The
// header is readable by everyone and so are its costs; it is believed only within limits.

public import Platform

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

/// Sealing enrolments under a passphrase.
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

    private static let magic = Array("secondlook backup ".utf8)
    private static let version: UInt8 = 1
    private static let saltLength = Cryptography.saltLength
    private static let headerLength = magic.count + 1 + 4 + 4 + saltLength + 8

    /// The bytes of a backup file.
    ///
    /// Layout: "secondlook backup ", the version (1 byte), passes and KiB (4 bytes each, little-endian), salt (16), length of the rest
    /// (8), then nonce (24) and the sealed list with its tag, bound to all bytes before the nonce.
    public static func seal(
        _ enrolments: [SavedEnrolment], passphrase: borrowing SecretBytes, cost: Cost = .standard
    ) throws(StoreError) -> [UInt8] {
        try Cryptography.start()
        var plain = SavedList.encode(enrolments)
        defer { SecretBytes.wipe(&plain) }
        let salt = try Cryptography.random(saltLength)
        let length = Cryptography.nonceLength + plain.count + Cryptography.tagLength
        var header = magic + [version] + LittleEndian.bytes(cost.passes) + LittleEndian.bytes(cost.kibibytes)
        header += salt + LittleEndian.bytes(UInt64(length))
        let key = try Cryptography.stretch(passphrase, salt: salt, cost: cost)
        return header + (try Cryptography.seal(plain, bound: header, key: key))
    }

    /// The enrolments of a backup file; everything in it is checked, and any fault refuses all of it.
    public static func open(
        _ file: [UInt8], passphrase: borrowing SecretBytes
    ) throws(StoreError) -> [SavedEnrolment] {
        try Cryptography.start()
        let (cost, salt) = try checkedHeader(file)
        let key = try Cryptography.stretch(passphrase, salt: salt, cost: cost)
        let header = Array(file[..<headerLength])
        guard var plain = Cryptography.open(Array(file[headerLength...]), bound: header, key: key) else {
            throw .backup(.passphraseOrChanged)
        }
        defer { SecretBytes.wipe(&plain) }
        guard let enrolments = SavedList.decode(plain) else { throw .backup(.content) }
        return enrolments
    }

    /// What can be said without the passphrase; nothing is stretched for a file that cannot be one.
    public static func check(_ file: [UInt8]) throws(StoreError) { _ = try checkedHeader(file) }

    private static func checkedHeader(_ file: [UInt8]) throws(StoreError) -> (Cost, salt: [UInt8]) {
        guard file.count > magic.count, Array(file[..<magic.count]) == magic else { throw .backup(.notABackup) }
        guard file[magic.count] == version else { throw .backup(.newerVersion(Int(file[magic.count]))) }
        guard file.count >= headerLength else { throw .backup(.cutShort(bytes: file.count, of: headerLength)) }
        var reader = ListReader(Array(file[(magic.count + 1)..<headerLength]))
        guard let passes = reader.number(UInt32.self), let kibibytes = reader.number(UInt32.self),
            let salt = reader.take(saltLength), let length = reader.number(UInt64.self)
        else { throw .backup(.notABackup) }
        let cost = Cost(passes: passes, kibibytes: kibibytes)
        guard cost.isAllowed, length <= UInt64(longestFile) else { throw .backup(.cost) }
        let whole = headerLength + Int(length)
        if file.count < whole { throw .backup(.cutShort(bytes: file.count, of: whole)) }
        if file.count > whole { throw .backup(.tooLong(bytes: file.count, of: whole)) }
        return (cost, Array(salt))
    }
}
