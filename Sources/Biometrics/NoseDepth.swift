// SPDX-License-Identifier: Apache-2.0
// How a turned head is told from a turned picture of one: eyes and mouth corners lie nearly in a plane, the tip of the nose stands before
// it. Any view of a plane from afar is an affine map, so the four points predict where a painted nose would be; a real one moves past it.

/// Measures how far the nose stands off the affine fit of eyes and mouth corners, against a reference view of the same face.
public struct NoseDepth: Sendable {
    /// One measurement; lengths in units of the current distance between the eyes.
    public struct Reading: Sendable, Equatable {
        /// The nose against its prediction along the line of the eyes: positive towards the person's left (the picture's right).
        public var sideways: Float
        /// The same across that line: positive towards the chin.
        public var down: Float
        /// Root mean square of what the affine fit leaves of the four points: a bent print has more than a rigid face.
        public var misfit: Float

        /// A reading.
        public init(sideways: Float, down: Float, misfit: Float) {
            self.sideways = sideways
            self.down = down
            self.misfit = misfit
        }
    }

    /// Eyes closer together than this, in pixels, give no reading.
    public static let leastEyeDistance: Float = 12

    // The prediction is linear in the four points, with weights that follow from the reference alone.
    private let noseWeights: [Float]
    private let hat: [[Float]]

    /// A measure against `reference`, a view of the face straight on; nil when its four points lie on a line or too close together.
    public init?(reference: Landmarks) {
        let scale = reference.eyeDistance
        guard scale >= NoseDepth.leastEyeDistance else { return nil }
        let corners = NoseDepth.corners(reference)
        let centre = NoseDepth.mean(corners)
        func row(_ point: Point) -> [Float] { [(point.x - centre.x) / scale, (point.y - centre.y) / scale, 1] }
        let rows = corners.map(row)
        guard let solver = NoseDepth.pseudoInverse(rows) else { return nil }
        noseWeights = NoseDepth.combine(row(reference.nose), solver)
        hat = rows.map { NoseDepth.combine($0, solver) }
    }

    /// The reading of a later view; nil when the eyes are too close together to measure by.
    public func reading(_ view: Landmarks) -> Reading? {
        let eyes = view.eyeDistance
        guard eyes >= NoseDepth.leastEyeDistance else { return nil }
        let corners = NoseDepth.corners(view)
        let predicted = NoseDepth.weighted(corners, noseWeights)
        let off = Point(view.nose.x - predicted.x, view.nose.y - predicted.y)
        let along = Point((view.leftEye.x - view.rightEye.x) / eyes, (view.leftEye.y - view.rightEye.y) / eyes)
        var squares: Float = 0
        for (corner, weights) in zip(corners, hat) {
            let fitted = NoseDepth.weighted(corners, weights)
            squares += (corner.x - fitted.x) * (corner.x - fitted.x) + (corner.y - fitted.y) * (corner.y - fitted.y)
        }
        let reading = Reading(
            sideways: (off.x * along.x + off.y * along.y) / eyes, down: (off.y * along.x - off.x * along.y) / eyes,
            misfit: (squares / 4).squareRoot() / eyes)
        let finite = reading.sideways.isFinite && reading.down.isFinite && reading.misfit.isFinite
        return finite ? reading : nil
    }

    private static func corners(_ view: Landmarks) -> [Point] {
        [view.rightEye, view.leftEye, view.rightMouth, view.leftMouth]
    }

    private static func mean(_ points: [Point]) -> Point {
        let count = Float(points.count)
        return Point(points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count)
    }

    private static func weighted(_ points: [Point], _ weights: [Float]) -> Point {
        var sum = Point(0, 0)
        for (point, weight) in zip(points, weights) {
            sum.x += point.x * weight
            sum.y += point.y * weight
        }
        return sum
    }

    /// (PᵀP)⁻¹Pᵀ of the 4x3 matrix P, as three rows of four.
    private static func pseudoInverse(_ rows: [[Float]]) -> [[Float]]? {
        var normal = [[Float]](repeating: [0, 0, 0], count: 3)
        for row in rows {
            for i in 0..<3 { for j in 0..<3 { normal[i][j] += row[i] * row[j] } }
        }
        func minor(_ i: Int, _ j: Int) -> Float {
            let r = (0..<3).filter { $0 != i }
            let c = (0..<3).filter { $0 != j }
            return normal[r[0]][c[0]] * normal[r[1]][c[1]] - normal[r[0]][c[1]] * normal[r[1]][c[0]]
        }
        let determinant = normal[0][0] * minor(0, 0) - normal[0][1] * minor(0, 1) + normal[0][2] * minor(0, 2)
        guard determinant.isFinite, abs(determinant) > 1e-4 else { return nil }
        var result = [[Float]](repeating: [0, 0, 0, 0], count: 3)
        for i in 0..<3 {
            for k in 0..<4 {
                for j in 0..<3 {
                    let sign: Float = (i + j) % 2 == 0 ? 1 : -1
                    result[i][k] += sign * minor(j, i) / determinant * rows[k][j]
                }
            }
        }
        return result
    }

    private static func combine(_ row: [Float], _ solver: [[Float]]) -> [Float] {
        (0..<4).map { k in row[0] * solver[0][k] + row[1] * solver[1][k] + row[2] * solver[2][k] }
    }
}
