// SPDX-License-Identifier: Apache-2.0
// The beat of a screen's pixels with the sensor's: a picture of a picture made of dots has one or a few sharp lines in its spectrum, skin and
// noise have none. It works on raw pixels, since enhancing and scaling wash the beat out.

import Biometrics

#if canImport(Glibc)
    import Glibc
#endif

/// Looks for a regular fine pattern on a face.
struct ScreenMeter {
    /// Side of the square that is transformed, in pixels of the frame.
    static let side = 64
    /// Radii of the spectrum that are looked at: periods from 11 pixels down to 2.2.
    private static let rings = 6...29
    /// How many times the median power of its ring a line has to be before it means anything, and to be sure.
    ///
    /// Between, the strength rises with the logarithm. Live people measured have 4 to 31, a filmed monitor 355.
    private static let quiet: Float = 25
    private static let sure: Float = 400
    /// Power that even noise-free pictures are taken to have, so that a ring without any does not make a line of nothing.
    private static let floor: Float = 500

    private let cosines: [Float]
    private let sines: [Float]
    private let window: [Float]
    /// Places of the half spectrum, by ring; without the axes, where the blocks of JPEG pictures leave lines.
    private let places: [[Int]]

    init() {
        let side = ScreenMeter.side
        let turn = 2 * Float.pi / Float(side)
        cosines = (0..<side).map { cos(turn * Float($0)) }
        sines = (0..<side).map { sin(turn * Float($0)) }
        window = (0..<side).map { 0.5 - 0.5 * cos(2 * .pi * Float($0) / Float(side - 1)) }
        var places = [[Int]](repeating: [], count: side)
        for row in 0..<side {
            let v = row <= side / 2 ? row : row - side
            for u in 2...side / 2 where abs(v) > 1 {
                let radius = Int((Float(u * u + v * v)).squareRoot().rounded())
                if ScreenMeter.rings.contains(radius) { places[radius].append(row * (side / 2 + 1) + u) }
            }
        }
        self.places = places
    }

    /// Strength of the pattern on the face in `box`, 0 to 1; nil when the face or the frame is too small to say.
    func strength(_ frame: Frame, _ box: Box) -> Float? {
        guard let line = line(frame, box) else { return nil }
        return min(1, max(0, log2(line / ScreenMeter.quiet) / log2(ScreenMeter.sure / ScreenMeter.quiet)))
    }

    /// Power of the strongest line over the median of its ring.
    func line(_ frame: Frame, _ box: Box) -> Float? {
        guard let patch = patch(frame, box) else { return nil }
        let power = spectrum(patch)
        var strongest: Float = 0
        for ring in ScreenMeter.rings {
            let values = places[ring].map { power[$0] }.sorted()
            guard let most = values.last, values.count >= 8 else { continue }
            strongest = max(strongest, most / (values[values.count / 2] + ScreenMeter.floor))
        }
        return strongest
    }

    /// Luminance of the middle of the face, without its mean, under a window.
    private func patch(_ frame: Frame, _ box: Box) -> [Float]? {
        let side = ScreenMeter.side
        guard box.width >= Float(side), box.height >= Float(side), box.width < 8192, box.height < 8192,
            abs(box.x) < 16_384, abs(box.y) < 16_384, frame.width >= side, frame.height >= side
        else { return nil }
        let left = min(max(0, Int(box.x + box.width / 2) - side / 2), frame.width - side)
        let top = min(max(0, Int(box.y + box.height * 0.55) - side / 2), frame.height - side)
        let channels = frame.format.bytesPerPixel
        var values = [Float](repeating: 0, count: side * side)
        for y in 0..<side {
            for x in 0..<side {
                let at = ((top + y) * frame.width + left + x) * channels
                values[y * side + x] =
                    channels == 1
                    ? Float(frame.pixels[at])
                    : (Float(frame.pixels[at]) + 2 * Float(frame.pixels[at + 1]) + Float(frame.pixels[at + 2])) / 4
            }
        }
        let mean = values.reduce(0, +) / Float(values.count)
        for y in 0..<side {
            for x in 0..<side { values[y * side + x] = (values[y * side + x] - mean) * window[x] * window[y] }
        }
        return values
    }

    /// Power at columns 0 to 32 and all rows of the two-dimensional Fourier transform, row by row.
    private func spectrum(_ patch: [Float]) -> [Float] {
        let side = ScreenMeter.side
        let columns = side / 2 + 1
        var real = [Float](repeating: 0, count: side * columns)
        var imaginary = real
        for y in 0..<side {
            for u in 0..<columns {
                var (re, im) = (Float(0), Float(0))
                for x in 0..<side {
                    let angle = u * x & (side - 1)
                    re += patch[y * side + x] * cosines[angle]
                    im -= patch[y * side + x] * sines[angle]
                }
                real[y * columns + u] = re
                imaginary[y * columns + u] = im
            }
        }
        var power = [Float](repeating: 0, count: side * columns)
        for v in 0..<side {
            for u in 0..<columns {
                var (re, im) = (Float(0), Float(0))
                for y in 0..<side {
                    let angle = v * y & (side - 1)
                    let (a, b) = (real[y * columns + u], imaginary[y * columns + u])
                    re += a * cosines[angle] + b * sines[angle]
                    im += b * cosines[angle] - a * sines[angle]
                }
                power[v * columns + u] = re * re + im * im
            }
        }
        return power
    }
}
