// SPDX-License-Identifier: Apache-2.0
// Landmarks with known truth: five points in space, seen by a pretended camera. A head has its nose before the plane of the others, a
// picture of a head has all five in one plane.

public import Biometrics
import Foundation

/// Five points in space that can be turned and looked at.
public struct SyntheticFace: Sendable {
    /// How it is turned (radians) and where it is (pixels of a 640x480 picture).
    public struct Pose: Sendable, Equatable {
        /// Positive towards the person's own left, the picture's right.
        public var yaw: Float
        /// Positive: chin down.
        public var pitch: Float
        /// Clockwise in the picture.
        public var roll: Float
        /// Eye distance in pixels, straight on.
        public var size: Float
        /// The middle of the face.
        public var centre: Point

        /// A pose.
        public init(
            yaw: Float = 0, pitch: Float = 0, roll: Float = 0, size: Float = 70, centre: Point = Point(320, 240)
        ) {
            self.yaw = yaw
            self.pitch = pitch
            self.roll = roll
            self.size = size
            self.centre = centre
        }
    }

    // In eye distances: x to the picture's right, y down, z towards the camera.
    private let points: [(x: Float, y: Float, z: Float)]

    /// A head: eyes and mouth corners nearly in a plane, the nose 0.5 eye distances before it.
    public static let head = SyntheticFace([
        (-0.5, -0.5, 0), (0.5, -0.5, 0), (0, 0.1, 0.5), (-0.4, 0.6, 0.02), (0.4, 0.6, 0.02),
    ])

    /// A picture of that head, taken straight on.
    public static let picture = SyntheticFace([
        (-0.5, -0.5, 0), (0.5, -0.5, 0), (0, 0.1, 0), (-0.4, 0.6, 0), (0.4, 0.6, 0),
    ])

    private init(_ points: [(x: Float, y: Float, z: Float)]) { self.points = points }

    /// The landmarks in `pose`, seen with perspective from `distance` eye distances away (8 is arm's length), with normal noise of `noise`
    /// pixels on each coordinate.
    public func landmarks(
        _ pose: Pose, distance: Float = 8, noise: Float = 0, using generator: inout SeededGenerator
    ) -> Landmarks {
        let seen = points.map { point -> Point in
            let x1 = point.x * cos(pose.yaw) + point.z * sin(pose.yaw)
            let z1 = point.z * cos(pose.yaw) - point.x * sin(pose.yaw)
            let y1 = point.y * cos(pose.pitch) + z1 * sin(pose.pitch)
            let z2 = z1 * cos(pose.pitch) - point.y * sin(pose.pitch)
            let near = distance / (distance - z2)
            let x2 = (x1 * cos(pose.roll) - y1 * sin(pose.roll)) * near
            let y2 = (x1 * sin(pose.roll) + y1 * cos(pose.roll)) * near
            return Point(
                pose.centre.x + pose.size * x2 + noise * generator.normal(),
                pose.centre.y + pose.size * y2 + noise * generator.normal())
        }
        return Landmarks(
            rightEye: seen[0], leftEye: seen[1], nose: seen[2], rightMouth: seen[3], leftMouth: seen[4])
    }
}
