// SPDX-License-Identifier: Apache-2.0
// A head made of one photo: the picture of the face laid on an ellipsoid with a bump for the nose, and turned. It stands in for a person
// who answers a prompt, and it is the attack to fear: one photo and a program that turns it as it is asked to.

public import Biometrics
import Foundation

/// Renders one picture of a face as a head that turns.
public struct HeadRenderer: Sendable {
    // The shape, in eye distances: half axes of the skull, height, width and place of the nose. Deeper than a real head and with a broad nose, so
    // that the detector, which expects a face straight on, moves the nose as far as it does for people: found by a search over these and the angles.
    private static let halfWidth: Float = 1.35
    private static let halfHeight: Float = 1.95
    private static let depth: Float = 1.3
    private static let noseHeight: Float = 1.3
    private static let noseWidth: Float = 0.7

    private static let step = 4

    private let photo: Frame
    private let centre: Point
    private let nose: Point
    private let unit: Float
    private let along: Point
    private var noise: SensorNoise

    /// A renderer of the face at `face` in `photo`, which should look straight on; `deviation` is the sensor noise in grey levels.
    public init(photo: Frame, face: Landmarks, deviation: Float = 2, seed: UInt64) {
        self.photo = photo
        let unit = max(1, face.eyeDistance)
        self.unit = unit
        let along = Point((face.leftEye.x - face.rightEye.x) / unit, (face.leftEye.y - face.rightEye.y) / unit)
        self.along = along
        let corners = [face.rightEye, face.leftEye, face.rightMouth, face.leftMouth]
        let centre = Point(corners.reduce(0) { $0 + $1.x } / 4, corners.reduce(0) { $0 + $1.y } / 4)
        self.centre = centre
        let off = Point(face.nose.x - centre.x, face.nose.y - centre.y)
        nose = Point((off.x * along.x + off.y * along.y) / unit, (off.y * along.x - off.x * along.y) / unit)
        noise = SensorNoise(deviation: deviation, seed: seed)
    }

    /// The head turned by `yaw` (radians, positive towards the person's own left, the picture's right) and `pitch` (positive: chin down),
    /// with new noise.
    public mutating func render(yaw: Float, pitch: Float = 0, timestamp: UInt64) -> Frame? {
        let field = field(Turn(yaw: yaw, pitch: pitch))
        let columns = photo.width / Self.step + 2
        let frame = Warp.render(
            photo, width: photo.width, height: photo.height, background: photo, timestamp: timestamp
        ) { u, v in
            let (x, y) = (u / Float(Self.step), v / Float(Self.step))
            let (column, row) = (Int(x), Int(y))
            let (fx, fy) = (x - Float(column), y - Float(row))
            let at = row * columns + column
            let upper = field[at] + (field[at + 1] - field[at]) * fx
            let lower = field[at + columns] + (field[at + columns + 1] - field[at + columns]) * fx
            let shift = upper + (lower - upper) * fy
            return (u + shift.x, v + shift.y)
        }
        return frame.map { noise.added(to: $0) }
    }

    /// How far each pixel's source lies from it, at every `step`th pixel both ways: the field is smooth, and solving it everywhere takes long.
    private func field(_ turn: Turn) -> [SIMD2<Float>] {
        var shifts: [SIMD2<Float>] = []
        for row in 0..<(photo.height / Self.step + 2) {
            for column in 0..<(photo.width / Self.step + 2) {
                let (u, v) = (Float(column * Self.step), Float(row * Self.step))
                let place = source(u, v, turn)
                shifts.append(SIMD2(place.x - u, place.y - v))
            }
        }
        return shifts
    }

    private struct Turn {
        let sinYaw: Float
        let cosYaw: Float
        let sinPitch: Float
        let cosPitch: Float

        init(yaw: Float, pitch: Float) {
            sinYaw = sin(yaw)
            cosYaw = cos(yaw)
            sinPitch = sin(pitch)
            cosPitch = cos(pitch)
        }
    }

    /// How far the surface stands out at (x, y), in eye distances from the head's axis.
    private func surface(_ x: Float, _ y: Float) -> Float {
        let r = (x / Self.halfWidth) * (x / Self.halfWidth) + (y / Self.halfHeight) * (y / Self.halfHeight)
        // A paraboloid: like the ellipsoid in front, and its slope stays finite at the rim.
        let skull = Self.depth * max(0, 1 - 0.8 * r)
        let (dx, dy) = ((x - nose.x) / Self.noseWidth, (y - nose.y) / (Self.noseWidth * 1.2))
        return skull + Self.noseHeight * exp(-(dx * dx + dy * dy) / 2)
    }

    private func source(_ u: Float, _ v: Float, _ turn: Turn) -> (x: Float, y: Float) {
        let (du, dv) = ((u - centre.x) / unit, (v - centre.y) / unit)
        let (hu, hv) = (du * along.x + dv * along.y, dv * along.x - du * along.y)
        let rim = ((hu - turn.sinYaw * 0.5) / Self.halfWidth, (hv - turn.sinPitch * 0.5) / Self.halfHeight)
        let radius = (rim.0 * rim.0 + rim.1 * rim.1).squareRoot()
        // Inside the head all of the turn, outside none, between them hair and neck that give way.
        guard radius < 1.7 else { return (u, v) }
        let weight = radius < 1 ? 1 : (1.7 - radius) / 0.7
        var (x, y) = (hu, hv)
        // Which point of the surface lands at (hu, hv): a fixed point, damped since the nose is steep.
        for _ in 0..<12 {
            let z = surface(x, y) - 0.3
            let nextX = (hu - z * turn.sinYaw) / turn.cosYaw
            let turned = z * turn.cosYaw - x * turn.sinYaw
            let nextY = (hv - turned * turn.sinPitch) / turn.cosPitch
            x += 0.7 * (nextX - x)
            y += 0.7 * (nextY - y)
        }
        let (sx, sy) = ((x - hu) * weight + hu, (y - hv) * weight + hv)
        return (centre.x + unit * (sx * along.x - sy * along.y), centre.y + unit * (sx * along.y + sy * along.x))
    }
}
