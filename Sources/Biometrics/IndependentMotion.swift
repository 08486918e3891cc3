// SPDX-License-Identifier: Apache-2.0
// A face that moves by itself. A picture that is held up moves together with what is around the face in it; a head moves before a
// background that stands still. Weak: it only spares a person the challenge, it never accepts or refuses by itself.

/// Adds up how far a face moved apart from its surround.
public struct IndependentMotion: Sendable {
    /// Least motion of the face, and of the face against its surround, in eye distances a second: noise alone makes 0.02.
    public static let least: Float = 0.04
    /// Motion that is so many times its surround's own is the face's at once: people before a still background reach 4 to 90, a photo that is turned
    /// about, whose surround moves unevenly, 0.3 to 4.
    public static let timesSurround: Float = 5
    /// A surround that moves no faster than this, in eye distances a second, together with a face that does not move fast either, may be hair, a
    /// shoulder or a camera on a lap; a photo that is moved about moves faster.
    public static let calmSurround: Float = 0.25
    /// The fastest a face may move, in eye distances a second, for that.
    public static let calmFace: Float = 0.35
    /// Milliseconds that must have been seen to call a surround calm.
    public static let calmAfter: UInt64 = EvidenceSpan.frames
    /// Fewer motions than this prove nothing.
    public static let leastCount = 2

    private var path: Float = 0
    private var common: Float = 0
    private var own: Float = 0
    private var milliseconds: UInt64 = 0
    /// How many frames had a motion.
    public private(set) var count = 0

    /// Nothing seen yet.
    public init() {}

    /// Takes the motion of one frame against the one `interval` milliseconds before; `eyeDistance` in pixels.
    public mutating func observe(_ motion: Motion, eyeDistance: Float, interval: UInt64) {
        guard eyeDistance > 1, interval > 0, interval < 10_000 else { return }
        count += 1
        milliseconds += interval
        path += motion.face.distance(to: motion.surround) / eyeDistance
        common += motion.surround.distance(to: Point(0, 0)) / eyeDistance
        own += motion.face.distance(to: Point(0, 0)) / eyeDistance
    }

    /// Motion of the face against its surround, in eye distances a second; 0 without frames.
    public var relative: Float { perSecond(path) }

    /// Motion of the surround, in eye distances a second; 0 without frames.
    public var surround: Float { perSecond(common) }

    /// Motion of the face in the picture, in eye distances a second; 0 without frames.
    public var face: Float { perSecond(own) }

    /// Whether the face moved, and by itself: a still photo before a living background did not.
    public var isIndependent: Bool {
        guard count >= IndependentMotion.leastCount, relative >= IndependentMotion.least,
            face >= IndependentMotion.least
        else { return false }
        if relative >= IndependentMotion.timesSurround * surround { return true }
        return milliseconds >= IndependentMotion.calmAfter && surround <= IndependentMotion.calmSurround
            && face <= IndependentMotion.calmFace
    }

    private func perSecond(_ length: Float) -> Float {
        milliseconds > 0 ? length * 1_000 / Float(milliseconds) : 0
    }
}
