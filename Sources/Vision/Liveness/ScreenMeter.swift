// SPDX-License-Identifier: Apache-2.0
// The beat of a screen's pixels with the sensor's: a picture of a picture made of dots has one or a few sharp lines in its spectrum, skin and
// noise have none. It works on raw pixels, since enhancing and scaling wash the beat out.

import Biometrics

#if canImport(Glibc)
    import Glibc
#endif

/// Looks for a regular fine pattern on a face.
struct ScreenMeter {
    /// Side of the square that is transformed, in pixels of the frame or of the frame at half its size.
    static let side = Spectrum.side
    /// Radii of the spectrum that are looked at: periods from 11 pixels down to 2.2, at half size from 21 down to 4.4.
    private static let rings = 6...29
    /// How far around a line its neighbourhood reaches, and how much of it is the line itself.
    private static let around = 5
    private static let core = 1
    /// Power that even noise-free pictures are taken to have, so that a ring or a neighbourhood without any does not make a line of nothing; the
    /// steps of a smooth shade in whole grey levels have 27,000.
    private static let ringFloor: Float = 500
    private static let neighbourFloor: Float = 3_000

    /// How many times what is around it a line has to be before it means anything, and to be sure; between, the strength rises with the logarithm.
    struct Limits {
        let quiet: Float
        let sure: Float

        func strength(_ line: Float) -> Float { min(1, max(0, log2(line / quiet) / log2(sure / quiet))) }
    }

    /// Over the median of its ring, which a broad line of a large monitor passes: live people measured have 4 to 31, a filmed monitor 355.
    static let overRing = Limits(quiet: 25, sure: 400)
    /// Over its neighbourhood, which the folds of a face fill as well, so that a weak or coarse line stands out from them: sessions of live people
    /// measured have 6 to 16, single newspaper pictures 46 in one of a thousand, simulated screens 50 and more.
    static let overNeighbours = Limits(quiet: 13, sure: 52)

    private let spectrum = Spectrum()
    private let window: [Float]
    /// Places of the half spectrum, by ring; without the axes, where the blocks of JPEG pictures leave lines.
    private let places: [[(u: Int, v: Int)]]

    init() {
        let side = ScreenMeter.side
        window = (0..<side).map { 0.5 - 0.5 * cos(2 * .pi * Float($0) / Float(side - 1)) }
        var places = [[(u: Int, v: Int)]](repeating: [], count: side)
        for row in 0..<side {
            let v = row <= side / 2 ? row : row - side
            for u in 2...side / 2 where abs(v) > 1 {
                let radius = Int((Float(u * u + v * v)).squareRoot().rounded())
                if ScreenMeter.rings.contains(radius) { places[radius].append((u, v)) }
            }
        }
        self.places = places
    }

    /// Strength of the pattern on the face in `box`, 0 to 1; nil when the face or the frame is too small to say.
    func strength(_ frame: Frame, _ box: Box) -> Float? {
        guard let fine = patch(frame, box, reduction: 1) else { return nil }
        let power = spectrum.power(fine)
        var strength = ScreenMeter.overRing.strength(overRing(power))
        strength = max(strength, ScreenMeter.overNeighbours.strength(overNeighbours(power)))
        if let coarse = patch(frame, box, reduction: 2) {
            let line = overNeighbours(spectrum.power(coarse))
            strength = max(strength, ScreenMeter.overNeighbours.strength(line))
        }
        return strength
    }

    /// Power of the strongest line over the median of its ring.
    func overRing(_ power: [Float]) -> Float {
        var strongest: Float = 0
        for ring in ScreenMeter.rings {
            let values = places[ring].map { power[place($0.u, $0.v)] }.sorted()
            guard let most = values.last, values.count >= 8 else { continue }
            strongest = max(strongest, most / (values[values.count / 2] + ScreenMeter.ringFloor))
        }
        return strongest
    }

