// SPDX-License-Identifier: Apache-2.0
// Decoding of YuNet's outputs, from numbers set by hand.

import Biometrics
import Testing

@testable import Vision

@Suite struct YuNetTests {
    /// Outputs of a 64x64 input, all zero.
    private func outputs() -> [[Float]] {
        Detector.tensors(width: 64, height: 64).map { [Float](repeating: 0, count: $0.shape.reduce(1, *)) }
    }

    @Test func decodesACellByTheFormula() throws {
        var out = outputs()
        // Stride 16, cell (2, 1) of four across.
        let cell = 6
        out[1][cell] = 0.81
        out[4][cell] = 1
        out[7].replaceSubrange((cell * 4)..<(cell * 4 + 4), with: [0.5, 0.25, 0.6931472, 0])
        for i in 0..<10 { out[10][cell * 10 + i] = Float(i) / 10 }
        let face = try #require(YuNet.decode(out, columns: 64, rows: 64, threshold: 0.6).first)
        #expect(abs(face.score - 0.9) < 1e-6)
        // Centre (2.5, 1.25) * 16 = (40, 20), size (32, 16).
        #expect(abs(face.box.x - 24) < 1e-4 && abs(face.box.y - 12) < 1e-4)
        #expect(abs(face.box.width - 32) < 1e-4 && abs(face.box.height - 16) < 1e-4)
        #expect(face.landmarks.rightEye == Point(32, 17.6))
        #expect(abs(face.landmarks.leftMouth.x - 44.8) < 1e-4 && abs(face.landmarks.leftMouth.y - 30.4) < 1e-4)
    }

    @Test func keepsFromTheThresholdOn() {
        var out = outputs()
        (out[0][3], out[3][3]) = (0.61, 0.61)
        (out[0][9], out[3][9]) = (0.59, 0.59)
        #expect(YuNet.decode(out, columns: 64, rows: 64, threshold: 0.6).count == 1)
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity, 1e30])
    func takesNoNumberForAFace(value: Float) throws {
        var out = outputs()
        (out[0][3], out[3][3]) = (value, 1)
        let found = YuNet.decode(out, columns: 64, rows: 64, threshold: 0.6)
        #expect(found.allSatisfy { $0.score <= 1 && $0.score.isFinite })
    }

    @Test func refusesBoxesOutOfAllRange() {
        let points = Landmarks(
            rightEye: Point(1, 1), leftEye: Point(9, 1), nose: Point(5, 5), rightMouth: Point(2, 9),
            leftMouth: Point(8, 9))
        let good = Box(x: 0, y: 0, width: 10, height: 10)
        #expect(Detection(box: good, score: 1, landmarks: points).isWithinLimits)
        for value in [Float.nan, .infinity, 1e9, -1e9] {
            #expect(
                !Detection(box: Box(x: value, y: 0, width: 10, height: 10), score: 1, landmarks: points).isWithinLimits)
            var broken = points
            broken.nose = Point(value, 1)
            #expect(!Detection(box: good, score: 1, landmarks: broken).isWithinLimits)
        }
        var narrow = points
        narrow.leftEye = narrow.rightEye
        #expect(!Detection(box: good, score: 1, landmarks: narrow).isWithinLimits)
    }

    @Test func suppressesWhatOverlapsABetterOne() {
        func at(_ x: Float, _ score: Float) -> Detection {
            Detection(
                box: Box(x: x, y: 0, width: 10, height: 10), score: score,
                landmarks: Landmarks(
                    rightEye: Point(0, 0), leftEye: Point(1, 0), nose: Point(0, 1), rightMouth: Point(0, 2),
                    leftMouth: Point(1, 2)))
        }
        // 5.4 apart: overlap 4.6 / 15.4 = 0.299; 5.3 apart: 4.7 / 15.3 = 0.307.
        let kept = YuNet.suppressed([at(0, 0.7), at(5.4, 0.9), at(10.7, 0.8)], mostOverlap: 0.3)
        #expect(kept.map(\.score) == [0.9, 0.7])
    }
}
