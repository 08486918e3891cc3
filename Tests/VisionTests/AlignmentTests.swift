// SPDX-License-Identifier: Apache-2.0
// The similarity transform and the aligned picture.

import Biometrics
import Testing

@testable import Vision

/// Landmarks that a transform brings exactly to the recogniser's places.
func landmarks(broughtBackBy back: SimilarityTransform) -> Landmarks {
    let points = SimilarityTransform.sface.map(back.applied)
    return Landmarks(
        rightEye: points[0], leftEye: points[1], nose: points[2], rightMouth: points[3], leftMouth: points[4])
}

@Suite struct SimilarityTransformTests {
    @Test(arguments: [(1.0, 0.0, 0.0, 0.0), (2.0, 0.5, -30.0, 12.0), (-0.3, 0.4, 5.0, 5.0), (0.01, -0.02, 1.0, 2.0)])
    func findsATransformThatFits(a: Double, b: Double, tx: Double, ty: Double) throws {
        let truth = SimilarityTransform(a: a, b: b, tx: tx, ty: ty)
        let source = [Point(0, 0), Point(10, 0), Point(3, 8), Point(-4, 5), Point(7, 7)]
        let found = try #require(SimilarityTransform(from: source, to: source.map(truth.applied)))
        for (x, y) in [(found.a, a), (found.b, b), (found.tx, tx), (found.ty, ty)] { #expect(abs(x - y) < 1e-5) }
    }

    @Test func goesBackAgain() {
        let there = SimilarityTransform(a: 0.8, b: -1.1, tx: 3, ty: -9)
        let point = there.inverse.applied(to: there.applied(to: Point(17, -4)))
        #expect(point.distance(to: Point(17, -4)) < 1e-4)
    }

    @Test func refusesPointsThatCoincide() {
        let same = [Point](repeating: Point(5, 5), count: 5)
        #expect(SimilarityTransform(from: same, to: SimilarityTransform.sface) == nil)
        #expect(SimilarityTransform(from: [], to: []) == nil)
    }

    @Test func neverMirrors() throws {
        // A mirrored face is fitted as well as turning allows, which is badly.
        let mirrored = SimilarityTransform.sface.map { Point(112 - $0.x, $0.y) }
        let found = try #require(SimilarityTransform(from: mirrored, to: SimilarityTransform.sface))
        #expect(found.applied(to: mirrored[0]).distance(to: SimilarityTransform.sface[0]) > 20)
    }
}

@Suite struct AlignerTests {
    @Test func copiesAFaceThatLiesRight() throws {
        let frame = texture(112, 112)
        let face = try #require(
            Aligner.align(frame, landmarks(broughtBackBy: SimilarityTransform(a: 1, b: 0, tx: 0, ty: 0))))
        for i in stride(from: 0, to: 112 * 112, by: 97) {
            for c in 0..<3 {
                #expect(abs(face.planes[c * AlignedFace.plane + i] - Float(frame.pixels[i * 3 + c])) < 0.05)
            }
        }
    }

