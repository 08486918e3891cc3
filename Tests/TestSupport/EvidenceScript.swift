// SPDX-License-Identifier: Apache-2.0
// Evidence as a worker would send it, frame by frame, of people and pictures whose truth is known.

public import Biometrics

/// Makes the frames of a pretended session.
public struct EvidenceScript: Sendable {
    /// What is in view.
    public struct Subject: Sendable {
        /// Head or picture.
        public var shape: SyntheticFace
        /// How it is held.
        public var pose: SyntheticFace.Pose
        /// Cosine of its embedding against `EvidenceScript.owner`, before noise.
        public var similarity: Float
        /// Logit of the passive network; nil when it is not installed.
        public var passive: Float?
        /// Logit of the second opinion; nil when it is not installed, as by default.
        public var secondOpinion: Float?
        /// Motion against the surround, pixels a frame; nil when it was not followed.
        public var ownMotion: Float?
        /// Signs of a screen.
        public var screen: Float?
        /// The track's number.
        public var track: UInt32
        /// Face brightness, contrast, sharpness.
        public var quality: (brightness: Float, contrast: Float, sharpness: Float)

        /// A subject; by default the enrolled person, alive, moving a little.
        public init(
            shape: SyntheticFace = .head, pose: SyntheticFace.Pose = .init(), similarity: Float = 0.8,
            passive: Float? = 4, ownMotion: Float? = 0.8, screen: Float? = 0, track: UInt32 = 1,
            quality: (brightness: Float, contrast: Float, sharpness: Float) = (120, 40, 200)
        ) {
            self.shape = shape
            self.pose = pose
            self.similarity = similarity
            self.passive = passive
            self.ownMotion = ownMotion
            self.screen = screen
            self.track = track
            self.quality = quality
        }
    }

    /// The enrolled template of these scripts.
    public static let owner: Embedding = {
        var values = [Float](repeating: 0, count: Embedding.dimension)
        values[0] = 1
        guard let embedding = Embedding(values) else { preconditionFailure("a unit vector is an embedding") }
        return embedding
    }()

    /// Milliseconds of the frame that comes next.
    public var now: UInt64
    /// Milliseconds from frame to frame.
    public var interval: UInt64
    /// Landmark noise in pixels.
    public var noise: Float
    /// Brightness and contrast of the whole frame.
    public var light: (brightness: Float, contrast: Float) = (110, 50)
    /// When set, every frame has this fingerprint.
    public var fixedFingerprint: UInt64?
    private var sequence: UInt32 = 0
    private var generator: SeededGenerator

    /// A session that begins at `now`.
    public init(now: UInt64 = 10_000, interval: UInt64 = 66, noise: Float = 0.5, seed: UInt64 = 1) {
        self.now = now
        self.interval = interval
        self.noise = noise
        generator = SeededGenerator(seed: seed)
    }

    /// The next frame with these in view, and time moved on.
    public mutating func frame(_ subjects: [Subject]) -> FrameEvidence {
        defer {
            now += interval
            sequence += 1
        }
        let faces = subjects.map { face($0) }
        return FrameEvidence(
            sequence: sequence, timestamp: now, width: 640, height: 480, brightness: light.brightness,
            contrast: light.contrast, fingerprint: fixedFingerprint ?? generator.next(), faces: faces)
    }

    private mutating func face(_ subject: Subject) -> FaceEvidence {
        let landmarks = subject.shape.landmarks(subject.pose, noise: noise, using: &generator)
        let size = subject.pose.size
        let centre = subject.pose.centre
        var motion: Motion?
        if let own = subject.ownMotion {
            motion = Motion(face: Point(own, 0), surround: Point(0, 0), faceChange: 2, surroundChange: 1)
        }
        return FaceEvidence(
            track: subject.track,
            box: Box(x: centre.x - size * 1.1, y: centre.y - size * 1.4, width: size * 2.2, height: size * 2.8),
            score: 0.9, landmarks: landmarks, brightness: subject.quality.brightness,
            contrast: subject.quality.contrast, sharpness: subject.quality.sharpness,
            embedding: embedding(subject.similarity), passive: subject.passive,
            secondOpinion: subject.secondOpinion, motion: motion, screen: subject.screen)
    }

    /// An embedding of this cosine against the owner, the rest of it in a direction of its own.
    private func embedding(_ cosine: Float) -> Embedding? {
        var values = [Float](repeating: 0, count: Embedding.dimension)
        values[0] = cosine
        values[1] = (1 - cosine * cosine).squareRoot()
        return Embedding(values)
    }
}
