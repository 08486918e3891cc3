// SPDX-License-Identifier: Apache-2.0
// Raw camera bytes into a Frame: pure arithmetic, checked against the length first, since a driver may say one thing and deliver another.

public import Biometrics

/// How the bytes of one uncompressed camera picture lie.
public struct PixelLayout: Sendable, Equatable {
    /// The pixel format, an uncompressed one.
    public let format: PixelFormat
    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int
    /// Bytes from the start of a row to the start of the next; at least the bytes of a row.
    public let bytesPerLine: Int
    /// Luminance runs from 0 to 255 instead of 16 to 235.
    public let fullRange: Bool

    /// Nil for a compressed format, a side out of range, or rows that overlap.
    ///
    /// - Parameter bytesPerLine: as the driver says; 0 stands for rows without padding.
    public init?(format: PixelFormat, width: Int, height: Int, bytesPerLine: Int, fullRange: Bool = false) {
        guard !format.isCompressed, (1...Frame.largestSide).contains(width), (1...Frame.largestSide).contains(height)
        else { return nil }
        let row = PixelLayout.rowBytes(format, width: width)
        guard bytesPerLine == 0 || (row...(1 << 20)).contains(bytesPerLine) else { return nil }
        self.format = format
        self.width = width
        self.height = height
        self.bytesPerLine = bytesPerLine == 0 ? row : bytesPerLine
        self.fullRange = fullRange
    }

    /// Bytes of one row of the first plane without padding.
    private static func rowBytes(_ format: PixelFormat, width: Int) -> Int {
        switch format {
        case .yuyv, .uyvy: (width + 1) / 2 * 4
        case .nv12: (width + 1) / 2 * 2
        case .grey: width
        case .y10, .y12, .y16, .y16BigEndian: width * 2
        case .mjpeg, .jpeg: 0
        }
    }

    /// The least number of bytes a whole picture has; padding after the last row may be missing.
    public var leastBytes: Int {
        let row = PixelLayout.rowBytes(format, width: width)
        guard format == .nv12 else { return bytesPerLine * (height - 1) + row }
        return bytesPerLine * height + bytesPerLine * ((height + 1) / 2 - 1) + row
    }

    /// Converts one picture.
    ///
    /// - Parameters:
    ///   - bytes: the camera's buffer; what lies behind `leastBytes` is ignored.
    ///   - wanted: RGB, or grey: the luminance alone. A monochrome format is always returned as grey.
    ///   - timestamp: passed on.
    /// - Returns: nil when there are fewer bytes than `leastBytes`.
    public func frame(from bytes: Span<UInt8>, as wanted: Frame.Format, timestamp: UInt64) -> Frame? {
        guard bytes.count >= leastBytes else { return nil }
        let result: Frame.Format = format.isMonochrome ? .grey : wanted
        let size = width * height * result.bytesPerPixel
        let pixels = unsafe [UInt8](unsafeUninitializedCapacity: size) { room, count in
            // SAFETY: the room has `size` bytes, and every row of the picture is written in full before they count as initialised.
            unsafe bytes.withUnsafeBufferPointer { source in
                switch (format, result) {
                case (.yuyv, .rgb): unsafe packedToRGB(source, room, luma: 0, chroma: 1)
                case (.uyvy, .rgb): unsafe packedToRGB(source, room, luma: 1, chroma: 0)
                case (.nv12, .rgb): unsafe planesToRGB(source, room)
                case (.yuyv, .grey): unsafe luminance(source, room, step: 2, offset: 0)
                case (.uyvy, .grey): unsafe luminance(source, room, step: 2, offset: 1)
                case (.nv12, .grey): unsafe luminance(source, room, step: 1, offset: 0)
                case (.y10, _): unsafe deepGrey(source, room, bits: 10)
                case (.y12, _): unsafe deepGrey(source, room, bits: 12)
                // The high byte is all that is kept of 16 bits.
                case (.y16, _): unsafe plainGrey(source, room, step: 2, offset: 1)
                case (.y16BigEndian, _): unsafe plainGrey(source, room, step: 2, offset: 0)
                case (.grey, _), (.mjpeg, _), (.jpeg, _): unsafe plainGrey(source, room, step: 1, offset: 0)
                }
            }
            count = size
        }
        return Frame(width: width, height: height, format: result, pixels: pixels, timestamp: timestamp)
    }
}
