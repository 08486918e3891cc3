// SPDX-License-Identifier: Apache-2.0
// Big-endian reading and writing with every length checked. Nothing here traps on foreign bytes.

import Biometrics

/// Appends fields to a payload.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ value: UInt8) { bytes.append(value) }

    mutating func put(_ value: UInt16) { putBigEndian(value) }

    mutating func put(_ value: UInt32) { putBigEndian(value) }

    mutating func put(_ value: UInt64) { putBigEndian(value) }

    mutating func put(_ value: Float) { putBigEndian(value.bitPattern) }

    mutating func put(_ point: Point) {
        put(point.x)
        put(point.y)
    }

    mutating func put(raw: [UInt8]) { bytes.append(contentsOf: raw) }

    /// Puts a text that only informs: NULs are left out, and what is too long is cut between two Unicode scalars, so that a text
    /// that is not empty stays so (cutting between characters would empty one that is a single long cluster).
    mutating func put(text: String, limit: Int) {
        var kept: [UInt8] = []
        for scalar in text.unicodeScalars where scalar != "\0" {
            let encoded = UTF8.encode(scalar)
            guard let encoded, kept.count + encoded.count <= limit else { break }
            kept.append(contentsOf: encoded)
        }
        put(UInt16(kept.count))
        bytes.append(contentsOf: kept)
    }

    /// Puts a text that names somebody or something: one that cannot travel unchanged travels as the empty text, which names nobody.
    mutating func put(name: String, limit: Int) {
        put(text: name.utf8.count <= limit && !name.utf8.contains(0) ? name : "", limit: limit)
    }

    private mutating func putBigEndian<T: FixedWidthInteger>(_ value: T) {
        for shift in stride(from: T.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> T(shift)))
        }
    }
}

/// Takes fields off a payload.
struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func byte() throws(WireError) -> UInt8 {
        guard position < bytes.count else { throw .short }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func integer<T: FixedWidthInteger>(_ type: T.Type = T.self) throws(WireError) -> T {
        var value: T = 0
        for _ in 0..<(T.bitWidth / 8) { value = value << 8 | T(truncatingIfNeeded: try byte()) }
        return value
    }

    mutating func float(_ field: String, _ range: ClosedRange<Float>) throws(WireError) -> Float {
        let value = Float(bitPattern: try integer())
        guard value.isFinite, range.contains(value) else { throw .range(field) }
        return value
    }

    mutating func bytes(_ count: Int) throws(WireError) -> [UInt8] {
        guard count >= 0, bytes.count - position >= count else { throw .short }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    mutating func text(limit: Int) throws(WireError) -> String {
        let length = Int(try integer(UInt16.self))
        guard length <= limit else { throw .range("text length") }
        guard bytes.count - position >= length else { throw .short }
        defer { position += length }
        let slice = bytes[position..<position + length]
        guard !slice.contains(0), let text = String(validating: slice, as: UTF8.self) else { throw .text }
        return text
    }

    func finish() throws(WireError) {
        guard position == bytes.count else { throw .trailing(bytes.count - position) }
    }
}
