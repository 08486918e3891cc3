// SPDX-License-Identifier: Apache-2.0
// One point from one picture to the next: the method of B. Lucas and T. Kanade (1981), by the inverse formulation, in which the gradients
// of the first picture serve all iterations.

import Biometrics

/// Sparse optical flow.
enum PointFollower {
    /// The window reaches so many pixels to each side.
    static let radius = 3
    private static let side = 2 * radius + 1
    private static let iterations = 6
    /// The smaller eigenvalue of the gradients' mean square must reach this: below, a wall or a straight edge, the shift is a guess.
    private static let leastTexture: Float = 4
    /// Mean absolute difference that may remain: above, the point was covered or lit otherwise.
    private static let mostResidual: Float = 18

    /// The shift of `point`; nil without texture, outside the picture, or when it does not settle.
    static func follow(_ point: Point, guess: Point, _ from: Luminance, _ to: Luminance) -> Point? {
        let (x, y) = (Int(point.x.rounded()), Int(point.y.rounded()))
        let reach = radius + 1
        guard x >= reach, y >= reach, x < from.width - reach, y < from.height - reach else { return nil }
        guard let patch = Patch(from, x, y) else { return nil }
        var (dx, dy) = (guess.x, guess.y)
        for _ in 0..<iterations {
            guard let step = patch.step(to, dx, dy) else { return nil }
            dx -= step.x
            dy -= step.y
            guard abs(dx - guess.x) < 6, abs(dy - guess.y) < 6 else { return nil }
            if step.x * step.x + step.y * step.y < 0.0004 { break }
        }
        guard let residual = patch.residual(to, dx, dy), residual < mostResidual else { return nil }
        return Point(dx, dy)
    }

    /// The window around a point with its gradients.
    private struct Patch {
        private let x: Int
        private let y: Int
        private var values: InlineArray<49, Float> = .init(repeating: 0)
        private var across: InlineArray<49, Float> = .init(repeating: 0)
        private var down: InlineArray<49, Float> = .init(repeating: 0)
        private var inverse: (xx: Float, xy: Float, yy: Float) = (0, 0, 0)

        init?(_ picture: Luminance, _ x: Int, _ y: Int) {
            self.x = x
            self.y = y
            var (xx, xy, yy) = (Float(0), Float(0), Float(0))
            var i = 0
            for row in (y - radius)...(y + radius) {
                for column in (x - radius)...(x + radius) {
                    let at = row * picture.width + column
                    let gx = (picture.values[at + 1] - picture.values[at - 1]) / 2
                    let gy = (picture.values[at + picture.width] - picture.values[at - picture.width]) / 2
                    values[i] = picture.values[at]
                    across[i] = gx
                    down[i] = gy
                    xx += gx * gx
                    xy += gx * gy
                    yy += gy * gy
                    i += 1
                }
            }
            let count = Float(side * side)
            let (trace, determinant) = (xx + yy, xx * yy - xy * xy)
            let smaller = (trace - max(0, trace * trace - 4 * determinant).squareRoot()) / 2
            guard smaller / count >= leastTexture, determinant > 0 else { return nil }
            inverse = (yy / determinant, -xy / determinant, xx / determinant)
        }

        /// The correction at a shift, to be taken away from it; nil where the window leaves the picture.
        func step(_ picture: Luminance, _ dx: Float, _ dy: Float) -> Point? {
            var (bx, by) = (Float(0), Float(0))
            let inside = compare(picture, dx, dy) { i, difference in
                bx += across[i] * difference
                by += down[i] * difference
            }
            guard inside else { return nil }
            return Point(inverse.xx * bx + inverse.xy * by, inverse.xy * bx + inverse.yy * by)
        }

        func residual(_ picture: Luminance, _ dx: Float, _ dy: Float) -> Float? {
            var sum: Float = 0
            guard compare(picture, dx, dy, { _, difference in sum += abs(difference) }) else { return nil }
            return sum / Float(side * side)
        }

        @inline(__always)
        private func compare(
            _ picture: Luminance, _ dx: Float, _ dy: Float, _ body: (Int, Float) -> Void
        ) -> Bool {
            let (left, top) = (Float(x - radius) + dx, Float(y - radius) + dy)
            guard left >= 0, top >= 0, left < 8192, top < 8192 else { return false }
            let (column, row) = (Int(left), Int(top))
            guard column + side < picture.width, row + side < picture.height else { return false }
            let (fx, fy) = (left - Float(column), top - Float(row))
            var i = 0
            for r in 0..<side {
                var at = (row + r) * picture.width + column
                for _ in 0..<side {
                    let upper = picture.values[at] * (1 - fx) + picture.values[at + 1] * fx
                    let lower =
                        picture.values[at + picture.width] * (1 - fx) + picture.values[at + picture.width + 1] * fx
                    body(i, upper * (1 - fy) + lower * fy - values[i])
                    i += 1
                    at += 1
                }
            }
            return true
        }
    }
}

extension Luminance {
    /// The bilinear value between pixel centres; nil outside.
    func value(at point: Point) -> Float? {
        guard point.x >= 0, point.y >= 0, point.x < Float(width - 1), point.y < Float(height - 1) else { return nil }
        let (column, row) = (Int(point.x), Int(point.y))
        let (fx, fy) = (point.x - Float(column), point.y - Float(row))
        let at = row * width + column
        let upper = values[at] * (1 - fx) + values[at + 1] * fx
        let lower = values[at + width] * (1 - fx) + values[at + width + 1] * fx
        return upper * (1 - fy) + lower * fy
    }
}
