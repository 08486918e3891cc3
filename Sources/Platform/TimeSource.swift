// SPDX-License-Identifier: Apache-2.0
// Time is passed in, so that a test can set the clock.

import CLinux

/// Where the time comes from.
public protocol TimeSource: Sendable {
    /// Milliseconds of a clock that never runs backwards (CLOCK_MONOTONIC).
    func now() -> UInt64
    /// Milliseconds since 1970 by the wall clock, which an administrator may set.
    func wall() -> Int64
    /// Milliseconds since the machine started, sleep counted (CLOCK_BOOTTIME).
    func sinceBoot() -> UInt64
}

extension TimeSource {
    /// For clocks of tests that never sleep.
    public func sinceBoot() -> UInt64 { now() }
}

/// The machine's clocks.
public struct SystemTime: TimeSource {
    /// The machine's clocks.
    public init() {}

    /// CLOCK_MONOTONIC in milliseconds.
    public func now() -> UInt64 { clinux_monotonic_milliseconds() }

    /// CLOCK_REALTIME in milliseconds since 1970.
    public func wall() -> Int64 { clinux_wall_milliseconds() }

    /// CLOCK_BOOTTIME in milliseconds.
    public func sinceBoot() -> UInt64 { clinux_boot_milliseconds() }

    /// Processor time this process has used, in milliseconds.
    public static func processorTime() -> UInt64 { clinux_processor_milliseconds() }
}

/// Facts about the running system.
public enum Machine {
    /// The kernel's number for this boot, 36 characters; it changes with each boot.
    public static func bootIdentifier() throws(PlatformError) -> String {
        let path = "/proc/sys/kernel/random/boot_id"
        let bytes = try SafeFile.readUnchecked(path, limit: 64)
        let text = String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
        guard text.utf8.count == 36 else { throw .unsafeFile(path: path, problem: "has no boot number") }
        return text
    }

    /// Bytes from the kernel's generator.
    public static func randomBytes(_ count: Int) throws(PlatformError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = unsafe bytes.withUnsafeMutableBytes { room in
            // SAFETY: the pointer and the length belong to the array that is lent for the call.
            unsafe clinux_fill_random(room.baseAddress, room.count)
        }
        try check(result, "read random bytes")
        return bytes
    }

    /// The kind of this processor, as far as number-crunching libraries choose their code by it.
    public static var processor: String {
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
            unsafe room.initialize(repeating: 0)
            // SAFETY: the C side writes at most `count` bytes and ends them with a NUL.
            unsafe clinux_describe_processor(room.baseAddress, room.count)
            return unsafe String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return text
    }

    /// The number of the effective user.
    public static var effectiveUser: UInt32 { clinux_effective_user() }
    /// The number of this process.
    public static var ownProcess: Int32 { clinux_own_process() }
}
