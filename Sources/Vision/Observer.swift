// SPDX-License-Identifier: Apache-2.0
// From a frame to what is told of it. It joins detector, tracker, quality, recogniser, passive networks and motion, and holds what has to
// be remembered from frame to frame. It says what it sees and decides nothing.

public import Biometrics

/// Makes evidence of frames.
public struct Observer {
    /// How thoroughly frames are looked at.
    public struct Settings: Sendable, Equatable {
        /// Longer side of what the detector sees, in pixels.
        public var detectorSide: Int
        /// Lowest score of a face.
        public var detectorScore: Float
        /// Faces of a frame that the passive networks judge, largest first.
        public var passiveFaces: Int

        /// The settings of a login.
        public init(detectorSide: Int = 320, detectorScore: Float = 0.6, passiveFaces: Int = 2) {
            self.detectorSide = detectorSide
            self.detectorScore = detectorScore
            self.passiveFaces = passiveFaces
        }
    }

    private var detector: Detector
    private let recogniser: Recogniser
    private var liveness: PassiveNetwork?
    private var secondOpinion: PassiveNetwork?
    private let settings: Settings

    // Each camera has its own view of the scene, but numbers of faces are never shared.
    private var trackers: [CameraRole: FaceTracker] = [
        .colour: FaceTracker(first: 1), .infrared: FaceTracker(first: 0x8000_0000),
    ]
    private var meters: [CameraRole: MotionMeter] = [:]
    private var plan = EmbeddingPlan()
    private let screen = ScreenMeter()

    /// Whether `crops` are kept; only where somebody has asked for pictures.
    public var keepsCrops = false
    /// Of the latest frame: each face with an embedding as the recogniser was given it.
    public private(set) var crops: [SharedPicture] = []

    /// Whether the passive network is loaded.
    public var hasLiveness: Bool { liveness != nil }
    /// Whether the second opinion is loaded.
    public var hasSecondOpinion: Bool { secondOpinion != nil }

    /// Takes the loaded networks; each is refused by name when it is another than its part needs.
    public init(
        detector: any InferenceEngine, recogniser: any InferenceEngine, liveness: (any InferenceEngine)? = nil,
        secondOpinion: (any InferenceEngine)? = nil, settings: Settings = Settings()
    ) throws(VisionError) {
        self.detector = try Detector(
            engine: detector, longest: settings.detectorSide, threshold: settings.detectorScore)
        self.recogniser = try Recogniser(engine: recogniser)
        if let liveness { self.liveness = try PassiveNetwork(engine: liveness, role: .liveness) }
        if let secondOpinion {
            self.secondOpinion = try PassiveNetwork(engine: secondOpinion, role: .secondOpinion)
        }
        self.settings = settings
    }

    /// The evidence of the next frame of a camera.
    ///
    /// - Parameters:
    ///   - sequence: its number in the session, passed on.
    ///   - role: the camera's kind; the passive networks know colour only.
    ///   - embed: which faces the recogniser is run on.
    public mutating func observe(
        _ frame: Frame, sequence: UInt32, role: CameraRole = .colour, embed: EmbeddingChoice = .sparing
    ) throws(VisionError) -> FrameEvidence {
        crops = []
        let detections = try detector.find(in: frame)
        let numbers = trackers[role, default: FaceTracker()].follow(detections.map(\.box), at: frame.timestamp)
        let boxes = Dictionary(zip(numbers, detections.map(\.box))) { first, _ in first }
        let motions = meters[role, default: MotionMeter()].observe(
            detector.luminance, reduction: detector.reduction, faces: boxes)
        var faces: [FaceEvidence] = []
        for (place, (number, detection)) in zip(numbers, detections).enumerated() {
            var face = try described(frame, detection, number, place: place, role: role, embed: embed)
            face.motion = motions[number]
            faces.append(face)
        }
        let (mean, deviation) = detector.luminance.spread()
        return FrameEvidence(
            sequence: sequence, timestamp: frame.timestamp, role: role, width: UInt16(frame.width),
            height: UInt16(frame.height), brightness: mean, contrast: deviation, fingerprint: Fingerprint.of(frame),
            faces: faces)
    }

    private mutating func described(
        _ frame: Frame, _ detection: Detection, _ number: UInt32, place: Int, role: CameraRole, embed: EmbeddingChoice
    ) throws(VisionError) -> FaceEvidence {
        let aligned = Aligner.align(frame, detection.landmarks)
        let grey = aligned?.luminance
        let (brightness, contrast) = grey?.spread() ?? (0, 0)
        var face = FaceEvidence(
            track: number, box: detection.box, score: min(1, max(0, detection.score)), landmarks: detection.landmarks,
            brightness: brightness, contrast: contrast, sharpness: grey?.sharpness() ?? 0)
        if place == 0 { face.screen = screen.strength(frame, detection.box) }
        if role == .colour, frame.format == .rgb, place < settings.passiveFaces {
            face.passive = try liveness?.judge(frame, detection.box)
            face.secondOpinion = try secondOpinion?.judge(frame, detection.box)
        }
        if let grey, wantsEmbedding(face, grey, frame, place: place, embed) {
            let landmarks = try detector.refined(detection, in: frame)
            face.embedding = try recogniser.embed(frame, landmarks)
            if keepsCrops, face.embedding != nil, let crop = Aligner.align(frame, landmarks)?.picture(of: number) {
                crops.append(crop)
            }
        }
        return face
    }

    private mutating func wantsEmbedding(
        _ face: FaceEvidence, _ grey: Luminance, _ frame: Frame, place: Int, _ choice: EmbeddingChoice
    ) -> Bool {
        switch choice {
        case .none: false
        case .every: true
        case .sparing:
            ComparableView.admits(face, place: place, width: frame.width, height: frame.height)
                && plan.wants(face.track, Appearance(grey), at: frame.timestamp)
        }
    }
}
