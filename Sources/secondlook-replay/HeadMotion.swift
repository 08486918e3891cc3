// SPDX-License-Identifier: Apache-2.0
// How the drawn head and the drawn photo move in time. Pure, so that a replay is the same whatever the machine's load.

import TestSupport

/// A head that follows its orders at a person's speed.
struct HeadMotion {
    /// Radians a second: a brisk turn of the head.
    static let speed: Float = 2
    /// How far a head turns when it is asked to: 23 degrees each.
    static let yaw: Float = 0.4
    static let pitch: Float = 0.4

    private(set) var yaw: Float = 0
    private(set) var pitch: Float = 0

    /// Moves on for some milliseconds towards what is ordered.
    mutating func follow(_ order: String, milliseconds: UInt64) {
        let most = HeadMotion.speed * Float(milliseconds) / 1000
        let (wantedYaw, wantedPitch): (Float, Float) =
            switch order {
            case "left": (HeadMotion.yaw, 0)
            case "right": (-HeadMotion.yaw, 0)
            // Back from a turn that went too far: most of it.
            case "less-left": (HeadMotion.yaw * 0.88, 0)
            case "less-right": (-HeadMotion.yaw * 0.88, 0)
            case "down": (0, HeadMotion.pitch)
            case "up": (0, -HeadMotion.pitch)
            default: (0, 0)
            }
        yaw += max(-most, min(most, wantedYaw - yaw))
        pitch += max(-most, min(most, wantedPitch - pitch))
    }
}

/// A photo in the hand of someone who tries everything.
enum PhotoMotion {
    /// The pose after some milliseconds: turned to 35 degrees, tilted, rolled, nearer and farther, moved about.
    static func pose(after milliseconds: UInt64) -> PlanePose {
        let time = Float(milliseconds) / 1000
        func wave(_ period: Float, _ phase: Float = 0) -> Float { triangle(time / period + phase) }
        return PlanePose(
            yaw: 0.6 * wave(2.3), pitch: 0.3 * wave(3.1, 0.25), roll: 0.12 * wave(4.3, 0.6),
            scale: 1 + 0.18 * wave(3.7), x: 0.06 * wave(1.9, 0.3), y: 0.05 * wave(2.7, 0.8))
    }

    /// A smooth wave of period 1 between -1 and 1 that begins at 0.
    private static func triangle(_ position: Float) -> Float {
        let part = position - position.rounded(.down)
        let line = part < 0.25 ? 4 * part : part < 0.75 ? 2 - 4 * part : 4 * part - 4
        return line * (1.5 - 0.5 * line * line)
    }
}
