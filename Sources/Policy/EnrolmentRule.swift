// SPDX-License-Identifier: Apache-2.0
// The numbers an enrolment goes by. Stricter than a login's (JudgeRule), since a bad sample is compared with at every login.

/// Limits of guided enrolment.
///
/// Degrees, pixels, luminance 0 to 255, times in milliseconds.
enum EnrolmentRule {
    // A view good enough to keep.
    static let eyeDistance: Float = 32
    static let sharpness: Float = 18
    static let faceBrightness: ClosedRange<Float> = 40...225
    static let faceContrast: Float = 12
    static let roll: Float = 25

    // Poses; all but the centre are measured from the person's own centre.
    /// Straight on.
    static let centreYaw: Float = 11
    /// The least turn to a side; the judge's own limit of a usable face (JudgeRule.aside, about 30 degrees) is the most.
    static let turn: Float = 10
    /// The least nod as it is measured.
    ///
    /// Through the detector's five points a nod of 30 degrees reads as a nose moved by 0.01 to 0.11 eye distances (docs/accuracy.md), which
    /// is 1 to 12 degrees of measured pitch; 5 lies above what a head held still shows over the frames of `held`.
    static let nod: Float = 5
    /// How far a turn may nod, and a nod turn.
    static let stray: Float = 14

    // Taking a sample.
    /// Frames in a row, and the time they span, that a pose is held before a view is taken.
    static let heldFrames = 3
    static let heldSpan: UInt64 = 150
    /// Views a pose gives at most, and the time after the first in which another has to come.
    static let views = 2
    static let secondView: UInt64 = 1_500
    /// Two views nearer than this show the same thing.
    static let alike: Float = 0.985
    /// So many views in a row of someone else end the enrolment.
    static let strangers = 4

    // Time.
    /// For a pose that is needed, and for one that is not.
    static let needed: UInt64 = 20_000
    static let optional: UInt64 = 8_000
    /// Nobody, darkness or a second person for so long ends it.
    static let patience: UInt64 = 10_000
    static let several: UInt64 = 4_000
    /// A guidance other than a pose's is told when it has held so long, and not sooner after the one before.
    static let settle: UInt64 = 500
    static let apart: UInt64 = 1_500
    /// A gap this long between two frames breaks a held pose.
    static let gap: UInt64 = 600
}
