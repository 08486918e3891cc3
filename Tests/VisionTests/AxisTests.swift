// SPDX-License-Identifier: Apache-2.0
// The weights of a resizing, against hand-made numbers.

import Testing

@testable import Vision

@Suite struct AxisTests {
    /// Taps of an output pixel as position -> share.
    private func taps(_ axis: Axis, _ output: Int) -> [Int: Float] {
        let range = axis.firsts[output]..<axis.firsts[output + 1]
        return Dictionary(range.map { (axis.sources[$0], axis.weights[$0]) }, uniquingKeysWith: +)
    }

    @Test func halvesByMeansOfTwo() {
        let axis = Axis(origin: 0, length: 8, limit: 8, count: 4)
        #expect(axis.count == 4)
        #expect(taps(axis, 0) == [0: 0.5, 1: 0.5])
        #expect(taps(axis, 3) == [6: 0.5, 7: 0.5])
    }

    @Test func sharesBrokenPixels() {
        // 5 to 2: an output pixel covers two and a half.
        let axis = Axis(origin: 0, length: 5, limit: 5, count: 2)
        #expect(taps(axis, 0) == [0: 0.4, 1: 0.4, 2: 0.2])
        #expect(taps(axis, 1) == [2: 0.2, 3: 0.4, 4: 0.4])
    }

    @Test func enlargesBetweenCentres() {
        let axis = Axis(origin: 0, length: 2, limit: 2, count: 4)
        #expect(taps(axis, 0) == [0: 1])
        #expect(taps(axis, 1) == [0: 0.75, 1: 0.25])
        #expect(taps(axis, 2) == [0: 0.25, 1: 0.75])
        #expect(taps(axis, 3) == [1: 1])
    }

    @Test func keepsEqualSizes() {
        let axis = Axis(origin: 3, length: 4, limit: 9, count: 4)
        #expect((0..<4).map { taps(axis, $0) } == [[3: 1], [4: 1], [5: 1], [6: 1]])
        #expect(axis.range == 3...6)
    }

    @Test(arguments: [(-1, 1), (-3, 3), (5, 5), (6, 4), (10, 0), (12, 2), (-12, 2), (0, 0)])
    func mirrorsAboutTheBorderPixel(position: Int, expected: Int) {
        #expect(Axis.Border.mirrored.folded(position, 6) == expected)
    }

    @Test(arguments: [(-100, 0), (-1, 0), (0, 0), (3, 3), (5, 5), (6, 5), (1_000, 5)])
    func repeatsTheBorderPixel(position: Int, expected: Int) {
        #expect(Axis.Border.repeated.folded(position, 6) == expected)
    }

    @Test(arguments: [Axis.Border.mirrored, .repeated])
    func staysWithinASinglePixel(border: Axis.Border) {
        #expect((-3...3).allSatisfy { border.folded($0, 1) == 0 })
    }

    @Test(arguments: [(100, 37), (640, 320), (681, 278), (33, 128), (128, 128), (6000, 128)])
    func weighsToOne(length: Int, count: Int) {
        for border in [Axis.Border.mirrored, .repeated] {
            let axis = Axis(origin: -50, length: length, limit: 480, count: count, border: border)
            for o in 0..<count {
                let sum = axis.weights[axis.firsts[o]..<axis.firsts[o + 1]].reduce(0, +)
                #expect(abs(sum - 1) < 1e-4)
            }
            #expect(axis.range.lowerBound >= 0 && axis.range.upperBound < 480)
        }
    }
}
