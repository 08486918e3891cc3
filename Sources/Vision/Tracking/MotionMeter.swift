// SPDX-License-Identifier: Apache-2.0
// How the face moved, and how its surround did. A photo that is held up moves together with its own background; a head does not. Both are
// followed by a few dozen points on the small grey picture that the detector made anyway.

import Biometrics

/// Measures the motion between two neighbouring frames of one camera.
struct MotionMeter {
    private struct View {
        var fine: Luminance
        var coarse: Luminance
        var faces: [UInt32: Box]
    }

    /// Fewer points than this on either side measure nothing.
    static let leastPoints = 5

    /// A face that moved less, in pixels of the small picture, does not tell what its surround did.
    static let leastShift: Float = 0.4
    /// One shift fits clearly better than the other when the change it leaves is less than this part.
    static let clearly: Float = 0.85

    private var last: View?

    /// Takes the next picture and answers the motion of each track that was seen in the one before as well.
    ///
    /// - Parameters:
    ///   - luminance: the small grey picture.
    ///   - reduction: frame pixels to one of its pixels.
    ///   - faces: boxes by track, in frame pixels.
    mutating func observe(_ luminance: Luminance, reduction: Float, faces: [UInt32: Box]) -> [UInt32: Motion] {
        let small = faces.mapValues {
            Box(x: $0.x / reduction, y: $0.y / reduction, width: $0.width / reduction, height: $0.height / reduction)
        }
        let view = View(fine: luminance, coarse: luminance.halved(), faces: small)
        defer { last = view }
        guard let last, last.fine.width == luminance.width, last.fine.height == luminance.height else { return [:] }
        var motions: [UInt32: Motion] = [:]
        for (track, box) in last.faces where small[track] != nil {
            motions[track] = MotionMeter.measure(from: last, to: view, box, reduction)
        }
        return motions
    }

    private static func measure(from: View, to: View, _ box: Box, _ reduction: Float) -> Motion? {
        let others = from.faces.values.filter { $0 != box }
        let onFace = grid(about(box, from: (-0.4, -0.4), to: (0.4, 0.4)), steps: 6)
        let around = surround(of: box, in: from.fine).filter { point in others.allSatisfy { !contains($0, point) } }
        let face = followed(onFace, from, to)
        let surround = followed(around, from, to)
        guard face.count >= leastPoints else { return nil }
        let faceShift = median(face)
        guard
            let surroundShift = surround.count >= leastPoints
                ? median(surround) : stillOrAlong(around, faceShift, from, to)
        else { return nil }
        let limit: Float = 512
        func scaled(_ shift: Point) -> Point {
            Point(max(-limit, min(limit, shift.x * reduction)), max(-limit, min(limit, shift.y * reduction)))
        }
        return Motion(
            face: scaled(faceShift), surround: scaled(surroundShift),
            faceChange: change(
                grid(about(box, from: (-0.45, -0.45), to: (0.45, 0.45)), steps: 20), faceShift, from, to),
            surroundChange: change(around, surroundShift, from, to))
    }

    /// Whether a surround without corners stood still or went along with the face; nil when it does not tell.
    ///
    /// A shoulder, the outline of the hair or the shade on a wall cannot be followed from corner to corner, but with the right one of two
    /// shifts it changes less than with the wrong one.
    private static func stillOrAlong(_ around: [Point], _ faceShift: Point, _ from: View, _ to: View) -> Point? {
        guard faceShift.distance(to: Point(0, 0)) >= leastShift else { return nil }
        let still = change(around, Point(0, 0), from, to)
        let along = change(around, faceShift, from, to)
        if still < clearly * along { return Point(0, 0) }
        return along < clearly * still ? faceShift : nil
    }

    private static func contains(_ box: Box, _ point: Point) -> Bool {
        point.x >= box.x && point.x <= box.x + box.width && point.y >= box.y && point.y <= box.y + box.height
    }

    /// The part of a box's neighbourhood between two corners, in units of its sides from its centre.
    private static func about(_ box: Box, from: (Float, Float), to: (Float, Float)) -> Box {
        Box(
            x: box.centre.x + from.0 * box.width, y: box.centre.y + from.1 * box.height,
            width: (to.0 - from.0) * box.width, height: (to.1 - from.1) * box.height)
    }

    /// Points beside and above a face, as far as the picture reaches.
    ///
    /// Below it are shoulders, which move with the head.
    private static func surround(of box: Box, in picture: Luminance) -> [Point] {
        let wide = about(box, from: (-1.4, -1.3), to: (1.4, 0.8))
        let (left, top) = (max(0, wide.x), max(0, wide.y))
        let right = min(Float(picture.width - 1), wide.x + wide.width)
        let bottom = min(Float(picture.height - 1), wide.y + wide.height)
        guard right > left, bottom > top else { return [] }
        let head = about(box, from: (-0.75, -0.75), to: (0.75, 2))
        return grid(Box(x: left, y: top, width: right - left, height: bottom - top), steps: 14)
            .filter { !contains(head, $0) }
    }

    /// Points spread evenly over a box.
    private static func grid(_ box: Box, steps: Int) -> [Point] {
        (0..<(steps * steps)).map { i in
            Point(
                box.x + box.width * Float(i % steps) / Float(steps - 1),
                box.y + box.height * Float(i / steps) / Float(steps - 1))
        }
    }

    /// Where the points went, for those that have enough texture to say.
    ///
    /// Smooth skin has none from one pixel to the next, but has some over the larger window of the coarse picture.
    private static func followed(_ points: [Point], _ from: View, _ to: View) -> [Point] {
        points.compactMap { point in
            let half = Point(point.x / 2, point.y / 2)
            guard let rough = PointFollower.follow(half, guess: Point(0, 0), from.coarse, to.coarse) else { return nil }
            let guess = Point(rough.x * 2, rough.y * 2)
            return PointFollower.follow(point, guess: guess, from.fine, to.fine) ?? guess
        }
    }

    private static func median(_ shifts: [Point]) -> Point {
        let (xs, ys) = (shifts.map(\.x).sorted(), shifts.map(\.y).sorted())
        let middle = shifts.count / 2
        return shifts.count % 2 == 1
            ? Point(xs[middle], ys[middle])
            : Point((xs[middle - 1] + xs[middle]) / 2, (ys[middle - 1] + ys[middle]) / 2)
    }

    /// Mean absolute change of luminance where the points went.
    private static func change(_ points: [Point], _ shift: Point, _ from: View, _ to: View) -> Float {
        var (sum, count) = (Float(0), Float(0))
        for point in points {
            guard let before = from.fine.value(at: point),
                let after = to.fine.value(at: Point(point.x + shift.x, point.y + shift.y))
            else { continue }
            sum += abs(after - before)
            count += 1
        }
        return count > 0 ? min(255, sum / count) : 0
    }
}
