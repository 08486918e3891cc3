// SPDX-License-Identifier: Apache-2.0
// The one type for passwords, answers and keys. It has one owner, no description, and is overwritten at the end of its life.

import CLinux

/// Bytes that are kept out of swap and core files where the system allows it, and wiped when their owner ends.
@safe public struct SecretBytes: ~Copyable, @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    /// How many bytes there are.
    public let count: Int

    /// Takes the bytes over and overwrites the array they came in, whoever else still refers to its storage.
    public init(wiping bytes: inout [UInt8]) throws(PlatformError) {
        try self.init(count: bytes.count)
        for i in 0..<count {
            // SAFETY: `i` is within the allocation of `count` bytes.
            unsafe base.storeBytes(of: bytes[i], toByteOffset: i, as: UInt8.self)
        }
        SecretBytes.wipe(&bytes)
    }

    /// Random bytes.
    public init(random count: Int) throws(PlatformError) {
        var bytes = try Machine.randomBytes(count)
        try self.init(wiping: &bytes)
    }

    private init(count: Int) throws(PlatformError) {
        // SAFETY: nil is answered with an error; the memory is freed in deinit only.
        guard let memory = unsafe clinux_allocate_secret(count) else {
            throw .system(action: "allocate memory for a secret", subject: "", code: 12)
        }
        unsafe base = memory
        self.count = count
    }

    deinit {
        // SAFETY: allocated by clinux_allocate_secret with the same length.
        unsafe clinux_free_secret(base, count)
    }

    /// True when there is no byte.
    public var isEmpty: Bool { count == 0 }

    /// Lends the bytes for a call; they must not be kept.
    public borrowing func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // SAFETY: the buffer covers exactly the allocation, which outlives the call.
        try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Whether both have the same bytes; the time it takes depends on their number alone.
    public borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
        guard count == other.count else { return false }
        return unsafe withBytes { mine in
            unsafe other.withBytes { theirs in
                // SAFETY: both are lent for the call and have `count` bytes.
                unsafe zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
            }
        }
    }

    /// Lends the bytes for writing; they must not be kept.
    public mutating func withMutableBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // SAFETY: as above.
        try unsafe body(UnsafeMutableRawBufferPointer(start: base, count: count))
    }

    /// Overwrites an array in place, also when its storage is shared, and empties it.
    public static func wipe(_ bytes: inout [UInt8]) {
        unsafe bytes.withUnsafeBytes { room in
            // SAFETY: the storage is heap memory of `room.count` bytes. It is written although it may be shared, on purpose: every
            // holder of the same storage is to lose the secret.
            unsafe clinux_wipe(UnsafeMutableRawPointer(mutating: room.baseAddress), room.count)
        }
        bytes = []
    }
}
