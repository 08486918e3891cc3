// SPDX-License-Identifier: Apache-2.0
// The 112x112 picture of a face that recogniser and quality measures look at.

import Biometrics

/// A face turned upright: three planes (red, green, blue) of 112x112 floats, 0 to 255.
struct AlignedFace: Equatable {
    /// Pixels along a side.
    static let side = 112
    /// Elements of a plane.
    static let plane = side * side

    var planes: [Float]

    /// The face as bytes, to be handed out.
    func picture(of track: UInt32) -> SharedPicture? {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(planes.count)
        for i in 0..<AlignedFace.plane {
            for colour in 0..<3 {
                pixels.append(UInt8(max(0, min(255, planes[i + colour * AlignedFace.plane].rounded()))))
            }
        }
        return SharedPicture(
            subject: .face(track), width: AlignedFace.side, height: AlignedFace.side, pixels: pixels)
    }

    /// The grey picture.
    var luminance: Luminance {
        var grey = [Float](repeating: 0, count: AlignedFace.plane)
        for i in 0..<AlignedFace.plane {
            grey[i] =
                Luminance.red * planes[i] + Luminance.green * planes[i + AlignedFace.plane]
                + Luminance.blue * planes[i + 2 * AlignedFace.plane]
        }
        return Luminance(width: AlignedFace.side, height: AlignedFace.side, values: grey)
    }
}

/// Cuts aligned faces out of frames.
enum Aligner {
    /// Nil when the landmarks coincide.
    ///
    /// Each output pixel is read bilinearly at its place in the frame, with black outside the frame. Where the frame has r >= 1.5 pixels
    /// to one of the output, it is the mean of n x n readings spread evenly over the pixel, n = r rounded and at most 8.
    static func align(_ frame: Frame, _ landmarks: Landmarks) -> AlignedFace? {
        guard let forward = SimilarityTransform(from: landmarks.points, to: SimilarityTransform.sface) else {
            return nil
        }
        let back = forward.inverse
        let reduction = (back.a * back.a + back.b * back.b).squareRoot()
        guard reduction.isFinite, reduction < 100 else { return nil }
        let readings = max(1, min(8, Int(reduction.rounded())))
        var planes = [Float](repeating: 0, count: 3 * AlignedFace.plane)
        let offsets = (0..<readings).map { (Double($0) + 0.5) / Double(readings) - 0.5 }
        let share = 1 / Float(readings * readings)
        let sampler = Sampler(frame)
        let pixels = frame.pixels.span
        for y in 0..<AlignedFace.side {
            for x in 0..<AlignedFace.side {
                var sum = SIMD4<Float>(repeating: 0)
                for dy in offsets {
                    for dx in offsets {
                        let (u, v) = (Double(x) + dx, Double(y) + dy)
                        sum += sampler.read(
                            Float(back.a * u - back.b * v + back.tx), Float(back.b * u + back.a * v + back.ty),
                            in: pixels)
                    }
                }
                sum *= share
                let at = y * AlignedFace.side + x
                planes[at] = sum.x
                planes[at + AlignedFace.plane] = sum.y
                planes[at + 2 * AlignedFace.plane] = sum.z
            }
        }
        return AlignedFace(planes: planes)
    }
}

/// Bilinear reading of a frame with black outside.
struct Sampler {
    private let frame: Frame
    private let channels: Int

    init(_ frame: Frame) {
        self.frame = frame
        channels = frame.format.bytesPerPixel
    }

    /// Red, green and blue at a point between pixel centres; `pixels` are the frame's.
    @inline(__always)
    func read(_ x: Float, _ y: Float, in pixels: borrowing Span<UInt8>) -> SIMD4<Float> {
        guard x > -1, y > -1, x < Float(frame.width), y < Float(frame.height) else { return .zero }
        // Rounded down; a processor of the oldest kind has no instruction for that, and a call each would cost more than all the rest.
        let (left, top) = (x < 0 ? -1 : Int(x), y < 0 ? -1 : Int(y))
        let (fx, fy) = (x - Float(left), y - Float(top))
        if channels == 3, left >= 0, top >= 0, left + 1 < frame.width, top + 1 < frame.height {
            // Nearly all readings: four pixels that lie within the frame. The arithmetic is that of the general case below.
            let at = (top * frame.width + left) * 3
            let under = at + frame.width * 3
            // SAFETY: the pixels at (left, top) to (left + 1, top + 1) were just seen to lie within the frame, and `pixels` has
            // width * height * 3 bytes.
            let upper = unsafe colour(pixels, at) * (1 - fx) + colour(pixels, at + 3) * fx
            let lower = unsafe colour(pixels, under) * (1 - fx) + colour(pixels, under + 3) * fx
            return upper * (1 - fy) + lower * fy
        }
        let upper = pixel(left, top) * (1 - fx) + pixel(left + 1, top) * fx
        let lower = pixel(left, top + 1) * (1 - fx) + pixel(left + 1, top + 1) * fx
        return upper * (1 - fy) + lower * fy
    }

    // SAFETY: whoever calls this has made sure that three bytes lie at `at`.
    @unsafe @inline(__always)
    private func colour(_ pixels: borrowing Span<UInt8>, _ at: Int) -> SIMD4<Float> {
        unsafe SIMD4(
            Float(pixels[unchecked: at]), Float(pixels[unchecked: at + 1]), Float(pixels[unchecked: at + 2]), 0)
    }

    @inline(__always)
    private func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
        guard x >= 0, y >= 0, x < frame.width, y < frame.height else { return .zero }
        let at = (y * frame.width + x) * channels
        guard channels == 3 else { return SIMD4(repeating: Float(frame.pixels[at])) }
        return SIMD4(Float(frame.pixels[at]), Float(frame.pixels[at + 1]), Float(frame.pixels[at + 2]), 0)
    }
}
