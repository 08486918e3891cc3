// SPDX-License-Identifier: Apache-2.0
// The same face must look the same in another light, and another face must not.

import Testing

@testable import Vision

@Suite struct AppearanceTests {
    /// A grey picture of an aligned face's size.
    private func picture(_ value: (_ x: Int, _ y: Int) -> Float) -> Appearance {
        let side = AlignedFace.side
        return Appearance(
            Luminance(
                width: side, height: side, values: (0..<(side * side)).map { value($0 % side, $0 / side) }))
    }

    private func waves(_ x: Int, _ y: Int) -> Float { 40 * Float((x / 16 + y / 24) % 3) }

    @Test(arguments: [(1, 0), (0.4, 0), (1.6, 20), (1, 90)] as [(gain: Float, offset: Float)])
    func lookTheSameInAnyLight(gain: Float, offset: Float) {
        #expect(picture { gain * waves($0, $1) + offset }.resembles(picture(waves)))
    }

    /// Light from a lamp beside the face, below it or above it.
    static let lamps: [@Sendable (_ x: Int, _ y: Int) -> Float] = [
        { x, _ in 1 - 0.95 * Float(x) / 111 }, { x, _ in x < 24 ? 1 : x > 88 ? 0.1 : 1 - 0.9 * Float(x - 24) / 64 },
        { _, y in 0.1 + 0.9 * Float(y) / 111 }, { _, y in 1 - 0.9 * Float(y) / 111 },
    ]

    @Test(arguments: lamps.indices) func twoFacesLookDifferentUnderOneLamp(index: Int) {
        let lamp = AppearanceTests.lamps[index]
        let one = picture { lamp($0, $1) * (150 + waves($0, $1) / 2) }
        #expect(!picture { lamp($0, $1) * (150 + waves(111 - $0, $1) / 2) }.resembles(one))
        #expect(!picture { lamp($0, $1) * (150 + waves($0, 111 - $1) / 2) }.resembles(one))
    }

    @Test(arguments: lamps.indices) func aFaceLooksTheSameWhenALampIsLit(index: Int) {
        let lamp = AppearanceTests.lamps[index]
        #expect(picture { lamp($0, $1) * (100 + waves($0, $1)) }.resembles(picture { 100 + waves($0, $1) }))
    }

    @Test func looksDifferentMirroredTurnedAndShifted() {
        let before = picture(waves)
        let others = [
            picture { waves(111 - $0, $1) }, picture { waves($0, 111 - $1) }, picture { waves($0 + 12, $1) },
            picture { -waves($0, $1) },
        ]
        for (index, other) in others.enumerated() { #expect(!other.resembles(before), "other \(index)") }
    }

    @Test func whatLiesBesideTheFaceCountsLittle() {
        let isBackground = { (x: Int, y: Int) in x < 16 || x >= 96 || y < 16 || y >= 104 }
        let lit = picture { isBackground($0, $1) ? 1.5 * waves($0, $1) + 30 : waves($0, $1) + 60 }
        #expect(lit.resembles(picture { waves($0, $1) + 60 }))
        // On the face the same shows.
        let covered = picture { $1 >= 72 ? 140 - waves($0, $1) : waves($0, $1) + 60 }
        #expect(!covered.resembles(picture { waves($0, $1) + 60 }))
    }

    @Test func liesBetweenItsLimits() {
        // Noise of a known part of the pattern: the correlation of a pattern with itself and an orthogonal one of r times its length is 1/sqrt(1 + r*r).
        let rows = { (x: Int, y: Int) -> Float in (y / 8).isMultiple(of: 2) ? 20 : -20 }
        let columns = { (x: Int, y: Int) -> Float in (x / 8).isMultiple(of: 2) ? 20 : -20 }
        for (part, isSame) in [(0.0, true), (0.5, true), (0.75, false), (1, false)] as [(Float, Bool)] {
            let mixed = picture { 100 + columns($0, $1) + part * rows($0, $1) }
            #expect(mixed.resembles(picture { 100 + columns($0, $1) }) == isSame, "part \(part)")
        }
    }

    @Test func flatPicturesResembleNothing() {
        let flat = picture { _, _ in 128 }
        #expect(!flat.resembles(flat) && !flat.resembles(picture(waves)) && !picture(waves).resembles(flat))
    }
}
