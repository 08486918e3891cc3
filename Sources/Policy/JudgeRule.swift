// SPDX-License-Identifier: Apache-2.0
// The numbers the judge goes by, in one place. docs/accuracy.md has the measurements they come from.

import Biometrics

/// Limits of scene, comparison and liveness.
///
/// Pixels, luminance 0 to 255, times in milliseconds.
enum JudgeRule {
    // The camera's clock.
    /// How long before its evidence arrives a frame may have been taken: a camera's clock is believed that far and no further.
    static let delay: UInt64 = 250

    // The scene.
    /// A frame below this mean luminance is dark.
    static let darkFrame: Float = 22
    /// A frame with less contrast than this shows nothing, and may repeat without meaning (warm-up, lens cap).
    static let flatFrame: Float = 2
    /// A face below this score is none.
    static let faceScore: Float = 0.6
    /// A second face counts from this part of the first one's width.
    static let secondFace: Float = 0.5
    /// The scene is judged by what the last second showed.
    static let recent: UInt64 = 1_000

    // A usable face.
    static let eyeDistance: Float = 24
    static let faceBrightness: ClosedRange<Float> = 30...235
    static let faceContrast: Float = 10
    static let sharpness: Float = 12
    /// How much of the box may lie outside the frame.
    static let insideFrame: Float = 0.85
    /// Nose off the middle of the eyes, in eye distances: beyond, the face looks aside.
    static let aside: Float = 0.3

    // Comparison.
    /// Embeddings a comparison needs.
    static let leastEmbeddings = 2
    /// Embeddings and time after which a face that is far off is refused without waiting on.
    static let sureEmbeddings = 5
    static let sureAfter: UInt64 = 1_500
    /// Below this the face is far off.
    static let farOff: Float = 0.2
    /// From this cosine on (or from the threshold, when that is lower) a single view binds the signs of life around it to the person: one
    /// stranger in 1,000 reaches it.
    static let samePerson: Float = 0.363
    /// Two views of the person at most this far apart, in milliseconds, answer for the frames between them.
    static let bound: UInt64 = 500
    /// Below this even a turned or smeared view is of someone else: of 2,344 views in 87 tracks, 52 of them turned far, the least like the rest
    /// of its track had 0.31; nine strangers in ten have less than this.
    static let strange: Float = 0.15
    /// How many frames in a row must be far off, after the face had matched, to count as a swap.
    static let swapFrames = 2

    // Liveness.
    /// Frames the passive network must have judged before it may spare the challenge, as many as a screen is told by, and the time they must span.
    ///
    /// No attack measured comes nearer to `passiveLive` in the best such stretch of its session than in the best half second.
    static let passiveFrames = 5
    static let passiveSpan: UInt64 = EvidenceSpan.frames
    /// Mean probability of live over the session from which it may: on the training side's validation 52 of 60 live sessions and 40 of 174
    /// attacks, none of them a real print, reach it (Training/operating-point.json).
    static let passiveLive: Float = 0.65
    /// Where a second network is installed, the mean of both means from which the challenge may be spared; else the person is asked.
    ///
    /// Nothing else follows from it. Training/operating-point.json has the measurement.
    static let bothLive: Float = 0.82
    /// Mean probability at or below which the session is an attack, with the frames and time that takes.
    static let passiveAttack: Float = 0.15
    static let passiveAttackFrames = 6
    static let passiveAttackSpan: UInt64 = 500
    /// Mean strength of screen signs that ends the attempt, with the frames that takes.
    static let screen: Float = 0.4
    static let screenFrames = 5

    // The infrared camera beside the colour camera. These are by geometry, not measured on people: lenses 3 cm apart see a face 35 cm away
    // shifted by less than a tenth of a frame 60 degrees wide, and their angles of view differ.
    /// How far the face's middle may lie off its place in the colour frame, in parts of the frame.
    static let parallax: Float = 0.2
    /// How many times as large or small it may be.
    static let infraredScale: Float = 2
    /// How old the sight in colour may be that an infrared frame is compared with.
    static let infraredRecent: UInt64 = 400
    /// Frames that must show the face before it counts as seen.
    static let infraredFrames = 3
    /// Frames without the face, and the time they span, that end the attempt.
    static let infraredMissing = 10
    static let infraredSpan: UInt64 = 1_000

    // Challenge.
    /// Prompts for a person whom the passive network holds for living but who did not move apart from the background.
    static let promptsWhenLive = 2
    /// Prompts for everybody else.
    static let prompts = 3

    // Tracking.
    /// How far a face may jump between frames, in widths of its box, and still be the same.
    static let jump: Float = 0.6
    /// A longer gap between two sights of a face ends its track.
    static let gap: UInt64 = 600
    /// How often a challenge may begin again after the face was lost.
    static let restarts = 2
    /// A notice is not repeated before this time.
    static let noticeEvery: UInt64 = 2_500
    /// Trouble of the scene is not mentioned before this time.
    static let patience: UInt64 = 1_200
}
