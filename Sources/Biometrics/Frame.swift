// SPDX-License-Identifier: Apache-2.0
// One picture from a camera, decoded. It exists only in the process that sees; the process that decides never holds one.

/// A decoded picture: 8-bit interleaved RGB or 8-bit grey, row by row without padding.
public struct Frame: Sendable, Equatable {
    /// How the bytes of a pixel are laid out.
    public enum Format: UInt8, Sendable {
        /// Three bytes a pixel: red, green, blue.
        case rgb = 3
        /// One byte a pixel: luminance, as infrared cameras deliver.
        case grey = 1

        /// Bytes a pixel takes.
        public var bytesPerPixel: Int { Int(rawValue) }
    }

    /// The largest width or height that is accepted, in pixels.
    public static let largestSide = 4096

    /// Width in pixels, 1 to `largestSide`.
    public let width: Int
    /// Height in pixels, 1 to `largestSide`.
    public let height: Int
    /// The layout of `pixels`.
    public let format: Format
    /// `width * height * format.bytesPerPixel` bytes.
    public let pixels: [UInt8]
    /// When the camera took it: milliseconds of the monotonic clock.
    public let timestamp: UInt64

    /// Nil when a side is out of range or `pixels` has another length than the sides demand.
    public init?(width: Int, height: Int, format: Format, pixels: [UInt8], timestamp: UInt64) {
        guard (1...Frame.largestSide).contains(width), (1...Frame.largestSide).contains(height),
            pixels.count == width * height * format.bytesPerPixel
        else { return nil }
        self.width = width
        self.height = height
        self.format = format
        self.pixels = pixels
        self.timestamp = timestamp
    }
}

/// Where frames come from: a camera, or in tests a folder of pictures.
public protocol FrameSource {
    /// The next frame, or nil when the source has ended in an orderly way (an unplugged camera is an error instead).
    ///
    /// - Parameter deadline: milliseconds of the monotonic clock at which waiting ends with an error.
    mutating func next(until deadline: UInt64) throws -> Frame?

    /// Says that frames taken before `moment` are not wanted.
    ///
    /// A source that can lets them go undecoded; one that cannot delivers them all the same.
    mutating func skip(before moment: UInt64)
}

extension FrameSource {
    /// Delivers all the same.
    public mutating func skip(before moment: UInt64) {}
}