    @Test(
        arguments: [(1, 1), (1, 4096), (4096, 1), (2, 3), (97, 64)] as [(Int, Int)],
        [Frame.Format.rgb, .grey])
    func staysWithinAnyFrameWhereverTheLandmarksAre(side: (Int, Int), format: Frame.Format) throws {
        let count = side.0 * side.1 * format.bytesPerPixel
        let frame = try #require(
            Frame(
                width: side.0, height: side.1, format: format, pixels: [UInt8](repeating: 255, count: count),
                timestamp: 0))
        // Just at and beside the scales where the blocks grow, turned, mirrored into the negative, and far outside.
        for scale in [1e-3, 1, 1.999_999, 2, 2.999_999, 3, 36, 99.999] {
            for (a, b, away) in [(1, 0, -56), (0.8, 0.6, 0), (-1, 0, 1e7), (0, -1, -1e7)] as [(Double, Double, Double)]
            {
                let back = SimilarityTransform(a: scale * a, b: scale * b, tx: away, ty: -away)
                guard let face = Aligner.align(frame, landmarks(broughtBackBy: back)) else { continue }
                #expect(face.planes.allSatisfy { (0...255.01).contains($0) })
            }
        }
        for bad in [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude] {
            var marks = landmarks(broughtBackBy: SimilarityTransform(a: 1, b: 0, tx: 0, ty: 0))
            marks.nose.x = bad
            #expect(Aligner.align(frame, marks) == nil)
        }
    }

    @Test(arguments: [(1.7, 0.3, 20.0, 15.0), (1.0, 0.0, -40.0, -3.0), (3.1, -0.8, 60.0, 150.0), (2.6, 0.1, -9.0, 7.0)])
    func readsEveryPlaceAlikeToTheLastBit(a: Double, b: Double, tx: Double, ty: Double) throws {
        let frame = texture(320, 240)
        let marks = landmarks(broughtBackBy: SimilarityTransform(a: a, b: b, tx: tx, ty: ty))
        let face = try #require(Aligner.align(frame, marks))
        let back = try #require(SimilarityTransform(from: marks.points, to: SimilarityTransform.sface)).inverse
        let reduction = (back.a * back.a + back.b * back.b).squareRoot()
        let block = max(1, Int(reduction))
        // The plain way: each of the four blocks added up pixel by pixel, where there is one.
        func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
            var sum = SIMD4<Float>.zero
            for v in (y * block)..<((y + 1) * block) where (0..<240).contains(v) {
                for u in (x * block)..<((x + 1) * block) where (0..<320).contains(u) {
                    let at = (v * 320 + u) * 3
                    sum += SIMD4(Float(frame.pixels[at]), Float(frame.pixels[at + 1]), Float(frame.pixels[at + 2]), 0)
                }
            }
            return block == 1 ? sum : sum * (1 / Float(block * block))
        }
        func read(_ x: Float, _ y: Float) -> SIMD4<Float> {
            let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
            let (fx, fy) = (x - x.rounded(.down), y - y.rounded(.down))
            let upper = pixel(left, top) * (1 - fx) + pixel(left + 1, top) * fx
            let lower = pixel(left, top + 1) * (1 - fx) + pixel(left + 1, top + 1) * fx
            return upper * (1 - fy) + lower * fy
        }
        let count = Int((reduction / Double(block)).rounded())
        let small = back.inBlocks(of: block)
        let offsets = (0..<count).map { (Double($0) + 0.5) / Double(count) - 0.5 }
        for at in stride(from: 0, to: AlignedFace.plane, by: 13) {
            var sum = SIMD4<Float>(repeating: 0)
            for dy in offsets {
                for dx in offsets {
                    let (u, v) = (Double(at % 112) + dx, Double(at / 112) + dy)
                    sum += read(
                        Float(small.a * u + (-small.b * v + small.tx)), Float(small.b * u + (small.a * v + small.ty)))
                }
            }
            sum *= 1 / Float(count * count)
            #expect(face.planes[at] == sum.x)
            #expect(face.planes[at + AlignedFace.plane] == sum.y)
            #expect(face.planes[at + 2 * AlignedFace.plane] == sum.z)
        }
    }

    @Test func turnsByAQuarter() throws {
        // The frame's x runs along the picture's y.
        let frame = texture(112, 112)
        let marks = landmarks(broughtBackBy: SimilarityTransform(a: 0, b: 1, tx: 111, ty: 0))
        let face = try #require(Aligner.align(frame, marks))
        for (x, y) in [(3, 90), (50, 50), (100, 7)] {
            #expect(abs(face.planes[y * 112 + x] - Float(frame.pixels[(x * 112 + (111 - y)) * 3])) < 0.05)
        }
    }

    @Test func isBlackOutsideTheFrame() throws {
        let frame = texture(60, 60)
        let face = try #require(
            Aligner.align(frame, landmarks(broughtBackBy: SimilarityTransform(a: 1, b: 0, tx: 0, ty: 0))))
        #expect(face.planes[0] == Float(frame.pixels[0]))
        #expect(face.planes[80] == 0 && face.planes[80 * 112] == 0)
    }

    @Test func averagesWhatItShrinks() throws {
        // A chess board of single pixels, three to one: any single reading would be 0 or 255.
        let pixels = (0..<(400 * 400)).map { UInt8(($0 / 400 + $0 % 400) % 2 == 0 ? 0 : 255) }
        let frame = try #require(Frame(width: 400, height: 400, format: .grey, pixels: pixels, timestamp: 0))
        let marks = landmarks(broughtBackBy: SimilarityTransform(a: 3, b: 0, tx: 10, ty: 10))
        let face = try #require(Aligner.align(frame, marks))
        #expect(face.planes.allSatisfy { abs($0 - 127.5) < 15 })
    }

    @Test func refusesLandmarksThatCoincide() {
        let point = Point(10, 10)
        let marks = Landmarks(rightEye: point, leftEye: point, nose: point, rightMouth: point, leftMouth: point)
        #expect(Aligner.align(texture(64, 64), marks) == nil)
    }

    @Test func greysByTheUsualWeights() {
        var planes = [Float](repeating: 0, count: 3 * AlignedFace.plane)
        (planes[0], planes[AlignedFace.plane], planes[2 * AlignedFace.plane]) = (100, 50, 200)
        #expect(abs(AlignedFace(planes: planes).luminance.values[0] - (29.9 + 29.35 + 22.8)) < 1e-3)
    }
}
