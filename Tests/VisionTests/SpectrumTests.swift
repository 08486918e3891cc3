// SPDX-License-Identifier: Apache-2.0
// The transform against its definition.

import TestSupport
import Testing

@testable import Vision

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct SpectrumTests {
    private let side = Spectrum.side

    @Test(arguments: [(3, 5), (7, -11), (31, 2), (20, -30)]) func putsAWaveAtItsFrequency(u: Int, v: Int) {
        let patch = (0..<(side * side)).map { i in
            cos(2 * .pi * Float(u * (i % side) + v * (i / side)) / Float(side) + 0.7)
        }
        let power = Spectrum().power(patch)
        let at = (v & (side - 1)) * Spectrum.columns + u
        // Half the amplitude at either of two mirrored places, over all pixels.
        let expected = Float(side * side * side * side) / 4
        #expect(abs(power[at] / expected - 1) < 1e-3)
        #expect(power.enumerated().allSatisfy { $0.offset == at || $0.element < expected * 1e-5 })
    }

    @Test func keepsTheEnergyOfNoise() {
        var generator = SeededGenerator(seed: 5)
        let patch = (0..<(side * side)).map { _ in generator.normal() }
        var sum: Double = 0
        for (index, value) in Spectrum().power(patch).enumerated() {
            let column = index % Spectrum.columns
            sum += Double(value) * (column == 0 || column == side / 2 ? 1 : 2)
        }
        let energy = patch.reduce(0.0) { $0 + Double($1) * Double($1) } * Double(side * side)
        #expect(abs(sum / energy - 1) < 1e-4)
    }
}
