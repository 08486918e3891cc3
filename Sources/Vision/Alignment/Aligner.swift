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
        let share = 1 / Float(readings * readings)
        // What each column and row adds to the place in the frame is the same for all of them.
        let steps = (0..<(side * readings)).map {
            Double($0 / readings) + ((Double($0 % readings) + 0.5) / Double(readings) - 0.5)
        }
        let columns = steps.map { SIMD2(back.a * $0, back.b * $0) }
        let rows = steps.map { SIMD2(-back.b * $0 + back.tx, back.a * $0 + back.ty) }
        // All four lanes are kept to the end: a compiler that may drop the last one takes the others apart.
        var pixels = [SIMD4<Float>](repeating: .zero, count: AlignedFace.plane)
        var patch = FramePatch(frame)
        let tile = Aligner.tile(readings)
        for top in stride(from: 0, to: side, by: tile) {
            for left in stride(from: 0, to: side, by: tile) {
                let (xs, ys) = (left..<min(side, left + tile), top..<min(side, top + tile))
                let corners = [xs.lowerBound * readings, xs.upperBound * readings - 1].flatMap { column in
                    [ys.lowerBound * readings, ys.upperBound * readings - 1].map { columns[column] + rows[$0] }
                }
                patch.take(around: corners)
                for y in ys {
                    for x in xs {
                        var sum = SIMD4<Float>.zero
                        for row in (y * readings)..<((y + 1) * readings) {
                            for column in (x * readings)..<((x + 1) * readings) {
                                sum += patch.read(SIMD2<Float>(columns[column] + rows[row]))
                            }
                        }
                        pixels[y * side + x] = sum * share
                    }
                }
            }
        }
        return [0, 1, 2].flatMap { lane in pixels.map { $0[lane] } }
    }

    /// Pixels along the side of the squares that are made one after the other, so that what they are made of stays in the processor's cache.
    private static func tile(_ readings: Int) -> Int { max(4, 48 / readings) }
}
