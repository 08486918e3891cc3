// SPDX-License-Identifier: Apache-2.0
// The key of a backup file and its seal. Apart from the header, whose check needs neither a passphrase nor a library.

public import Platform

extension Backup {
    /// The bytes of a backup file: its header, then nonce (24 bytes) and the sealed list with its tag (16), bound to the header.
    public static func seal(
        _ enrolments: [SavedEnrolment], passphrase: borrowing SecretBytes, cost: Cost = .standard
    ) throws(StoreError) -> [UInt8] {
        try Cryptography.start()
        var plain = SavedList.encode(enrolments)
        defer { SecretBytes.wipe(&plain) }
        let header = Header(
            cost: cost, salt: try Cryptography.random(Header.saltLength),
            rest: Cryptography.nonceLength + plain.count + Cryptography.tagLength)
        let key = try Cryptography.stretch(passphrase, salt: header.salt, cost: cost)
        return header.bytes + (try Cryptography.seal(plain, bound: header.bytes, key: key))
    }

    /// The enrolments of a backup file; everything in it is checked, and any fault refuses all of it.
    public static func open(
        _ file: [UInt8], passphrase: borrowing SecretBytes
    ) throws(StoreError) -> [SavedEnrolment] {
        try Cryptography.start()
        let header = try checkedHeader(file)
        let key = try Cryptography.stretch(passphrase, salt: header.salt, cost: header.cost)
        guard var plain = Cryptography.open(Array(file[Header.length...]), bound: header.bytes, key: key) else {
            throw .backup(.passphraseOrChanged)
        }
        defer { SecretBytes.wipe(&plain) }
        guard let enrolments = SavedList.decode(plain) else { throw .backup(.content) }
        return enrolments
    }

    /// What can be said without the passphrase; nothing is stretched for a file that cannot be one.
    public static func check(_ file: [UInt8]) throws(StoreError) { _ = try checkedHeader(file) }

    private static func checkedHeader(_ file: [UInt8]) throws(StoreError) -> Header {
        do throws(BackupFault) { return try Header(of: file) } catch { throw .backup(error) }
    }
}
