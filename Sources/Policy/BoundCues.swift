// SPDX-License-Identifier: Apache-2.0
// Signs of life that belong to the person. Only some frames are compared, and a face may be swapped in between: what was seen between two
// views counts for the person only when both were the person and lay close together. (Cues against a person need no such proof.)

import Biometrics

/// Passive values and motion of one track, counted as far as they are bound to the person.
struct BoundCues: Sendable {
    private struct Sight: Sendable {
        var passive: Float?
        var motion: Motion?
        var eyeDistance: Float
        var interval: UInt64
        var at: UInt64
    }

    /// Sights that wait for a comparison; more than any camera takes within `JudgeRule.bound`.
    private static let mostWaiting = 128

    private var waiting: [Sight] = []
    private var boundAt: UInt64?
    private var passiveSum: Float = 0
    private(set) var passiveCount = 0
    private var passiveFirst: UInt64 = 0
    private var passiveLast: UInt64 = 0
    /// How the face moved.
    private(set) var motion = IndependentMotion()
    /// Whether any view was the person.
    private(set) var everBound = false

    /// Mean probability of live; nil without a value.
    var passive: Float? { passiveCount > 0 ? passiveSum / Float(passiveCount) : nil }
    /// Milliseconds between the first and the last value.
    var passiveSpan: UInt64 { passiveLast - passiveFirst }

    /// Takes the cues of one frame, `interval` milliseconds after the one before; `passive` as a probability.
    mutating func see(passive: Float?, motion: Motion?, eyeDistance: Float, interval: UInt64, now: UInt64) {
        if waiting.count == BoundCues.mostWaiting { waiting.removeFirst() }
        waiting.append(
            Sight(passive: passive, motion: motion, eyeDistance: eyeDistance, interval: interval, at: now))
    }

    /// The frame seen last was compared: with the person before and now, all that was seen between counts.
    mutating func bind(isPerson: Bool, now: UInt64) {
        defer {
            waiting = []
            boundAt = isPerson ? now : nil
        }
        guard isPerson else { return }
        everBound = true
        let isBetween = boundAt.map { now - $0 <= JudgeRule.bound } ?? false
        // Else this frame alone, and not by its time: a camera's clock may stand still.
        for sight in isBetween ? waiting[...] : waiting.suffix(1) { count(sight) }
    }

    private mutating func count(_ sight: Sight) {
        if let moved = sight.motion { motion.observe(moved, eyeDistance: sight.eyeDistance, interval: sight.interval) }
        guard let value = sight.passive else { return }
        if passiveCount == 0 { passiveFirst = sight.at }
        passiveLast = sight.at
        passiveSum += value
        passiveCount += 1
    }
}
