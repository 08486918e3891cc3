// SPDX-License-Identifier: Apache-2.0
// Brightness, contrast and sharpness of small pictures with known answers.

import Biometrics
import Testing

@testable import Vision

@Suite struct LuminanceTests {
    @Test func measuresAFlatPicture() {
        let flat = Luminance(width: 9, height: 7, values: [Float](repeating: 80, count: 63))
        #expect(flat.spread() == (80, 0))
        #expect(flat.sharpness() == 0)
    }

    @Test func measuresABoard() {
        // 0 and 200 in turn: mean 100, deviation 100, Laplacian +-800.
        let board = Luminance(width: 8, height: 8, values: (0..<64).map { ($0 / 8 + $0 % 8) % 2 == 0 ? 0 : 200 })
        #expect(board.spread() == (100, 100))
        #expect(board.sharpness() == 640_000)
    }

    @Test func isLessSharpWhenBlurred() {
        let values = (0..<400).map { Float(($0 * 7919) % 256) }
        let sharp = Luminance(width: 20, height: 20, values: values)
        let blurred = Luminance(
            width: 20, height: 20, values: values.indices.map { (values[$0] + values[($0 + 1) % 400]) / 2 })
        #expect(blurred.sharpness() < sharp.sharpness() * 0.8)
    }

    @Test func halvesByMeansOfFour() {
        let picture = Luminance(width: 3, height: 2, values: [0, 4, 9, 8, 12, 9])
        #expect(picture.halved() == Luminance(width: 1, height: 1, values: [6]))
    }

    @Test func readsBetweenPixels() {
        let picture = Luminance(width: 2, height: 2, values: [0, 10, 20, 30])
        #expect(picture.value(at: .init(0.5, 0.5)) == 15)
        #expect(picture.value(at: .init(1, 0)) == nil)
        #expect(picture.value(at: .init(-0.1, 0)) == nil)
        #expect(picture.value(at: .init(.nan, 0)) == nil)
    }
}
