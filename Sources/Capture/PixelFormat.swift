// SPDX-License-Identifier: Apache-2.0
// The four-character codes of Video4Linux that are decoded here; every other code goes through libv4lconvert. The codes are those of the
// kernel's videodev2.h.

/// A pixel format with a decoder of our own.
public enum PixelFormat: UInt32, Sendable, CaseIterable {
    /// A JPEG picture a frame.
    case mjpeg = 0x4750_4A4D
    /// The same under another name.
    case jpeg = 0x4745_504A
    /// Y0 U Y1 V: two pixels in four bytes.
    case yuyv = 0x5659_5559
    /// U Y0 V Y1: two pixels in four bytes.
    case uyvy = 0x5956_5955
    /// A plane of Y, then a plane of U and V in turn at half the size.
    case nv12 = 0x3231_564E
    /// Eight bits of luminance. Also called Y8.
    case grey = 0x5945_5247
    /// Ten bits of luminance in the lower bits of 16, little-endian.
    case y10 = 0x2030_3159
    /// Twelve bits of luminance in the lower bits of 16, little-endian.
    case y12 = 0x2032_3159
    /// Sixteen bits of luminance, little-endian.
    case y16 = 0x2036_3159
    /// Sixteen bits of luminance, big-endian.
    case y16BigEndian = 0xA036_3159

    /// No colour: what infrared cameras deliver.
    public var isMonochrome: Bool {
        switch self {
        case .grey, .y10, .y12, .y16, .y16BigEndian: true
        case .mjpeg, .jpeg, .yuyv, .uyvy, .nv12: false
        }
    }

    /// Whether a frame is a JPEG picture, so that its length varies.
    public var isCompressed: Bool { self == .mjpeg || self == .jpeg }

    /// The order in which a colour camera's formats are tried: compressed ones first, since they alone reach 30 frames a second on USB 2.
    public static let preferredForColour: [PixelFormat] = [
        .mjpeg, .jpeg, .yuyv, .uyvy, .nv12, .grey, .y10, .y12, .y16, .y16BigEndian,
    ]

    /// The order for an infrared camera: raw luminance first.
    public static let preferredForInfrared: [PixelFormat] = [
        .grey, .y10, .y12, .y16, .y16BigEndian, .mjpeg, .jpeg, .yuyv, .uyvy, .nv12,
    ]
}
