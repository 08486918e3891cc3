// SPDX-License-Identifier: Apache-2.0
// A picture as callers have it: bytes of their own with a stride, or a JPEG or PNG file.

import Biometrics
import Capture

/// A colour picture, 8 bits a channel.
public struct FaceImage: Sendable, Equatable {
    /// The longest side, in pixels.
    public static let longestSide = 4096

    let frame: Frame

    /// Width in pixels.
    public var width: Int { frame.width }
    /// Height in pixels.
    public var height: Int { frame.height }

    /// Takes interleaved red, green and blue bytes.
    ///
    /// - Parameters:
    ///   - rgb: rows from the top, each of `width` pixels of three bytes, each row beginning `stride` bytes after the one before.
    ///   - width: 1 to `longestSide`.
    ///   - height: 1 to `longestSide`.
    ///   - stride: bytes from row to row, `3 * width` or more; without it the rows are without gaps.
    /// - Throws: `picture` when the sides are out of range or the bytes do not suffice.
    public init(rgb: [UInt8], width: Int, height: Int, stride: Int? = nil) throws(SecondLookVisionError) {
        let sides = 1...FaceImage.longestSide
        guard sides.contains(width), sides.contains(height) else {
            throw .picture(
                "a picture of \(width)x\(height) is not between 1x1 and \(sides.upperBound)x\(sides.upperBound)")
        }
        let row = 3 * width
        let step = stride ?? row
        guard step >= row, step <= 1 << 20 else {
            throw .picture("a stride of \(step) bytes does not fit rows of \(row)")
        }
        let needed = step * (height - 1) + row
        guard rgb.count >= needed else {
            throw .picture("\(width)x\(height) pixels with a stride of \(step) need \(needed) bytes, not \(rgb.count)")
        }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(row * height)
        for y in 0..<height { pixels += rgb[(y * step)..<(y * step + row)] }
        guard let frame = Frame(width: width, height: height, format: .rgb, pixels: pixels, timestamp: 0) else {
            throw .picture("a picture of \(width)x\(height) is not taken")
        }
        self.frame = frame
    }

    /// Decodes a JPEG or PNG file held in memory; the orientation a camera wrote into a JPEG file is obeyed.
    public init(encoded bytes: [UInt8]) throws(SecondLookVisionError) {
        do throws(PictureError) {
            frame = try Picture.decode(bytes)
        } catch {
            throw .picture(error.description)
        }
    }
}
