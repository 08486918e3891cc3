// SPDX-License-Identifier: Apache-2.0
// Cuts a stream of bytes into frames and puts frames together; knows no message.

/// A type byte and its payload.
public struct RawFrame: Sendable, Equatable {
    /// The protocol version in the first byte of every frame.
    public static let version: UInt8 = 1
    /// Bytes before the payload.
    public static let headerLength = 4

    /// The message's type.
    public let type: UInt8
    /// The message's fields.
    public let payload: [UInt8]

    /// A frame; the payload must have at most 65,535 bytes.
    public init(type: UInt8, payload: [UInt8]) {
        precondition(payload.count <= Int(UInt16.max))
        self.type = type
        self.payload = payload
    }

    /// The frame as it travels.
    public var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.put(RawFrame.version)
        writer.put(type)
        writer.put(UInt16(payload.count))
        writer.put(raw: payload)
        return writer.bytes
    }
}

/// Collects received bytes until a frame is whole.
public struct Deframer: Sendable {
    /// The longest payload accepted of a type; nil for a type that this end does not receive.
    public typealias Limits = @Sendable (_ type: UInt8) -> Int?

    private let limits: Limits
    private var buffer: [UInt8] = []

    /// A deframer that refuses types and lengths outside `limits` as soon as the header is there.
    public init(limits: @escaping Limits) { self.limits = limits }

    /// Adds received bytes.
    public mutating func append(_ bytes: some Sequence<UInt8>) { buffer.append(contentsOf: bytes) }

    /// True when bytes of an unfinished frame are waiting.
    public var isMidFrame: Bool { !buffer.isEmpty }

    /// The next whole frame, or nil when more bytes are needed.
    public mutating func next() throws(WireError) -> RawFrame? {
        guard buffer.count >= 1 else { return nil }
        guard buffer[0] == RawFrame.version else { throw .version(buffer[0]) }
        guard buffer.count >= 2 else { return nil }
        guard let limit = limits(buffer[1]) else { throw .type(buffer[1]) }
        guard buffer.count >= RawFrame.headerLength else { return nil }
        let length = Int(buffer[2]) << 8 | Int(buffer[3])
        guard length <= limit else { throw .length(type: buffer[1], length: length, limit: limit) }
        let end = RawFrame.headerLength + length
        guard buffer.count >= end else { return nil }
        let frame = RawFrame(type: buffer[1], payload: Array(buffer[RawFrame.headerLength..<end]))
        wipe(upTo: end)
        return frame
    }

    /// The bytes may have been a secret, so they are overwritten before they are let go.
    private mutating func wipe(upTo end: Int) {
        for i in 0..<end { buffer[i] = 0 }
        buffer.removeFirst(end)
    }
}
