// SPDX-License-Identifier: Apache-2.0
// What the worker tells the helper of one frame. Numbers only: no pixel, no verdict, no threshold.

/// How the picture moved since the frame before, in pixels: the face and its surround are measured apart.
public struct Motion: Sendable, Equatable {
    /// Median displacement of the points followed on the face.
    public var face: Point
    /// Median displacement of the points followed around the face.
    public var surround: Point
    /// Mean absolute change of luminance on the face after its own displacement is taken away, 0 to 255.
    public var faceChange: Float
    /// The same around the face.
    public var surroundChange: Float

    /// The motion of one frame against the one before.
    public init(face: Point, surround: Point, faceChange: Float, surroundChange: Float) {
        self.face = face
        self.surround = surround
        self.faceChange = faceChange
        self.surroundChange = surroundChange
    }
}

/// One face in one frame.
public struct FaceEvidence: Sendable, Equatable {
    /// The same number as long as the same face is followed without a gap; never used again for another.
    public var track: UInt32
    /// Where the face is.
    public var box: Box
    /// The detector's score, 0 to 1.
    public var score: Float
    /// The five points.
    public var landmarks: Landmarks
    /// Mean luminance of the face, 0 to 255.
    public var brightness: Float
    /// Standard deviation of the face's luminance, 0 to 128: nearly 0 is a flat, unlit or glaring surface.
    public var contrast: Float
    /// Variance of the Laplacian of the aligned 112x112 grey face: below about 20 is blurred.
    public var sharpness: Float
    /// What the recogniser says, when it was run on this face in this frame.
    public var embedding: Embedding?
    /// The passive network's logit difference (live minus attack), when it was run; probability of live = 1/(1+exp(-x)).
    public var passive: Float?
    /// The same from the second opinion, when it is installed and was run.
    public var secondOpinion: Float?
    /// Motion since the frame before, when the face was followed.
    public var motion: Motion?
    /// Strength of signs of a screen around or on the face, 0 (none) to 1.
    public var screen: Float?

    /// A face; what was not computed is nil.
    public init(
        track: UInt32, box: Box, score: Float, landmarks: Landmarks, brightness: Float, contrast: Float,
        sharpness: Float, embedding: Embedding? = nil, passive: Float? = nil, secondOpinion: Float? = nil,
        motion: Motion? = nil, screen: Float? = nil
    ) {
        self.track = track
        self.box = box
        self.score = score
        self.landmarks = landmarks
        self.brightness = brightness
        self.contrast = contrast
        self.sharpness = sharpness
        self.embedding = embedding
        self.passive = passive
        self.secondOpinion = secondOpinion
        self.motion = motion
        self.screen = screen
    }
}

/// Which kind of camera took a frame.
public enum CameraRole: UInt8, Sendable, Equatable, CaseIterable {
    /// An ordinary camera.
    case colour = 0
    /// A monochrome camera that sees infrared light.
    case infrared = 1
}

/// Everything the worker says of one frame.
public struct FrameEvidence: Sendable, Equatable {
    /// More faces than this are never reported.
    public static let mostFaces = 8

    /// Counts the frames of a session from 0 without a gap.
    public var sequence: UInt32
    /// When the camera took it: milliseconds of the monotonic clock.
    public var timestamp: UInt64
    /// Which camera took it.
    public var role: CameraRole
    /// Width of the frame in pixels.
    public var width: UInt16
    /// Height of the frame in pixels.
    public var height: UInt16
    /// Mean luminance of the whole frame, 0 to 255.
    public var brightness: Float
    /// Standard deviation of the luminance of the whole frame, 0 to 128.
    public var contrast: Float
    /// A hash of all pixels: two frames of a real sensor never share it.
    public var fingerprint: UInt64
    /// The faces, largest first, at most `mostFaces`.
    public var faces: [FaceEvidence]

    /// The evidence of one frame.
    public init(
        sequence: UInt32, timestamp: UInt64, role: CameraRole = .colour, width: UInt16, height: UInt16,
        brightness: Float, contrast: Float, fingerprint: UInt64, faces: [FaceEvidence]
    ) {
        self.sequence = sequence
        self.timestamp = timestamp
        self.role = role
        self.width = width
        self.height = height
        self.brightness = brightness
        self.contrast = contrast
        self.fingerprint = fingerprint
        self.faces = faces
    }
}
