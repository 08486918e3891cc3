// SPDX-License-Identifier: Apache-2.0
// The beat of a screen on pictures whose pattern is known.

import Biometrics
import TestSupport
import Testing

@testable import Vision

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct ScreenMeterTests {
    private let box = Box(x: 50, y: 40, width: 140, height: 160)

    /// Smooth skin with sensor noise and, when wanted, a beat of this period and height in grey levels.
    private func face(period: Float, height: Float, noise: Float = 2.5, seed: UInt64 = 1) throws -> Frame {
        var pixels: [UInt8] = []
        for y in 0..<240 {
            for x in 0..<240 {
                let phase = 2 * Float.pi / period
                let beat = height * triangle((Float(x) + 0.4 * Float(y)) * phase / (2 * .pi))
                let grey = UInt8(max(0, min(255, 90 + Float(x + y) / 8 + beat)))
                pixels += [grey, grey, grey]
            }
        }
        var sensor = SensorNoise(deviation: noise, seed: seed)
        let frame = try #require(Frame(width: 240, height: 240, format: .rgb, pixels: pixels, timestamp: 0))
        return sensor.added(to: frame)
    }

    private func triangle(_ position: Float) -> Float {
        let part = position - position.rounded(.down)
        return part < 0.5 ? 4 * part - 1 : 3 - 4 * part
    }

    @Test(arguments: [2.6, 3.5, 5, 7, 9, 11, 13, 15, 18] as [Float]) func seesABeat(period: Float) throws {
        let strength = try #require(ScreenMeter().strength(try face(period: period, height: 5), box))
        #expect(strength > 0.5)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>) func seesNoneInNoise(seed: UInt64) throws {
        for noise in [0, 1, 2.5, 6] as [Float] {
            let strength = try #require(
                ScreenMeter().strength(try face(period: 5, height: 0, noise: noise, seed: seed), box))
            #expect(strength < 0.35, "noise \(noise)")
        }
    }

    /// Folds, shades and pores: waves of every length and direction, the longer the stronger, as pictures of faces have them.
    private func skin(beat: Float, period: Float, seed: UInt64) throws -> Frame {
        let side = 150
        var generator = SeededGenerator(seed: seed)
        let waves = (0..<300).map { _ in
            let frequency = 0.01 * pow(40, generator.uniform())
            return (
                angle: generator.uniform() * 2 * .pi, frequency: frequency, phase: generator.uniform() * 2 * .pi,
                height: 0.02 * pow(frequency, -1.2)
            )
        }
        var levels = [Float](repeating: 120, count: side * side)
        for wave in waves {
            let (kx, ky) = (wave.frequency * 2 * .pi * cos(wave.angle), wave.frequency * 2 * .pi * sin(wave.angle))
            for i in levels.indices {
                levels[i] += wave.height * sin(kx * Float(i % side) + ky * Float(i / side) + wave.phase)
            }
        }
        for i in levels.indices {
            levels[i] += beat * sin((Float(i % side) + 0.6 * Float(i / side)) / 1.166 * 2 * .pi / period)
        }
        var sensor = SensorNoise(deviation: 2.5, seed: seed)
        let pixels = levels.flatMap { level in [UInt8](repeating: UInt8(max(0, min(255, level))), count: 3) }
        let frame = try #require(Frame(width: side, height: side, format: .rgb, pixels: pixels, timestamp: 0))
        return sensor.added(to: frame)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func tellsAWeakCoarseBeatFromFolds(seed: UInt64) throws {
        let box = Box(x: 5, y: 5, width: 140, height: 140)
        for period in [8.5, 10, 13] as [Float] {
            let strength = try #require(ScreenMeter().strength(try skin(beat: 2.5, period: period, seed: seed), box))
            #expect(strength > 0.5, "period \(period)")
        }
        let none = try #require(ScreenMeter().strength(try skin(beat: 0, period: 9, seed: seed), box))
        #expect(none < 0.35)
    }

    @Test func looksPastTheBlocksOfJPEG() throws {
        var pixels: [UInt8] = []
        for y in 0..<240 {
            for x in 0..<240 {
                let grey = UInt8(110 + (x % 8 == 0 ? 6 : 0) + (y % 8 == 0 ? 6 : 0))
                pixels += [grey, grey, grey]
            }
        }
        let frame = try #require(Frame(width: 240, height: 240, format: .rgb, pixels: pixels, timestamp: 0))
        #expect(try #require(ScreenMeter().strength(frame, box)) < 0.2)
    }

    @Test func saysNothingOfASmallFaceOrFrame() throws {
        let frame = try face(period: 5, height: 5)
        #expect(ScreenMeter().strength(frame, Box(x: 0, y: 0, width: 63, height: 100)) == nil)
        #expect(ScreenMeter().strength(frame, Box(x: 1e9, y: 0, width: 100, height: 100)) == nil)
        let small = try #require(
            Frame(width: 60, height: 60, format: .grey, pixels: [UInt8](repeating: 9, count: 3_600), timestamp: 0))
        #expect(ScreenMeter().strength(small, box) == nil)
    }

    @Test func worksAtTheBorderAndInGrey() throws {
        let grey = try #require(
            Frame(width: 100, height: 100, format: .grey, pixels: [UInt8](repeating: 9, count: 10_000), timestamp: 0))
        for box in [Box(x: -50, y: -60, width: 100, height: 100), Box(x: 90, y: 95, width: 300, height: 300)] {
            #expect(ScreenMeter().strength(grey, box) == 0)
        }
    }
}
