// SPDX-License-Identifier: Apache-2.0
// A handed-out picture in pieces, since a frame of the protocol holds less than a picture. Only the admin command's sessions ask for them;
// in a login the type itself is refused as soon as its header is there.

public import Biometrics

/// Some rows of a picture that belongs to the frame whose evidence follows.
public struct PictureRows: Sendable, Equatable {
    /// Bytes before the pixels.
    static let headerLength = 17
    /// The most bytes of pixels in one message.
    static let mostBytes = Int(UInt16.max) - headerLength

    /// The number of the frame it was taken from.
    public var sequence: UInt32
    /// What is on the picture.
    public var subject: SharedPicture.Subject
    /// Width of the whole picture.
    public var width: UInt16
    /// Height of the whole picture.
    public var height: UInt16
    /// The first of these rows, from 0.
    public var firstRow: UInt16
    /// The rows: `width * 3` bytes each.
    public var pixels: [UInt8]

    /// Some rows; `pixels` must have whole ones, at most what a message holds.
    public init(
        sequence: UInt32, subject: SharedPicture.Subject, width: UInt16, height: UInt16, firstRow: UInt16,
        pixels: [UInt8]
    ) {
        self.sequence = sequence
        self.subject = subject
        self.width = width
        self.height = height
        self.firstRow = firstRow
        self.pixels = pixels
    }

    /// How many rows these are.
    public var rows: Int { pixels.count / (Int(width) * 3) }

    /// The pieces of a picture, in order.
    public static func pieces(of picture: SharedPicture, sequence: UInt32) -> [PictureRows] {
        let row = picture.width * 3
        let most = mostBytes / row
        return stride(from: 0, to: picture.height, by: most).map { first in
            let last = min(picture.height, first + most)
            return PictureRows(
                sequence: sequence, subject: picture.subject, width: UInt16(picture.width),
                height: UInt16(picture.height), firstRow: UInt16(first),
                pixels: Array(picture.pixels[first * row..<last * row]))
        }
    }

    func write(to writer: inout ByteWriter) {
        writer.put(sequence)
        switch subject {
        case .view:
            writer.put(UInt8(0))
            writer.put(UInt32(0))
        case .face(let track):
            writer.put(UInt8(1))
            writer.put(track)
        }
        for value in [width, height, firstRow, UInt16(rows)] { writer.put(value) }
        writer.put(raw: pixels)
    }
}

extension PictureRows {
    init(from reader: inout ByteReader) throws(WireError) {
        let sequence: UInt32 = try reader.integer()
        let kind = try reader.byte()
        let track: UInt32 = try reader.integer()
        let width: UInt16 = try reader.integer()
        let height: UInt16 = try reader.integer()
        let firstRow: UInt16 = try reader.integer()
        let rows: UInt16 = try reader.integer()
        guard kind <= 1, kind == 1 || track == 0 else { throw .range("picture") }
        let longest = PictureSharing.sides.upperBound
        guard (1...longest).contains(width), (1...longest).contains(height) else { throw .range("picture size") }
        if kind == 1, Int(width) != SharedPicture.faceSide || Int(height) != SharedPicture.faceSide {
            throw .range("face size")
        }
        guard rows >= 1, Int(firstRow) + Int(rows) <= Int(height) else { throw .range("rows") }
        self.init(
            sequence: sequence, subject: kind == 1 ? .face(track) : .view, width: width, height: height,
            firstRow: firstRow, pixels: try reader.bytes(Int(rows) * Int(width) * 3))
    }
}

extension PictureSharing {
    func write(to writer: inout ByteWriter) {
        writer.put(UInt8((views ? 1 : 0) | (faces ? 2 : 0)))
        writer.put(side)
        writer.put(interval)
    }

    init(from reader: inout ByteReader) throws(WireError) {
        let flags = try reader.byte()
        let side: UInt16 = try reader.integer()
        let interval: UInt16 = try reader.integer()
        guard (1...3).contains(flags) else { throw .range("flags") }
        guard PictureSharing.sides.contains(side) else { throw .range("side") }
        guard PictureSharing.intervals.contains(interval) else { throw .range("interval") }
        self.init(views: flags & 1 != 0, faces: flags & 2 != 0, side: side, interval: interval)
    }
}
