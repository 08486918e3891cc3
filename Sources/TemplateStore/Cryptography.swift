// SPDX-License-Identifier: Apache-2.0
// Sealing, keyed hashing and comparing, over libsodium. No algorithm is made here.

import CSodium
import Platform

/// A list of fields in one unambiguous form: what is hashed, and what a seal is bound to.
struct Canonical {
    private(set) var bytes: [UInt8] = []

    /// Begins with the name of the purpose, so that bytes made for one can never pass for another.
    init(_ purpose: String) { add(purpose) }

    mutating func add(_ text: String) { add(Array(text.utf8)) }

    mutating func add(_ field: [UInt8]) {
        add(UInt64(field.count))
        bytes.append(contentsOf: field)
    }

    mutating func add(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// A number that may be missing.
    mutating func add(_ number: Double?) {
        add(number == nil ? [0] : [1])
        add(number?.bitPattern ?? 0)
    }
}

/// The calls of libsodium.
enum Cryptography {
    static let keyLength = Int(CSODIUM_KEY.rawValue)
    static let nonceLength = Int(CSODIUM_NONCE.rawValue)
    static let tagLength = Int(CSODIUM_TAG.rawValue)
    static let hashLength = Int(CSODIUM_HASH.rawValue)
    static let saltLength = Int(CSODIUM_SALT.rawValue)

    static func start() throws(StoreError) {
        guard csodium_start() == 0 else { throw .cryptography }
    }

    /// A fresh nonce and the sealed bytes in one.
    static func seal(_ plain: [UInt8], bound: [UInt8], key: borrowing SecretBytes) throws(StoreError) -> [UInt8] {
        precondition(key.count == keyLength)
        let nonce = try random(nonceLength)
        var sealed = [UInt8](repeating: 0, count: plain.count + tagLength)
        let result = unsafe key.withBytes { keyBytes in
            // SAFETY: every pointer is lent for the call; `sealed` has room for the tag, the key's length was checked.
            unsafe csodium_seal(
                &sealed, plain, plain.count, bound, bound.count, nonce,
                keyBytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        }
        guard result == 0 else { throw .cryptography }
        return nonce + sealed
    }

    /// What was sealed; nil when a bit of it, of what it is bound to, or of the key differs.
    static func open(_ sealed: [UInt8], bound: [UInt8], key: borrowing SecretBytes) -> [UInt8]? {
        precondition(key.count == keyLength)
        guard sealed.count >= nonceLength + tagLength else { return nil }
        let nonce = Array(sealed[..<nonceLength])
        let content = Array(sealed[nonceLength...])
        var plain = [UInt8](repeating: 0, count: content.count - tagLength)
        let result = unsafe key.withBytes { keyBytes in
            // SAFETY: every pointer is lent for the call; `plain` has the content's length without the tag.
            unsafe csodium_open(
                &plain, content, content.count, bound, bound.count, nonce,
                keyBytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        }
        return result == 0 ? plain : nil
    }

    /// BLAKE2b-256 under a key.
    static func hash(_ content: Canonical, key: borrowing SecretBytes) throws(StoreError) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: hashLength)
        let bytes = content.bytes
        let result = unsafe key.withBytes { keyBytes in
            // SAFETY: every pointer is lent for the call; `hash` has the length the C side writes.
            unsafe csodium_hash(
                &hash, bytes, bytes.count, keyBytes.baseAddress?.assumingMemoryBound(to: UInt8.self), keyBytes.count)
        }
        guard result == 0 else { throw .cryptography }
        return hash
    }

    /// A key for one purpose, made from another key.
    static func derive(_ purpose: String, from key: borrowing SecretBytes) throws(StoreError) -> SecretBytes {
        var bytes = try hash(Canonical(purpose), key: key)
        return try platform { () throws(PlatformError) in try SecretBytes(wiping: &bytes) }
    }

    /// A key made of a passphrase by Argon2id.
    static func stretch(
        _ passphrase: borrowing SecretBytes, salt: [UInt8], cost: Backup.Cost
    ) throws(StoreError) -> SecretBytes {
        precondition(salt.count == saltLength)
        var key = [UInt8](repeating: 0, count: keyLength)
        let result = unsafe passphrase.withBytes { bytes in
            // SAFETY: every pointer is lent for the call; key and salt have the lengths the C side expects.
            unsafe csodium_stretch(
                &key, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, salt, cost.passes,
                cost.kibibytes)
        }
        guard result == 0 else { throw .backup(.memory(kibibytes: cost.kibibytes)) }
        return try platform { () throws(PlatformError) in try SecretBytes(wiping: &key) }
    }

    static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        // SAFETY: both have `one.count` bytes.
        return unsafe csodium_is_equal(one, other, one.count) == 1
    }

    static func random(_ count: Int) throws(StoreError) -> [UInt8] {
        try platform { () throws(PlatformError) in try Machine.randomBytes(count) }
    }
}

/// Runs a call of the system and words its fault as one of the store.
func platform<Result: ~Copyable>(_ body: () throws(PlatformError) -> Result) throws(StoreError) -> Result {
    do throws(PlatformError) { return try body() } catch { throw .file(error) }
}

/// Lower-case hexadecimal digits.
public enum Hex {
    /// Two digits a byte.
    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The bytes; nil for an odd number of digits or anything but 0-9 and a-f.
    public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var digits: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39: digits.append(byte - 0x30)
            case 0x61...0x66: digits.append(byte - 0x61 + 10)
            default: return nil
            }
        }
        guard digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
