// SPDX-License-Identifier: Apache-2.0
// What an enrolment asks for and what it keeps of each view: values without behaviour, shared by the guide, the store and the command.

public import Biometrics

/// Which way the head points in a sample; left and right are the person's own.
public enum EnrolmentPose: UInt8, Sendable, Equatable, CaseIterable {
    case centre = 0
    case left = 1
    case right = 2
    case up = 3
    case down = 4

    /// The word for tables and JSON.
    public var name: String {
        switch self {
        case .centre: "centre"
        case .left: "left"
        case .right: "right"
        case .up: "up"
        case .down: "down"
        }
    }

    /// Whether an enrolment fails without it.
    ///
    /// Up and down are measured weakly (docs/accuracy.md: a nod moves the nose by 0.11 eye distances at most), so an enrolment goes on
    /// without them.
    public var isNeeded: Bool { self != .up && self != .down }
}

/// How good one view of a face was, as it was measured when it was taken.
public struct SampleQuality: Sendable, Equatable {
    /// Degrees, positive to the person's own left.
    public var yaw: Float
    /// Degrees, positive up.
    public var pitch: Float
    /// Variance of the Laplacian of the aligned face.
    public var sharpness: Float
    /// Mean luminance of the face, 0 to 255.
    public var brightness: Float
    /// Pixels between the eyes.
    public var eyeDistance: Float

    /// The figures of one view.
    public init(yaw: Float, pitch: Float, sharpness: Float, brightness: Float, eyeDistance: Float) {
        self.yaw = yaw
        self.pitch = pitch
        self.sharpness = sharpness
        self.brightness = brightness
        self.eyeDistance = eyeDistance
    }

    /// The figures of a face in evidence.
    public init(_ face: FaceEvidence) {
        let pose = Pose(face.landmarks) ?? Pose(yaw: 0, pitch: 0, roll: 0)
        self.init(
            yaw: pose.yaw, pitch: pose.pitch, sharpness: face.sharpness, brightness: face.brightness,
            eyeDistance: face.landmarks.eyeDistance)
    }

    /// 0 to 100: the worst of sharpness (full from 150), size (full from 60 pixels between the eyes) and light (full at mid grey).
    ///
    /// An order of views by what can be measured, for choosing and for showing; not a probability of anything.
    public var score: Int {
        let sharp = sharpness / 150
        let large = eyeDistance / 60
        let lit = 1.25 * (1 - abs(brightness - 128) / 128)
        let worst = min(sharp, large, lit, 1)
        return worst.isFinite ? Int((max(0, worst) * 100).rounded()) : 0
    }
}

/// What is known of one stored sample besides its numbers.
public struct SampleNote: Sendable, Equatable {
    /// The pose it was asked for; nil when it was not asked (pictures, quick enrolment).
    public var pose: EnrolmentPose?
    /// How good it was.
    public var quality: SampleQuality

    /// A note.
    public init(pose: EnrolmentPose?, quality: SampleQuality) {
        self.pose = pose
        self.quality = quality
    }
}

/// A view that an enrolment has accepted.
public struct EnrolmentSample: Sendable, Equatable {
    /// The face as the recogniser describes it.
    public var embedding: Embedding
    /// What else is known of it.
    public var note: SampleNote
    /// The number of the frame it was taken from.
    public var frame: UInt32

    /// A sample.
    public init(embedding: Embedding, note: SampleNote, frame: UInt32) {
        self.embedding = embedding
        self.note = note
        self.frame = frame
    }
}

/// What the person is told while being enrolled.
public enum EnrolmentGuidance: Sendable, Equatable {
    /// Take this pose.
    case take(EnrolmentPose)
    /// The pose was begun and does not reach far enough.
    case further
    /// It reaches too far to be recognised by.
    case back
    /// The head leans to a shoulder.
    case upright
    /// The pose is right; now the picture is being taken.
    case hold
    /// What stands in the way is the same as at a login.
    case scene(Notice)
    /// The pose was not reached in its time, and the enrolment goes on without it.
    case without(EnrolmentPose)
    /// The view is not the person's of the views before.
    case samePerson
    /// Every pose is done with.
    case finished
}
