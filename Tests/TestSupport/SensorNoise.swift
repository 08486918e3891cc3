// SPDX-License-Identifier: Apache-2.0
// The noise of a camera's sensor, laid over a rendered frame: without it two renderings of the same pose would be the same frame.

public import Biometrics

/// Adds normal noise to frames.
public struct SensorNoise: Sendable {
    private let table: [Int16]
    private var generator: SeededGenerator

    /// Noise of this standard deviation in grey levels, in an order that follows from `seed`.
    public init(deviation: Float, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        table = (0..<8192).map { _ in Int16(max(-100, min(100, (generator.normal() * deviation).rounded()))) }
        self.generator = generator
    }

    /// The pixels with new noise.
    public mutating func added(to pixels: [UInt8]) -> [UInt8] {
        var result = pixels
        var state = generator.next() | 1
        for i in result.indices {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Int16(result[i]) &+ table[Int(truncatingIfNeeded: state >> 51) & 8191]
            result[i] = value < 0 ? 0 : value > 255 ? 255 : UInt8(truncatingIfNeeded: value)
        }
        return result
    }

    /// The frame with new noise.
    public mutating func added(to frame: Frame) -> Frame {
        Frame(
            width: frame.width, height: frame.height, format: frame.format, pixels: added(to: frame.pixels),
            timestamp: frame.timestamp) ?? frame
    }
}
