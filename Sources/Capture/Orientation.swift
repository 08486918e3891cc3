// SPDX-License-Identifier: Apache-2.0
// Telephones store portraits lying on their side and note how to turn them. A detector that is not told so finds no face, so still
// pictures are turned first. Only the one tag is read, with every offset checked.

import Biometrics

/// The eight ways a picture may be stored (Exif 2.3, tag 0x0112).
enum Orientation: UInt16, Equatable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case halfTurn = 3
    case halfTurnMirrored = 4
    case transposed = 5
    case quarterTurnRight = 6
    case transverse = 7
    case quarterTurnLeft = 8

    /// Nil when the file notes none, or nonsense.
    init?(jpeg bytes: [UInt8]) {
        var position = 2
        while position + 4 <= bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            guard length >= 2, marker != 0xDA, position + 2 + length <= bytes.count else { return nil }
            if marker == 0xE1, let found = Orientation(segment: bytes[(position + 4)..<(position + 2 + length)]) {
                self = found
                return
            }
            position += 2 + length
        }
        return nil
    }

    /// Reads the tag from an Exif segment: "Exif", two zeros, then a TIFF header whose offsets count from its own start.
    private init?(segment: ArraySlice<UInt8>) {
        guard segment.starts(with: [0x45, 0x78, 0x69, 0x66, 0, 0]) else { return nil }
        let tiff = Array(segment.dropFirst(6))
        guard tiff.count >= 8 else { return nil }
        let little = tiff[0] == 0x49
        func number(_ at: Int, _ size: Int) -> Int? {
            guard at >= 0, at + size <= tiff.count else { return nil }
            let part = tiff[at..<(at + size)]
            return (little ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard number(2, 2) == 42, let directory = number(4, 4), let entries = number(directory, 2) else { return nil }
        for entry in 0..<entries {
            let at = directory + 2 + entry * 12
            guard let tag = number(at, 2) else { return nil }
            guard tag == 0x0112 else { continue }
            guard number(at + 2, 2) == 3, let value = number(at + 8, 2), let raw = UInt16(exactly: value) else {
                return nil
            }
            self.init(rawValue: raw)
            return
        }
        return nil
    }

    /// The frame as it is to be seen.
    func applied(to frame: Frame) -> Frame {
        guard self != .upright else { return frame }
        let (width, height, channels) = (frame.width, frame.height, frame.format.bytesPerPixel)
        let swapped = rawValue >= 5
        let (newWidth, newHeight) = swapped ? (height, width) : (width, height)
        var pixels = [UInt8](repeating: 0, count: frame.pixels.count)
        for y in 0..<newHeight {
            for x in 0..<newWidth {
                let (sourceX, sourceY) = source(x, y, width: width, height: height)
                let from = (sourceY * width + sourceX) * channels
                let to = (y * newWidth + x) * channels
                for c in 0..<channels { pixels[to + c] = frame.pixels[from + c] }
            }
        }
        return Frame(
            width: newWidth, height: newHeight, format: frame.format, pixels: pixels, timestamp: frame.timestamp)
            ?? frame
    }

    /// Where the pixel (x, y) of the upright picture is stored in one of the given width and height.
    private func source(_ x: Int, _ y: Int, width: Int, height: Int) -> (Int, Int) {
        switch self {
        case .upright: (x, y)
        case .mirrored: (width - 1 - x, y)
        case .halfTurn: (width - 1 - x, height - 1 - y)
        case .halfTurnMirrored: (x, height - 1 - y)
        case .transposed: (y, x)
        case .quarterTurnRight: (y, height - 1 - x)
        case .transverse: (width - 1 - y, height - 1 - x)
        case .quarterTurnLeft: (width - 1 - y, x)
        }
    }
}
