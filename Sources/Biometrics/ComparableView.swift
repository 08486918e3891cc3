// SPDX-License-Identifier: Apache-2.0
// Which views of a face are worth a comparison. The worker compares these as soon as they look different, and the judge lets no other view speak for
// the person: were the two chosen apart, a stranger's life could be lent in a view that the one never compares and the other believes.

/// The limits of a view that is compared, deliberately looser than those of one by which the judge recognises somebody.
public enum ComparableView {
    /// Faces of a frame that are worth it, largest first.
    public static let mostFaces = 2
    static let eyeDistance: Float = 16
    static let brightness: ClosedRange<Float> = 20...245
    static let contrast: Float = 8
    static let sharpness: Float = 6
    static let yaw: Float = 50
    static let pitch: Float = 45

    /// Whether the face at `place` of a frame of this size is compared.
    public static func admits(_ face: FaceEvidence, place: Int, width: Int, height: Int) -> Bool {
        guard place < mostFaces, let pose = Pose(face.landmarks) else { return false }
        return face.landmarks.eyeDistance >= eyeDistance && brightness.contains(face.brightness)
            && face.contrast >= contrast && face.sharpness >= sharpness && abs(pose.yaw) <= yaw
            && abs(pose.pitch) <= pitch
            && face.landmarks.points.allSatisfy {
                $0.x >= 0 && $0.y >= 0 && $0.x < Float(width) && $0.y < Float(height)
            }
    }
}
