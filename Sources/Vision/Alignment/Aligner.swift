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
    /// Each output pixel is read bilinearly at its place in the frame, with black outside the frame. Where the frame has r >= 2 pixels to one
    /// of the output, it is shrunk before: to the means of blocks of k x k pixels, k = r rounded down, that begin in its upper left corner.
    /// Where r / k >= 1.5, a pixel is the mean of four readings spread evenly over it.
    static func align(_ frame: Frame, _ landmarks: Landmarks) -> AlignedFace? {
        guard let forward = SimilarityTransform(from: landmarks.points, to: SimilarityTransform.sface) else {
            return nil
        }
        let back = forward.inverse
        let reduction = (back.a * back.a + back.b * back.b).squareRoot()
        guard reduction.isFinite, reduction < 100 else { return nil }
        let block = max(1, Int(reduction))
        let readings = max(1, Int((reduction / Double(block)).rounded()))
        return AlignedFace(planes: planes(of: frame, back.inBlocks(of: block), block: block, readings: readings))
    }

    private static func planes(
        of frame: Frame, _ back: SimilarityTransform, block: Int, readings: Int
    ) -> [Float] {
        let side = AlignedFace.side
        let share = 1 / Float(readings * readings)
        // What each column and row adds to the place in the frame is the same for all of them.
        let steps = (0..<(side * readings)).map {
            Double($0 / readings) + ((Double($0 % readings) + 0.5) / Double(readings) - 0.5)
        }
        let columns = steps.map { SIMD2(back.a * $0, back.b * $0) }
        let rows = steps.map { SIMD2(-back.b * $0 + back.tx, back.a * $0 + back.ty) }
        let corners = [0, columns.count - 1].flatMap { x in [0, rows.count - 1].map { columns[x] + rows[$0] } }
        let patch = FramePatch(frame, block: block, around: corners)
        // All four lanes are kept to the end: a compiler that may drop the last one takes the others apart.
        var pixels = [SIMD4<Float>](repeating: .zero, count: AlignedFace.plane)
        for y in 0..<side {
            for x in 0..<side {
                var sum = SIMD4<Float>.zero
                for row in (y * readings)..<((y + 1) * readings) {
                    for column in (x * readings)..<((x + 1) * readings) {
                        sum += patch.read(SIMD2<Float>(columns[column] + rows[row]))
                    }
                }
                pixels[y * side + x] = sum * share
            }
        }
        return [0, 1, 2].flatMap { lane in pixels.map { $0[lane] } }
    }
}

extension SimilarityTransform {
    /// The same to a picture of which `block` pixels each way became one.
    func inBlocks(of block: Int) -> SimilarityTransform {
        let scale = 1 / Double(block)
        // Places are those of pixels' centres: the first block's is (block - 1) / 2.
        let shift = (scale - 1) / 2
        return SimilarityTransform(a: a * scale, b: b * scale, tx: tx * scale + shift, ty: ty * scale + shift)
    }
}
