// SPDX-License-Identifier: Apache-2.0
// The one picture that an administrator may ask an enrolment to keep: the aligned face as the recogniser saw it. Nothing compares with it.

/// An aligned face: 112x112 pixels of 8-bit RGB, row by row without padding.
public struct FaceCrop: Sendable, Equatable {
    /// Pixels on each side.
    public static let side = 112
    /// Bytes of a crop.
    public static let byteCount = side * side * 3

    /// `byteCount` bytes: red, green, blue.
    public let pixels: [UInt8]

    /// Nil for another number of bytes.
    public init?(_ pixels: [UInt8]) {
        guard pixels.count == FaceCrop.byteCount else { return nil }
        self.pixels = pixels
    }
}
