// SPDX-License-Identifier: Apache-2.0
// Which way the head points, from five landmarks. A coarse measure (about five degrees on real faces), good for choosing frames, for the
// enrolment's guidance and for telling a turn to the left from one to the right; depth is another matter and judged elsewhere.

#if canImport(Glibc)
    import Glibc
#endif

/// The head's angles in degrees, as the person feels them.
public struct Pose: Sendable, Equatable {
    /// Positive when turned to the person's own left, the right side of the unmirrored picture; -80 to 80.
    public var yaw: Float
    /// Positive when looking up; -80 to 80.
    public var pitch: Float
    /// Positive when the head leans to the person's own right shoulder, so that the eye on the picture's left is lower; -180 to 180.
    public var roll: Float

    /// A pose.
    public init(yaw: Float, pitch: Float, roll: Float) {
        self.yaw = yaw
        self.pitch = pitch
        self.roll = roll
    }

    /// How far the nose tip stands out of the plane of eyes and mouth corners, in eye distances.
    static let noseDepth: Float = 0.52
    /// Where the nose tip lies between the eye line (0) and the mouth line (1) of a head that looks straight ahead.
    static let noseHeight: Float = 0.56
    /// The distance between eye line and mouth line, in eye distances.
    static let faceHeight: Float = 1.05

    /// Estimates the pose by a weak-perspective head: eyes and mouth corners in a plane, the nose tip `noseDepth` before it.
    ///
    /// With E the eye centre, M the mouth centre, u the unit vector along the eyes and d their distance as seen:
    /// turning by y shortens d by cos y and shifts the nose sideways by `noseDepth` sin y, so tan y = s / (d * noseDepth), s being the
    /// nose's distance from the line E-M along u. Tilting by p shifts the nose's share h of the way from E to M:
    /// tan p = (noseHeight - h) * faceHeight / noseDepth. Nil when the eyes coincide or the mouth lies on their line.
    public init?(_ landmarks: Landmarks) {
        let (r, l) = (landmarks.rightEye, landmarks.leftEye)
        let eyes = Point((r.x + l.x) / 2, (r.y + l.y) / 2)
        let mouth = Point(
            (landmarks.rightMouth.x + landmarks.leftMouth.x) / 2, (landmarks.rightMouth.y + landmarks.leftMouth.y) / 2)
        let distance = landmarks.eyeDistance
        guard distance > 0.5 else { return nil }
        let u = Point((l.x - r.x) / distance, (l.y - r.y) / distance)
        // Down the face, at right angles to the eyes.
        let v = Point(-u.y, u.x)
        func along(_ from: Point, _ to: Point, _ axis: Point) -> Float {
            (to.x - from.x) * axis.x + (to.y - from.y) * axis.y
        }
        let height = along(eyes, mouth, v)
        guard height > 0.1 * distance else { return nil }
        let share = along(eyes, landmarks.nose, v) / height
        // The line from E to M leans when the landmarks shear; the nose is measured from the point beside it on that line.
        let sideways = along(eyes, landmarks.nose, u) - share * along(eyes, mouth, u)
        yaw = Pose.degrees(sideways / distance, Pose.noseDepth)
        pitch = Pose.degrees((Pose.noseHeight - share) * Pose.faceHeight, Pose.noseDepth)
        roll = atan2(-u.y, u.x) * 180 / .pi
    }

    private static func degrees(_ opposite: Float, _ adjacent: Float) -> Float {
        max(-80, min(80, atan2(opposite, adjacent) * 180 / .pi))
    }
}
