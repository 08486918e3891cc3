// SPDX-License-Identifier: Apache-2.0
// The hash of a file, taken piece by piece, so that a program can do something else between the pieces.

import CSodium

/// A hash under way.
@safe public struct Digest: ~Copyable {
    /// Which hash.
    public enum Algorithm: Sendable {
        /// SHA-256: what is written down publicly for a file. libsodium takes about 5 ms a megabyte.
        case sha256
        /// BLAKE2b-256: as hard to fool and about four times as fast; recorded at installation for the check at each start.
        case blake2b
    }

    private let state: OpaquePointer

    /// Begins a hash.
    public init(_ algorithm: Algorithm) throws(StoreError) {
        try Cryptography.start()
        // SAFETY: nil is answered with an error; the state is freed in deinit only.
        guard let begun = unsafe csodium_begin_digest(algorithm == .sha256 ? 1 : 0) else { throw .cryptography }
        unsafe state = begun
    }

    deinit {
        // SAFETY: made by csodium_begin_digest.
        unsafe csodium_free_digest(state)
    }

    /// Adds bytes.
    public mutating func add(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        // SAFETY: the buffer is the caller's for the length of the call.
        guard unsafe csodium_add_to_digest(state, bytes.baseAddress, bytes.count) == 0 else { throw .cryptography }
    }

    /// Adds bytes.
    public mutating func add(_ bytes: [UInt8]) throws(StoreError) {
        let state = unsafe state
        let result = unsafe bytes.withUnsafeBytes { room in
            // SAFETY: the array's storage is lent for the call.
            unsafe csodium_add_to_digest(state, room.baseAddress, room.count)
        }
        guard result == 0 else { throw .cryptography }
    }

    /// The 32 bytes of the hash; nothing can be added after this.
    public mutating func finish() throws(StoreError) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Cryptography.hashLength)
        // SAFETY: `hash` has the length the C side writes.
        guard unsafe csodium_finish_digest(state, &hash) == 0 else { throw .cryptography }
        return hash
    }

    /// The hash of bytes in memory, as lower-case hexadecimal digits.
    public static func hex(_ algorithm: Algorithm, of bytes: [UInt8]) throws(StoreError) -> String {
        var digest = try Digest(algorithm)
        try digest.add(bytes)
        return Hex.text(try digest.finish())
    }
}
