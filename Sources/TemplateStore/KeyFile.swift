// SPDX-License-Identifier: Apache-2.0
// The key that seals the store: one line a key, "secondlook-key 1 <number> <key>", both in hexadecimal digits. While keys are being
// changed the file has two lines, so that whichever the store says it is sealed by, it opens.

import Platform

/// The keys of a store, by their numbers.
struct KeyFile: ~Copyable {
    static let name = "key"
    private static let limit = 1024

    let path: String
    /// False when the key is provided by the system (a systemd credential that a unit copied to /run).
    let isOurs: Bool
    private(set) var numbers: [String] = []
    private var first: SecretBytes?
    private var second: SecretBytes?

    /// A fresh key that is not written yet.
    init(fresh path: String) throws(StoreError) {
        self.path = path
        isOurs = true
        numbers = [Hex.text(try Cryptography.random(8))]
        first = try platform { () throws(PlatformError) in try SecretBytes(random: Cryptography.keyLength) }
        second = nil
    }

    /// Reads the keys; nil when the file does not exist.
    static func read(_ path: String, isOurs: Bool) throws(StoreError) -> KeyFile? {
        guard SafeFile.exists(path) else { return nil }
        var bytes = try platform { () throws(PlatformError) in
            try SafeFile.read(path, limit: limit, as: .privateFile)
        }
        defer { SecretBytes.wipe(&bytes) }
        return try KeyFile(bytes, path: path, isOurs: isOurs)
    }

    private init(_ bytes: [UInt8], path: String, isOurs: Bool) throws(StoreError) {
        self.path = path
        self.isOurs = isOurs
        first = nil
        second = nil
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count == 4, Array(words[0]) == Array("secondlook-key".utf8), Array(words[1]) == [0x31],
                words[2].count == 16, let key = Hex.bytes(String(decoding: words[3], as: UTF8.self)),
                key.count == Cryptography.keyLength, numbers.count < 2
            else { throw .badKey(path: path) }
            var copy = key
            let secret = try platform { () throws(PlatformError) in try SecretBytes(wiping: &copy) }
            if numbers.isEmpty { first = consume secret } else { second = consume secret }
            numbers.append(String(decoding: words[2], as: UTF8.self))
        }
        guard !numbers.isEmpty else { throw .badKey(path: path) }
    }

    /// Writes the key of that number, and those of `other`.
    borrowing func write(only number: String, adding other: borrowing KeyFile) throws(StoreError) {
        var lines = line(number) + other.text
        defer { SecretBytes.wipe(&lines) }
        let content = lines
        try platform { () throws(PlatformError) in try SafeFile.replace(path, with: content, mode: 0o600) }
    }

    /// Writes the keys.
    borrowing func write() throws(StoreError) {
        var lines = text
        defer { SecretBytes.wipe(&lines) }
        let content = lines
        try platform { () throws(PlatformError) in try SafeFile.replace(path, with: content, mode: 0o600) }
    }

    private var text: [UInt8] { numbers.flatMap { line($0) } }

    private func line(_ number: String) -> [UInt8] {
        // SAFETY: the digits are made while the bytes are lent; whoever writes them out wipes them.
        let digits = withKey(number) { key in unsafe key.withBytes { unsafe Array(Hex.text($0).utf8) } }
        return Array("secondlook-key 1 \(number) ".utf8) + (digits ?? []) + [UInt8(ascii: "\n")]
    }

    /// Lends the key of that number; nil when there is none.
    borrowing func withKey<Result: ~Copyable, Failure: Error>(
        _ number: String, _ body: (borrowing SecretBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        if numbers.first == number {
            switch first {
            case .some(let key): return try body(key)
            case .none: return nil
            }
        }
        if numbers.count > 1, numbers[1] == number {
            switch second {
            case .some(let key): return try body(key)
            case .none: return nil
            }
        }
        return nil
    }
}
