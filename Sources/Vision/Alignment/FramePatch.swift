// SPDX-License-Identifier: Apache-2.0
// A part of a frame as floats, shrunk by a whole number. Reading between pixels takes four of them: it pays to add up and convert each once.

import Biometrics

/// A rectangle of a shrunk frame and of the black around it, to be read bilinearly.
struct FramePatch {
    /// Red, green, blue and a lane that means nothing, row by row.
    private var values: [SIMD4<Float>]
    private let left: Int
    private let top: Int
    private let width: Int
    /// The place of the last pixel that is black, beyond the lower right corner.
    private let end: SIMD2<Float>

    /// Takes the rectangle that holds all readings between `corners`; its pixels are the means of `block` x `block` of the frame's.
    init(_ frame: Frame, block: Int, around corners: [SIMD2<Double>]) {
        let blocks = (x: (frame.width + block - 1) / block, y: (frame.height + block - 1) / block)
        func range(_ places: [Double], _ limit: Int) -> Range<Int> {
            let (low, high) = (places.min() ?? 0, places.max() ?? 0)
            // One more on each side than the readings need, for what rounding to Float may add.
            let first = Int(max(-2, min(Double(limit), low.rounded(.down) - 1)))
            return first..<max(first + 2, Int(max(-1, min(Double(limit), high.rounded(.down)))) + 3)
        }
        let (columns, rows) = (range(corners.map(\.x), blocks.x), range(corners.map(\.y), blocks.y))
        (left, top, width) = (columns.lowerBound, rows.lowerBound, columns.count)
        end = SIMD2(Float(blocks.x), Float(blocks.y))
        values = [SIMD4<Float>](repeating: .zero, count: columns.count * rows.count)
        let inside = columns.clamped(to: 0..<blocks.x)
        let share = 1 / Float(block * block)
        for row in rows.clamped(to: 0..<blocks.y) {
            let start = (row - top) * width + inside.lowerBound - left
            for y in (row * block)..<min(frame.height, (row + 1) * block) {
                FramePatch.add(
                    frame, row: y, from: inside.lowerBound * block, block, to: &values, start..<(start + inside.count))
            }
            if block > 1 { for i in start..<(start + inside.count) { values[i] *= share } }
        }
    }

    /// Adds a row of the frame, from its column `from` on, to the sums at `places`.
    private static func add(
        _ frame: Frame, row: Int, from: Int, _ block: Int, to sums: inout [SIMD4<Float>], _ places: Range<Int>
    ) {
        let channels = frame.format.bytesPerPixel
        let start = row * frame.width * channels
        precondition(
            places.lowerBound >= 0 && places.upperBound <= sums.count && from >= 0
                && start + frame.width * channels <= frame.pixels.count)
        // SAFETY: the precondition bounds the sums and the row, and columns are held below its width.
        unsafe frame.pixels.withUnsafeBufferPointer { pixels in
            unsafe sums.withUnsafeMutableBufferPointer { sums in
                for (index, place) in places.enumerated() {
                    let column = from + index * block
                    var sum = unsafe sums[place]
                    for x in column..<min(frame.width, column + block) {
                        let at = start + x * channels
                        unsafe sum +=
                            channels == 1
                            ? SIMD4(repeating: Float(pixels[at]))
                            : SIMD4(Float(pixels[at]), Float(pixels[at + 1]), Float(pixels[at + 2]), 0)
                    }
                    unsafe sums[place] = sum
                }
            }
        }
    }

    /// Red, green and blue at a point between pixel centres, which lies within what was taken.
    @inline(__always)
    func read(_ place: SIMD2<Float>) -> SIMD4<Float> {
        let (x, y) = (max(-1, min(end.x, place.x)), max(-1, min(end.y, place.y)))
        // Rounded down; a processor of the oldest kind has no instruction for that, and a call each would cost more than all the rest.
        let (column, row) = (x < 0 ? -1 : Int(x), y < 0 ? -1 : Int(y))
        let (fx, fy) = (x - Float(column), y - Float(row))
        let at = (row &- top) &* width &+ (column &- left)
        precondition(at >= 0 && at < values.count &- width &- 1)
        // SAFETY: the precondition bounds all four.
        return unsafe values.withUnsafeBufferPointer { values in
            let under = at &+ width
            let upper = unsafe values[at] * (1 - fx) + values[at &+ 1] * fx
            let lower = unsafe values[under] * (1 - fx) + values[under &+ 1] * fx
            return upper * (1 - fy) + lower * fy
        }
    }
}
