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

    private var limits: Limits
    private var buffer: [UInt8] = []
    private var start = 0

    /// A deframer that refuses types and lengths outside `limits` as soon as the header is there.
    ///
    /// Room for `reserving` bytes is taken at once: an array that grows leaves a copy behind, and the bytes may be a secret.
    public init(reserving: Int = 16384, limits: @escaping Limits) {
        self.limits = limits
        buffer.reserveCapacity(reserving)
    }

    /// From the next header on, other types or lengths are taken.
    public mutating func permit(_ limits: @escaping Limits) { self.limits = limits }

    /// Adds received bytes.
    public mutating func append(_ bytes: some Sequence<UInt8>) {
        compact()
        buffer.append(contentsOf: bytes)
    }

    /// True when bytes of an unfinished frame are waiting.
    public var isMidFrame: Bool { start < buffer.count }

    /// The next whole frame, or nil when more bytes are needed.
    public mutating func next() throws(WireError) -> RawFrame? {
        let count = buffer.count - start
        guard count >= 1 else { return nil }
        guard buffer[start] == RawFrame.version else { throw .version(buffer[start]) }
        guard count >= 2 else { return nil }
        let type = buffer[start + 1]
        guard let limit = limits(type) else { throw .type(type) }
        guard count >= RawFrame.headerLength else { return nil }
        let length = Int(buffer[start + 2]) << 8 | Int(buffer[start + 3])
        guard length <= limit else { throw .length(type: type, length: length, limit: limit) }
        guard count - RawFrame.headerLength >= length else { return nil }
        let payload = start + RawFrame.headerLength
        let frame = RawFrame(type: type, payload: Array(buffer[payload..<payload + length]))
        for i in start..<payload + length { buffer[i] = 0 }
        start = payload + length
        return frame
    }

    /// Moves what waits to the front; the bytes may have been a secret, so the place they leave is overwritten.
    private mutating func compact() {
        guard start > 0 else { return }
        let waiting = buffer.count - start
        for i in 0..<waiting { buffer[i] = buffer[start + i] }
        for i in waiting..<buffer.count { buffer[i] = 0 }
        buffer.removeLast(start)
        start = 0
    }
}
