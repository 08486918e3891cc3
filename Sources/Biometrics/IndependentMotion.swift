// SPDX-License-Identifier: Apache-2.0
// A face that moves by itself. A picture that is held up moves together with what is around the face in it; a head moves before a
// background that stands still. Weak: it only spares a person the challenge, it never accepts or refuses by itself.

/// Adds up how far a face moved apart from its surround.
public struct IndependentMotion: Sendable {
    private var path: Float = 0
    private var common: Float = 0
    /// How many frames had a motion.
    public private(set) var count = 0

    /// Least mean motion of the face against its surround, in eye distances a frame.
    public static let least: Float = 0.0012
    /// Fewer motions than this prove nothing.
    public static let leastCount = 2
    /// How many times its surround's own motion that must be: a photo that is turned or brought nearer carries its background along, if not
    /// everywhere by the same way.
    public static let timesSurround: Float = 2

    /// Nothing seen yet.
    public init() {}

    /// Takes the motion of one frame; `eyeDistance` in pixels, greater than zero.
    public mutating func observe(_ motion: Motion, eyeDistance: Float) {
        guard eyeDistance > 1 else { return }
        count += 1
        path += motion.face.distance(to: motion.surround) / eyeDistance
        common += motion.surround.distance(to: Point(0, 0)) / eyeDistance
    }

    /// Mean motion of the face against its surround, in eye distances a frame; 0 without frames.
    public var relative: Float { count > 0 ? path / Float(count) : 0 }

    /// Mean motion of the surround, in eye distances a frame; 0 without frames.
    public var surround: Float { count > 0 ? common / Float(count) : 0 }

    /// Whether the face moved, and by itself.
    public var isIndependent: Bool {
        count >= IndependentMotion.leastCount && relative >= IndependentMotion.least
            && relative >= IndependentMotion.timesSurround * surround
    }
}
