// SPDX-License-Identifier: Apache-2.0
// One-time recovery codes. A code has 80 random bits, so a keyed hash suffices to store it: even with the key nobody can try them all.

import Platform

/// What the store says of a recovery code; the code itself is shown once, when it is made.
public struct RecoveryCodeSummary: Equatable, Sendable {
    /// Counts within the user's codes.
    public let number: Int64
    /// When it was made: milliseconds since 1970.
    public let created: Int64
    /// When it was used, or nil.
    public let used: Int64?
}

extension Store {
    /// How many codes are made at a time.
    public static let recoveryCodeCount = 10

    /// Makes ten new codes, in groups of four letters and digits; those that were there are no longer valid.
    public mutating func makeRecoveryCodes(user: String, uid: UInt32, at time: Int64) throws(StoreError) -> [String] {
        let codes = try Store.drawRecoveryCodes()
        try replaceRecoveryCodes(by: codes, user: user, uid: uid, at: time)
        return codes
    }

    /// Ten codes that are good for nothing yet: they can be shown before those of earlier are given up for them.
    public static func drawRecoveryCodes() throws(StoreError) -> [String] {
        try (0..<recoveryCodeCount).map { (_) throws(StoreError) in
            RecoveryCode.text(try Cryptography.random(RecoveryCode.byteCount))
        }
    }

    /// Makes drawn codes the user's, in one transaction; those that were there are no longer valid.
    public mutating func replaceRecoveryCodes(
        by codes: [String], user: String, uid: UInt32, at time: Int64
    ) throws(StoreError) {
        try write { (store) throws(StoreError) in
            try store.database.query("DELETE FROM recovery WHERE user=?", [Value(user)])
            for code in codes {
                guard let bytes = RecoveryCode.bytes(Array(code.utf8)) else { throw .damaged("a new recovery code") }
                let hash = try store.recoveryHash(bytes, user: user, uid: uid)
                try store.database.query(
                    "INSERT INTO recovery(user, uid, hash, created) VALUES(?, ?, ?, ?)",
                    [Value(user), .integer(Int64(uid)), Value(hash), .integer(time)])
            }
        }
    }

    /// The user's codes, used ones as well.
    public func recoveryCodes(of user: String) throws(StoreError) -> [RecoveryCodeSummary] {
        let rows = try database.query("SELECT created, used FROM recovery WHERE user=? ORDER BY id", [Value(user)])
        return try rows.enumerated().map { (index, row) throws(StoreError) in
            guard let created = row[0].integer else { throw .damaged("a recovery code") }
            return RecoveryCodeSummary(number: Int64(index + 1), created: created, used: row[1].integer)
        }
    }

    /// Whether the user has a code that was not used.
    public func hasRecoveryCode(_ user: String) throws(StoreError) -> Bool {
        try !database.query("SELECT 1 FROM recovery WHERE user=? AND used IS NULL LIMIT 1", [Value(user)]).isEmpty
    }

    /// Makes all codes of a user invalid; how many there were.
    @discardableResult
    public mutating func revokeRecoveryCodes(of user: String) throws(StoreError) -> Int {
        try write { (store) throws(StoreError) in
            try store.database.change("DELETE FROM recovery WHERE user=?", [Value(user)])
        }
    }

    /// Uses a code up; true for exactly one of any number of attempts with the same code, and only for this user.
    ///
    /// - Parameter typed: what the person typed; case, blanks and hyphens do not matter.
    public mutating func useRecoveryCode(
        _ typed: [UInt8], user: String, uid: UInt32, at time: Int64
    ) throws(StoreError) -> Bool {
        guard let bytes = RecoveryCode.bytes(typed) else { return false }
        return try write { (store) throws(StoreError) in
            let hash = try store.recoveryHash(bytes, user: user, uid: uid)
            let changed = try store.database.change(
                "UPDATE recovery SET used=? WHERE user=? AND uid=? AND hash=? AND used IS NULL",
                [.integer(time), Value(user), .integer(Int64(uid)), Value(hash)])
            return changed == 1
        }
    }

    private func recoveryHash(_ bytes: [UInt8], user: String, uid: UInt32) throws(StoreError) -> [UInt8] {
        var content = Canonical("secondlook recovery code 1")
        content.add(user)
        content.add(UInt64(uid))
        content.add(bytes)
        return try Cryptography.hash(content, key: keys.recovery)
    }
}

/// A code as text: 16 characters of an alphabet without look-alikes, in four groups.
enum RecoveryCode {
    static let byteCount = 10
    /// Crockford's base 32: no I, L, O, U.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var letters: [UInt8] = []
        for group in stride(from: 0, to: bytes.count, by: 5) {
            let bits = bytes[group..<group + 5].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            for shift in stride(from: UInt64(35), through: 0, by: -5) {
                letters.append(alphabet[Int(bits >> shift & 31)])
            }
        }
        return stride(from: 0, to: letters.count, by: 4)
            .map { String(decoding: letters[$0..<$0 + 4], as: UTF8.self) }.joined(separator: "-")
    }

    /// Nil when the text cannot be a code.
    ///
    /// Small letters, blanks, hyphens and the look-alikes O, I and L are understood.
    static func bytes(_ typed: [UInt8]) -> [UInt8]? {
        var digits: [UInt64] = []
        for var letter in typed where letter != UInt8(ascii: " ") && letter != UInt8(ascii: "-") {
            if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) { letter -= 32 }
            if letter == UInt8(ascii: "O") { letter = UInt8(ascii: "0") }
            if letter == UInt8(ascii: "I") || letter == UInt8(ascii: "L") { letter = UInt8(ascii: "1") }
            guard let digit = alphabet.firstIndex(of: letter), digits.count < 16 else { return nil }
            digits.append(UInt64(digit))
        }
        guard digits.count == 16 else { return nil }
        return [digits[..<8], digits[8...]].flatMap { half in
            let bits = half.reduce(UInt64(0)) { $0 << 5 | $1 }
            return stride(from: UInt64(32), through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> $0) }
        }
    }
}
