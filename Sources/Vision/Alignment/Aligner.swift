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
        return AlignedFace(planes: planes(of: frame, back, readings: readings))
    }

    private static func planes(of frame: Frame, _ back: SimilarityTransform, readings: Int) -> [Float] {
        let side = AlignedFace.side
        // What each column and row adds to the place in the frame is the same for all of them.
        let steps = (0..<(side * readings)).map {
            Double($0 / readings) + ((Double($0 % readings) + 0.5) / Double(readings) - 0.5)
        }
        let columns = steps.map { SIMD2(back.a * $0, back.b * $0) }
        let rows = steps.map { SIMD2(-back.b * $0, back.a * $0) }
        let shift = SIMD2(back.tx, back.ty)
        let share = 1 / Float(readings * readings)
        let sampler = Sampler(frame)
        // SAFETY: only read here, while the frame holds the array.
        let pixels = unsafe frame.pixels.span.bytes
        var planes = [Float](repeating: 0, count: 3 * AlignedFace.plane)
        // Four lanes that are kept to the end stay together in a register; the fourth means nothing.
        var line = [SIMD4<Float>](repeating: .zero, count: side)
        for y in 0..<side {
            for x in 0..<side {
                var sum = SIMD4<Float>.zero
                for row in (y * readings)..<((y + 1) * readings) {
                    for column in (x * readings)..<((x + 1) * readings) {
                        sum += sampler.read(SIMD2<Float>(columns[column] + rows[row] + shift), in: pixels)
                    }
                }
                line[x] = sum * share
            }
            for x in 0..<side {
                planes[y * side + x] = line[x].x
                planes[y * side + x + AlignedFace.plane] = line[x].y
                planes[y * side + x + 2 * AlignedFace.plane] = line[x].z
            }
        }
        return planes
    }
}

/// Bilinear reading of a frame with black outside.
struct Sampler {
    private let frame: Frame
    private let channels: Int
    /// Places left of and above this are read without asking: two whole pixels and a byte lie there, in this row and the next.
    private let inner: SIMD2<Float>

    init(_ frame: Frame) {
        self.frame = frame
        channels = frame.format.bytesPerPixel
        inner = channels == 3 ? SIMD2(Float(frame.width - 2), Float(frame.height - 1)) : .zero
    }

    /// Red, green and blue at a point between pixel centres; `pixels` are the frame's.
    @inline(__always)
    func read(_ place: SIMD2<Float>, in pixels: borrowing RawSpan) -> SIMD4<Float> {
        let (x, y) = (place.x, place.y)
        if x >= 0, y >= 0, x < inner.x, y < inner.y {
            // Nearly all readings: four pixels that lie within the frame. The arithmetic is that of the general case below.
            let (left, top) = (Int(x), Int(y))
            let (fx, fy) = (x - Float(left), y - Float(top))
            let at = (top * frame.width + left) * 3
            let under = at + frame.width * 3
            // SAFETY: left + 2 < width and top + 1 < height, so that three pixels of both rows lie within the frame, whose bytes
            // `pixels` are: width * height * 3 of them.
            let upper = unsafe colour(pixels, at) * (1 - fx) + colour(pixels, at + 3) * fx
            let lower = unsafe colour(pixels, under) * (1 - fx) + colour(pixels, under + 3) * fx
            return upper * (1 - fy) + lower * fy
        }
        guard x > -1, y > -1, x < Float(frame.width), y < Float(frame.height) else { return .zero }
        // Rounded down; a processor of the oldest kind has no instruction for that, and a call each would cost more than all the rest.
        let (left, top) = (x < 0 ? -1 : Int(x), y < 0 ? -1 : Int(y))
        let (fx, fy) = (x - Float(left), y - Float(top))
        let upper = pixel(left, top) * (1 - fx) + pixel(left + 1, top) * fx
        let lower = pixel(left, top + 1) * (1 - fx) + pixel(left + 1, top + 1) * fx
        return upper * (1 - fy) + lower * fy
    }

    // SAFETY: whoever calls this has made sure that four bytes lie at `at`. The fourth belongs to the next pixel, and nobody reads what
    // becomes of it.
    @unsafe @inline(__always)
    private func colour(_ pixels: borrowing RawSpan, _ at: Int) -> SIMD4<Float> {
        let word = unsafe pixels.unsafeLoadUnaligned(fromUncheckedByteOffset: at, as: SIMD4<UInt8>.self)
        return SIMD4<Float>(word)
    }

    @inline(__always)
    private func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
        guard x >= 0, y >= 0, x < frame.width, y < frame.height else { return .zero }
        let at = (y * frame.width + x) * channels
        guard channels == 3 else { return SIMD4(repeating: Float(frame.pixels[at])) }
        return SIMD4(Float(frame.pixels[at]), Float(frame.pixels[at + 1]), Float(frame.pixels[at + 2]), 0)
    }
}
