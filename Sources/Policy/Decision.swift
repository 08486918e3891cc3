// SPDX-License-Identifier: Apache-2.0
// What the judge answers: wait, say something, or the end with the figures that go into the record.

/// The figures of an attempt, for the record and for `secondlook verify`.
///
/// Nil is "not measured".
public struct Scores: Sendable, Equatable {
    /// Cosine of the mean probe against the mean template.
    public var similarity: Float?
    /// What it had to reach.
    public var threshold: Float
    /// Mean probability of live over the tracked face's frames, 0 to 1.
    public var passive: Float?
    /// The same from the second opinion.
    public var secondOpinion: Float?
    /// Motion of the face against its surround, in eye distances a second.
    public var motion: Float?
    /// Mean strength of screen signs, 0 to 1.
    public var screen: Float?
    /// The furthest answer to a prompt, in eye distances.
    public var depth: Float?
    /// How many frames the judge took.
    public var frames: Int
    /// How many of them had a usable face.
    public var usableFrames: Int
    /// Whether a challenge was asked.
    public var challenged: Bool

    /// The figures.
    public init(
        similarity: Float? = nil, threshold: Float, passive: Float? = nil, secondOpinion: Float? = nil,
        motion: Float? = nil, screen: Float? = nil, depth: Float? = nil, frames: Int = 0, usableFrames: Int = 0,
        challenged: Bool = false
    ) {
        self.similarity = similarity
        self.threshold = threshold
        self.passive = passive
        self.secondOpinion = secondOpinion
        self.motion = motion
        self.screen = screen
        self.depth = depth
        self.frames = frames
        self.usableFrames = usableFrames
        self.challenged = challenged
    }
}

/// The judge's answer to a frame or to time passing.
public enum Step: Sendable, Equatable {
    /// Go on.
    case undecided
    /// Go on, and tell the person this.
    case notice(Notice)
    /// The end. The judge answers the same to everything that comes later.
    case decided(Verdict, Scores)
}

/// Which cues the judge uses; all of them, but for measuring what each adds.
public struct Cues: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// A set of cues.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The passive network may refuse.
    public static let passive = Cues(rawValue: 1)
    /// Only a face that moves by itself is spared the challenge.
    public static let motion = Cues(rawValue: 2)
    /// Frames that come again refuse.
    public static let repetition = Cues(rawValue: 4)
    /// Signs of a screen refuse.
    public static let screen = Cues(rawValue: 8)
    /// Everything.
    public static let all: Cues = [.passive, .motion, .repetition, .screen]
}
