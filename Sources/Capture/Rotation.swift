// SPDX-License-Identifier: Apache-2.0
// Cameras are built in upside down or sideways; the setting says how far the picture is to be turned.

public import Biometrics

/// A turn of the picture in quarters, clockwise.
public enum Rotation: UInt16, Sendable, CaseIterable {
    /// As delivered.
    case none = 0
    /// A quarter clockwise.
    case quarter = 90
    /// Upside down.
    case half = 180
    /// A quarter counter-clockwise.
    case threeQuarters = 270

    /// The turned frame.
    public func applied(to frame: Frame) -> Frame {
        guard self != .none else { return frame }
        let size = frame.format.bytesPerPixel
        let turned = self != .half
        let width = turned ? frame.height : frame.width
        let height = turned ? frame.width : frame.height
        // Where the first pixel of the result comes from, and how far one pixel right and one row down lead in the source.
        let (start, right, down): (Int, Int, Int) =
            switch self {
            case .none: (0, 1, frame.width)
            case .quarter: ((frame.height - 1) * frame.width, -frame.width, 1)
            case .half: (frame.width * frame.height - 1, -1, -frame.width)
            case .threeQuarters: (frame.width - 1, frame.width, -1)
            }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(frame.pixels.count)
        for y in 0..<height {
            var from = start + y * down
            for _ in 0..<width {
                for part in 0..<size { pixels.append(frame.pixels[from * size + part]) }
                from += right
            }
        }
        return Frame(width: width, height: height, format: frame.format, pixels: pixels, timestamp: frame.timestamp)
            ?? frame
    }
}
