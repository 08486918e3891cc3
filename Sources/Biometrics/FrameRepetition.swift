// SPDX-License-Identifier: Apache-2.0
// Frames that come again. No sensor delivers the same noise twice; a frozen or looped feed does. A driver may hand out one frame twice in
// a row when the light is low, so a single repeat is dropped without blame.

/// Tells whether a session's frames repeat.
public struct FrameRepetition: Sendable {
    /// What one more frame says.
    public enum Finding: Sendable, Equatable {
        /// A frame not seen before.
        case fresh
        /// The same as the one before, or as one earlier: not to be judged.
        case repeated
        /// Repeated beyond what a driver does: an attack.
        case decisive
    }

    /// How many frames in a row may be identical.
    public static let mostInARow = 3
    /// How often a frame may come again after others came between.
    public static let mostReturns = 1

    private var seen: Set<UInt64> = []
    private var last: UInt64?
    private var inARow = 1
    private var returns = 0

    /// No frames yet.
    public init() {}

    /// Takes the fingerprint of the next frame.
    public mutating func observe(_ fingerprint: UInt64) -> Finding {
        defer { last = fingerprint }
        if fingerprint == last {
            inARow += 1
            return inARow > FrameRepetition.mostInARow ? .decisive : .repeated
        }
        inARow = 1
        if seen.insert(fingerprint).inserted { return .fresh }
        returns += 1
        return returns > FrameRepetition.mostReturns ? .decisive : .repeated
    }
}
