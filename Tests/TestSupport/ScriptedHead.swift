// SPDX-License-Identifier: Apache-2.0
// Somebody, or something, that answers prompts: turns to a side, holds, and comes back, as fast as a person does.

import Foundation

/// The pose of a head that does as it is told, or as it likes.
public struct ScriptedHead: Sendable {
    /// Radians it turns by.
    public var extent: Float
    /// Milliseconds before it begins to move.
    public var reaction: UInt64
    private var target: (yaw: Float, pitch: Float) = (0, 0)
    private var since: UInt64 = 0

    /// Milliseconds of one movement, to a side or back, and of the rest between the two.
    private static let move: UInt64 = 500
    private static let hold: UInt64 = 500

    /// A head that turns by `extent` radians.
    public init(extent: Float = 0.6, reaction: UInt64 = 300) {
        self.extent = extent
        self.reaction = reaction
    }

    /// Begins to turn towards `yaw` and `pitch`, each -1 to 1 times the extent, and then back.
    public mutating func turn(yaw: Float, pitch: Float, at now: UInt64) {
        target = (yaw * extent, pitch * extent)
        since = now + reaction
    }

    /// Where it is.
    public func pose(at now: UInt64) -> (yaw: Float, pitch: Float) {
        guard now > since else { return (0, 0) }
        let elapsed = now - since
        let part: Float
        if elapsed < Self.move {
            part = Float(elapsed) / Float(Self.move)
        } else if elapsed < Self.move + Self.hold {
            part = 1
        } else if elapsed < 2 * Self.move + Self.hold {
            part = 1 - Float(elapsed - Self.move - Self.hold) / Float(Self.move)
        } else {
            return (0, 0)
        }
        let eased = (1 - cos(part * .pi)) / 2
        return (target.yaw * eased, target.pitch * eased)
    }
}
