// SPDX-License-Identifier: Apache-2.0
// Chance that comes out the same for the same seed, so that a failing test can be run again. Never for anything in earnest.

/// SplitMix64 (Steele, Lea, Flood 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The generator of a seed.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Even over 0 to 1.
    public mutating func uniform() -> Float { Float(next() >> 40) / Float(1 << 24) }

    /// Near enough to the normal distribution with deviation 1: the sum of twelve even ones.
    public mutating func normal() -> Float {
        var sum: Float = -6
        for _ in 0..<12 { sum += uniform() }
        return sum
    }
}