    /// Power of the strongest line over the geometric mean of its neighbourhood without the line itself.
    ///
    /// Geometric, so that another line nearby hardly counts.
    func overNeighbours(_ power: [Float]) -> Float {
        let (around, core) = (ScreenMeter.around, ScreenMeter.core)
        let levels = LogarithmicPlane(power.map { log2($0 + ScreenMeter.neighbourFloor) }, margin: around)
        let count = Float((2 * around + 1) * (2 * around + 1) - (2 * core + 1) * (2 * core + 1))
        var strongest: Float = 0
        for ring in ScreenMeter.rings {
            for (u, v) in places[ring] {
                let mean = (levels.sum(u, v, reach: around) - levels.sum(u, v, reach: core)) / count
                strongest = max(strongest, levels.value(u, v) - mean)
            }
        }
        return exp2(strongest)
    }

    /// Where a frequency lies in the half spectrum.
    private func place(_ u: Int, _ v: Int) -> Int { (v & (ScreenMeter.side - 1)) * Spectrum.columns + u }

    /// Luminance of the middle of the face, without its mean, under a window; each of its pixels is the mean of `reduction` squared ones.
    private func patch(_ frame: Frame, _ box: Box, reduction: Int) -> [Float]? {
        let side = ScreenMeter.side
        let reach = side * reduction
        guard box.width >= Float(reach), box.height >= Float(reach), box.width < 8192, box.height < 8192,
            abs(box.x) < 16_384, abs(box.y) < 16_384, frame.width >= reach, frame.height >= reach
        else { return nil }
        let left = min(max(0, Int(box.x + box.width / 2) - reach / 2), frame.width - reach)
        let top = min(max(0, Int(box.y + box.height * 0.55) - reach / 2), frame.height - reach)
        let channels = frame.format.bytesPerPixel
        var values = [Float](repeating: 0, count: side * side)
        let weight = 1 / Float(4 * reduction * reduction)
        for y in 0..<reach {
            var at = ((top + y) * frame.width + left) * channels
            let row = y / reduction * side
            for x in 0..<reach {
                let sum =
                    channels == 1
                    ? 4 * Int(frame.pixels[at])
                    : Int(frame.pixels[at]) + 2 * Int(frame.pixels[at + 1]) + Int(frame.pixels[at + 2])
                values[row + x / reduction] += Float(sum) * weight
                at += channels
            }
        }
        let mean = values.reduce(0, +) / Float(values.count)
        for y in 0..<side {
            for x in 0..<side { values[y * side + x] = (values[y * side + x] - mean) * window[x] * window[y] }
        }
        return values
    }
}

/// A half spectrum with all that is around it, as sums from which those of any square come at once.
private struct LogarithmicPlane {
    private let margin: Int
    private let width: Int
    private var sums: [Float]
    private let levels: [Float]

    /// Takes the half spectrum; what lies beyond its ends is its mirror image about the origin.
    init(_ levels: [Float], margin: Int) {
        let (side, columns) = (Spectrum.side, Spectrum.columns)
        self.levels = levels
        self.margin = margin
        width = columns + 2 * margin + 1
        let height = side + 2 * margin + 1
        sums = [Float](repeating: 0, count: width * height)
        for row in 1..<height {
            // Row 1 is the lowest frequency, -side/2, less the margin.
            let v = row - 1 - margin - side / 2
            var line: Float = 0
            for column in 1..<width {
                line += LogarithmicPlane.level(levels, column - 1 - margin, v)
                sums[row * width + column] = sums[(row - 1) * width + column] + line
            }
        }
    }

    func value(_ u: Int, _ v: Int) -> Float { LogarithmicPlane.level(levels, u, v) }

    /// The sum over the square that reaches so far to each side.
    func sum(_ u: Int, _ v: Int, reach: Int) -> Float {
        let left = u + margin - reach
        let right = u + margin + reach + 1
        let top = (v + Spectrum.side / 2 + margin - reach) * width
        let bottom = (v + Spectrum.side / 2 + margin + reach + 1) * width
        return sums[bottom + right] - sums[top + right] - sums[bottom + left] + sums[top + left]
    }

    private static func level(_ levels: [Float], _ u: Int, _ v: Int) -> Float {
        let mask = Spectrum.side - 1
        let (a, b) = (u & mask, v & mask)
        return a < Spectrum.columns
            ? levels[b * Spectrum.columns + a] : levels[((-v) & mask) * Spectrum.columns + (Spectrum.side - a)]
    }
}
