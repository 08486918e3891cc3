// SPDX-License-Identifier: Apache-2.0
// Motion of face and surround on pictures that were moved by known steps.

import Biometrics
import Testing

@testable import Vision

@Suite struct MotionMeterTests {
    private let box = Box(x: 120, y: 80, width: 80, height: 80)

    /// A textured picture; the face's box is taken from a picture moved otherwise than the rest.
    private func scene(face: (Int, Int), surround: (Int, Int)) -> Luminance {
        let (inner, outer) = (texture(320, 240, .grey, shiftedBy: face), texture(320, 240, .grey, shiftedBy: surround))
        var values = outer.pixels.map { Float($0) }
        // A little more than the box, as hair and ears go with the face.
        for y in 70..<170 {
            for x in 110..<210 { values[y * 320 + x] = Float(inner.pixels[y * 320 + x]) }
        }
        return Luminance(width: 320, height: 240, values: values)
    }

    private func motion(_ from: Luminance, _ to: Luminance, reduction: Float = 1) -> Motion? {
        var meter = MotionMeter()
        let inFrame = Box(
            x: box.x * reduction, y: box.y * reduction, width: box.width * reduction, height: box.height * reduction)
        #expect(meter.observe(from, reduction: reduction, faces: [7: inFrame]).isEmpty)
        return meter.observe(to, reduction: reduction, faces: [7: inFrame])[7]
    }

    @Test(arguments: [(0, 0), (2, 0), (0, -3), (4, 3)]) func followsAPictureThatMovesAsOne(x: Int, y: Int) throws {
        let moved = try #require(motion(scene(face: (0, 0), surround: (0, 0)), scene(face: (x, y), surround: (x, y))))
        #expect(moved.face.distance(to: Point(Float(x), Float(y))) < 0.15)
        #expect(moved.surround.distance(to: Point(Float(x), Float(y))) < 0.15)
        #expect(moved.faceChange < 3 && moved.surroundChange < 3)
    }

    @Test func tellsAFaceThatMovesByItself() throws {
        let moved = try #require(motion(scene(face: (0, 0), surround: (0, 0)), scene(face: (3, 1), surround: (0, 0))))
        #expect(moved.face.distance(to: Point(3, 1)) < 0.2)
        #expect(moved.surround.distance(to: Point(0, 0)) < 0.1)
    }

    @Test func measuresInPixelsOfTheFrame() throws {
        let moved = try #require(
            motion(scene(face: (0, 0), surround: (0, 0)), scene(face: (2, 0), surround: (2, 0)), reduction: 2))
        #expect(abs(moved.face.x - 4) < 0.3)
    }

    @Test func saysNothingOfAPlainWall() {
        // Without texture around the face nobody knows whether the surround moved.
        func before(_ shift: (Int, Int)) -> Luminance {
            let face = texture(320, 240, .grey, shiftedBy: shift)
            var values = [Float](repeating: 128, count: 320 * 240)
            for y in 80..<160 {
                for x in 120..<200 { values[y * 320 + x] = Float(face.pixels[y * 320 + x]) }
            }
            return Luminance(width: 320, height: 240, values: values)
        }
        #expect(motion(before((0, 0)), before((2, 0))) == nil)
    }

    /// A wall with a soft shade and nothing to follow, and a textured face.
    private func plain(face shift: (Int, Int), shade offset: (Float, Float)) -> Luminance {
        let face = texture(320, 240, .grey, shiftedBy: shift)
        var values: [Float] = []
        for y in 0..<240 {
            for x in 0..<320 {
                let inFace = (80..<160).contains(y) && (120..<200).contains(x)
                let shade = 40 + (Float(x) - offset.0) * 0.5
                values.append(inFace ? Float(face.pixels[y * 320 + x]) : shade)
            }
        }
        return Luminance(width: 320, height: 240, values: values)
    }

    @Test func tellsFromAShadeThatAPlainWallStoodStill() throws {
        let moved = try #require(motion(plain(face: (0, 0), shade: (0, 0)), plain(face: (3, 0), shade: (0, 0))))
        #expect(moved.surround == Point(0, 0))
        #expect(moved.face.distance(to: Point(3, 0)) < 0.2)
    }

    @Test func tellsFromAShadeThatAPlainWallWentAlong() throws {
        let moved = try #require(motion(plain(face: (0, 0), shade: (0, 0)), plain(face: (3, 0), shade: (3, 0))))
        #expect(moved.surround == moved.face)
    }

    @Test func measuresNothingForAFaceThatIsNew() {
        var meter = MotionMeter()
        let picture = scene(face: (0, 0), surround: (0, 0))
        _ = meter.observe(picture, reduction: 1, faces: [1: box])
        #expect(meter.observe(picture, reduction: 1, faces: [2: box]).isEmpty)
    }

    @Test func survivesFacesBeyondTheBorder() {
        var meter = MotionMeter()
        let picture = scene(face: (0, 0), surround: (0, 0))
        let far = Box(x: -4_000, y: -4_000, width: 9_000, height: 9_000)
        for _ in 0..<2 {
            _ = meter.observe(picture, reduction: 1, faces: [1: far, 2: Box(x: 8_000, y: 0, width: 5, height: 5)])
        }
    }
}
