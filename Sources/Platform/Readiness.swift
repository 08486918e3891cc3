// SPDX-License-Identifier: Apache-2.0
// Waiting for descriptors with a deadline; the only place above C that waits.

import CLinux

/// Waits until descriptors can be used.
public enum Readiness {
    /// Waits until at least one of at most eight descriptors can be read or has ended, and returns those; empty at the deadline
    /// (milliseconds of the monotonic clock).
    public static func wait(toRead descriptors: [Int32], until deadline: UInt64) throws(PlatformError) -> Set<Int32> {
        let bits = unsafe descriptors.withUnsafeBufferPointer { numbers in
            // SAFETY: pointer and count belong to the array that is lent for the call.
            unsafe clinux_wait_ready(numbers.baseAddress, UInt32(numbers.count), 0, deadline)
        }
        try check(bits, "wait")
        return Set(descriptors.indices.filter { bits >> Int32($0) & 1 == 1 }.map { descriptors[$0] })
    }

    /// Waits for nothing but the time.
    public static func pause(until deadline: UInt64) throws(PlatformError) {
        var nothing: Int32 = -1
        // SAFETY: one integer lent for the call; a negative descriptor is never ready.
        try check(unsafe clinux_wait_ready(&nothing, 1, 0, deadline), "wait")
    }

    /// Waits until a descriptor can be written to or has ended; false at the deadline.
    public static func wait(toWrite descriptor: Int32, until deadline: UInt64) throws(PlatformError) -> Bool {
        var number = descriptor
        // SAFETY: one integer lent for the call.
        return try check(unsafe clinux_wait_ready(&number, 1, 1, deadline), "wait") != 0
    }
}
