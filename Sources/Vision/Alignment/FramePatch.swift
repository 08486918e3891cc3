// SPDX-License-Identifier: Apache-2.0
// A part of a frame as floats. Reading between pixels takes four of them; where every pixel is read several times it pays to convert each once.

import Biometrics

/// A rectangle of a frame and of the black around it, to be read bilinearly.
struct FramePatch {
    private let frame: Frame
    /// Red, green, blue and a lane that means nothing, row by row.
    private var values: [SIMD4<Float>] = []
    private var left = 0
    private var top = 0
    private var width = 0
    /// Places beyond these are black and read as if they lay here.
    private let limits: (lower: SIMD2<Float>, upper: SIMD2<Float>)

    init(_ frame: Frame) {
        self.frame = frame
        limits = (SIMD2(-1, -1), SIMD2(Float(frame.width), Float(frame.height)))
    }

    /// Takes the rectangle that holds all readings between `corners`.
    mutating func take(around corners: [SIMD2<Double>]) {
        func range(_ places: [Double], _ limit: Int) -> Range<Int> {
            let (low, high) = (places.min() ?? 0, places.max() ?? 0)
            // One more on each side than the readings need, for what rounding to Float may add.
            return Int(
                max(-2, min(Double(limit), low.rounded(.down) - 1)))..<Int(
                    max(0, min(Double(limit), high.rounded(.down))) + 3)
        }
        let (columns, rows) = (range(corners.map(\.x), frame.width), range(corners.map(\.y), frame.height))
        (left, top, width) = (columns.lowerBound, rows.lowerBound, columns.count)
        let count = columns.count * rows.count
        if values.count < count { values = [SIMD4<Float>](repeating: .zero, count: count) }
        for row in rows { fill(columns, row) }
    }

    private mutating func fill(_ columns: Range<Int>, _ row: Int) {
        let start = (row - top) * width
        let inside = columns.clamped(to: 0..<frame.width)
        guard (0..<frame.height).contains(row), !inside.isEmpty else {
            for i in start..<(start + width) { values[i] = .zero }
            return
        }
        for column in columns.lowerBound..<inside.lowerBound { values[start + column - left] = .zero }
        for column in inside.upperBound..<columns.upperBound { values[start + column - left] = .zero }
        let channels = frame.format.bytesPerPixel
        let from = (row * frame.width + inside.lowerBound) * channels
        let to = start + inside.lowerBound - left
        let count = inside.count
        precondition(from + count * channels <= frame.pixels.count && to >= 0 && to + count <= values.count)
        // SAFETY: the precondition bounds every index below.
        unsafe frame.pixels.withUnsafeBufferPointer { pixels in
            unsafe values.withUnsafeMutableBufferPointer { values in
                if channels == 1 {
                    for i in 0..<count { unsafe values[to + i] = SIMD4(repeating: Float(pixels[from + i])) }
                } else {
                    for i in 0..<count {
                        let at = from + 3 * i
                        unsafe values[to + i] = SIMD4(
                            Float(pixels[at]), Float(pixels[at + 1]), Float(pixels[at + 2]), 0)
                    }
                }
            }
        }
    }

    /// Red, green and blue at a point between pixel centres, which lies within what was taken.
    @inline(__always)
    func read(_ place: SIMD2<Float>) -> SIMD4<Float> {
        let (x, y) = (
            max(limits.lower.x, min(limits.upper.x, place.x)), max(limits.lower.y, min(limits.upper.y, place.y))
        )
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
