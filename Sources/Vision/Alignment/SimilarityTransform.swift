// SPDX-License-Identifier: Apache-2.0
// The turn, scale and shift that bring five landmarks as near as can be to where the recogniser expects them.

import Biometrics

/// x' = a x - b y + tx, y' = b x + a y + ty.
struct SimilarityTransform: Equatable {
    var a: Double
    var b: Double
    var tx: Double
    var ty: Double

    /// Where SFace expects right eye, left eye, nose tip, right and left corner of the mouth in its 112x112 picture.
    static let sface: [Point] = [
        Point(38.2946, 51.6963), Point(73.5318, 51.5014), Point(56.0252, 71.7366), Point(41.5493, 92.3655),
        Point(70.7299, 92.2041),
    ]

    init(a: Double, b: Double, tx: Double, ty: Double) {
        self.a = a
        self.b = b
        self.tx = tx
        self.ty = ty
    }

    /// The transform of least squared error from `source` to `target`; nil when the source points coincide.
    ///
    /// The solution is Umeyama's (1991); in the plane and without mirroring it has this closed form.
    init?(from source: [Point], to target: [Point]) {
        guard source.count == target.count, source.count >= 2 else { return nil }
        let count = Double(source.count)
        let (sx, sy) = (source.reduce(0) { $0 + Double($1.x) } / count, source.reduce(0) { $0 + Double($1.y) } / count)
        let (ux, uy) = (target.reduce(0) { $0 + Double($1.x) } / count, target.reduce(0) { $0 + Double($1.y) } / count)
        var (along, across, length) = (0.0, 0.0, 0.0)
        for (s, t) in zip(source, target) {
            let (px, py) = (Double(s.x) - sx, Double(s.y) - sy)
            let (qx, qy) = (Double(t.x) - ux, Double(t.y) - uy)
            along += px * qx + py * qy
            across += px * qy - py * qx
            length += px * px + py * py
        }
        guard length > 1e-6, along * along + across * across > 1e-12 else { return nil }
        a = along / length
        b = across / length
        tx = ux - a * sx + b * sy
        ty = uy - b * sx - a * sy
    }

    /// The way back.
    ///
    /// Its own scale is above zero, so there always is one.
    var inverse: SimilarityTransform {
        let square = a * a + b * b
        let (c, d) = (a / square, -b / square)
        return SimilarityTransform(a: c, b: d, tx: -c * tx + d * ty, ty: -d * tx - c * ty)
    }

    /// Where a point goes.
    func applied(to point: Point) -> Point {
        let (x, y) = (Double(point.x), Double(point.y))
        return Point(Float(a * x - b * y + tx), Float(b * x + a * y + ty))
    }
}
