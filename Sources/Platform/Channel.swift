// SPDX-License-Identifier: Apache-2.0
// A local stream socket that moves bytes and single descriptors, never blocks beyond a deadline and never raises SIGPIPE. It knows
// no message: framing is the codec's business.

import CLinux

/// One end of a connected local stream socket.
public struct Channel: ~Copyable, Sendable {
    /// What one call received.
    public struct Received: ~Copyable {
        /// At least one byte.
        public let bytes: [UInt8]
        private var descriptor: Descriptor?

        init(bytes: [UInt8], descriptor: consuming Descriptor?) {
            self.bytes = bytes
            self.descriptor = descriptor
        }

        /// True when a descriptor came along and was not yet taken.
        public var hasDescriptor: Bool {
            switch descriptor {
            case .none: false
            case .some: true
            }
        }

        /// The descriptor that came along; nil when there was none or it was taken before.
        public mutating func takeDescriptor() -> Descriptor? { descriptor.take() }
    }

    /// The most bytes one call of `receive` returns.
    public static let mostReceived = 16_384

    private let socket: Descriptor

    /// Takes over a connected stream socket.
    public init(_ socket: consuming Descriptor) { self.socket = socket }

    /// Two connected ends.
    public static func makePair() throws(PlatformError) -> ChannelPair {
        var first: Int32 = -1
        var second: Int32 = -1
        // SAFETY: the C side writes two integers that are lent for the call.
        try check(unsafe clinux_make_socket_pair(&first, &second), "make a socket pair")
        return ChannelPair(first: Channel(Descriptor(owning: first)), second: Channel(Descriptor(owning: second)))
    }

    /// The socket's number, for waiting and for spawning.
    public var raw: Int32 { socket.raw }

    /// Gives the socket away.
    public consuming func take() -> Descriptor { socket }

    /// Sends all bytes before the deadline (milliseconds of the monotonic clock).
    public borrowing func send(_ bytes: [UInt8], until deadline: UInt64) throws(PlatformError) {
        try send(bytes, passed: -1, until: deadline)
    }

    /// Sends all bytes, and with the first of them a copy of a descriptor.
    public borrowing func send(
        _ bytes: [UInt8], passing descriptor: borrowing Descriptor, until deadline: UInt64
    ) throws(PlatformError) {
        try send(bytes, passed: descriptor.raw, until: deadline)
    }

    private borrowing func send(_ bytes: [UInt8], passed: Int32, until deadline: UInt64) throws(PlatformError) {
        var sent = 0
        while sent < bytes.count {
            let result = unsafe bytes.withUnsafeBytes { room in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: room[sent...])
                // SAFETY: pointer and length describe the unsent rest of the array, lent for the call.
                return unsafe clinux_send(socket.raw, rest.baseAddress, rest.count, sent == 0 ? passed : -1)
            }
            if result == -11 {
                guard try Readiness.wait(toWrite: socket.raw, until: deadline) else { throw .timedOut("sending") }
                continue
            }
            sent += try check(result, "send")
        }
    }

    /// The next bytes, with the descriptor that came along; nil at the end of the stream.
    ///
    /// Throws `timedOut` at the deadline (milliseconds of the monotonic clock), `protocolBroken` for more than one descriptor.
    public borrowing func receive(until deadline: UInt64) throws(PlatformError) -> Received? {
        var passed: Int32 = -1
        while true {
            var length = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Channel.mostReceived) { room, count in
                // SAFETY: the C side writes at most `room.count` bytes and tells how many; only those are counted as initialised.
                length = unsafe clinux_receive(socket.raw, room.baseAddress, room.count, &passed)
                count = max(0, length)
            }
            switch length {
            case 0: return nil
            case 1...: return Received(bytes: bytes, descriptor: passed >= 0 ? Descriptor(owning: passed) : nil)
            case -11:
                guard try Readiness.wait(toRead: [socket.raw], until: deadline) != [] else {
                    throw .timedOut("receiving")
                }
            case -74: throw .protocolBroken("more came along than one descriptor")
            // A peer that died with unread bytes in its socket resets the connection: for the reader that is its end.
            case -104: return nil
            default: try check(length, "receive")
            }
        }
    }

    /// Closes the sending half: the other end reads to the end of the stream.
    public borrowing func endSending() throws(PlatformError) {
        try check(clinux_end_sending(socket.raw), "end sending")
    }

    /// Who connected, as the kernel recorded it then.
    public borrowing func peer() throws(PlatformError) -> PeerCredentials {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
        // SAFETY: three integers lent for the call.
        try check(unsafe clinux_find_peer(socket.raw, &process, &user, &group), "ask who is connected")
        return PeerCredentials(process: process, user: user, group: group)
    }

    /// True for a local stream socket: nothing else is talked to.
    public borrowing func isLocalStream() throws(PlatformError) -> Bool {
        try check(clinux_is_local_stream(socket.raw), "inspect a socket") == 1
    }
}

/// The two ends of a fresh pair.
@frozen public struct ChannelPair: ~Copyable {
    /// One end.
    public var first: Channel
    /// The other end.
    public var second: Channel

    /// Gives one end away and closes the other.
    public consuming func takeFirst() -> Channel { first }
}

/// The process at the other end of a socket.
public struct PeerCredentials: Equatable, Sendable {
    /// Its number when it connected.
    public let process: Int32
    /// Its effective user.
    public let user: UInt32
    /// Its effective group.
    public let group: UInt32
}
