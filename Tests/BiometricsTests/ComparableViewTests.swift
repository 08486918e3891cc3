// SPDX-License-Identifier: Apache-2.0
// Each limit of a view that is compared, from both sides.

import Biometrics
import Testing

@Suite struct ComparableViewTests {
    /// A face straight on in the middle of 640x480; eyes so far apart, and moved.
    private func face(
        eyes: Float = 70, by move: Point = Point(0, 0), brightness: Float = 120, contrast: Float = 40,
        sharpness: Float = 200
    ) -> FaceEvidence {
        func mark(_ x: Float, _ y: Float) -> Point { Point(320 + x * eyes + move.x, 240 + y * eyes + move.y) }
        return FaceEvidence(
            track: 1, box: Box(x: 240, y: 140, width: 160, height: 200), score: 0.9,
            landmarks: Landmarks(
                rightEye: mark(-0.5, 0), leftEye: mark(0.5, 0), nose: mark(0, 0.6), rightMouth: mark(-0.43, 1.07),
                leftMouth: mark(0.43, 1.07)),
            brightness: brightness, contrast: contrast, sharpness: sharpness)
    }

    private func isCompared(_ face: FaceEvidence, place: Int = 0) -> Bool {
        ComparableView.admits(face, place: place, width: 640, height: 480)
    }

    @Test func admitsWhatLiesWithinAllLimits() {
        for (index, face) in [
            face(), face(eyes: 16.1), face(brightness: 20), face(brightness: 245), face(contrast: 8),
            face(sharpness: 6),
            face(by: Point(0, 164)), face(by: Point(-284, 0)),
        ].enumerated() { #expect(isCompared(face), "face \(index)") }
        #expect(isCompared(face(), place: 1))
    }

    @Test func leavesOutWhatLiesBeyondAnyOfThem() {
        for (index, face) in [
            face(eyes: 15.9), face(brightness: 19.9), face(brightness: 245.1), face(contrast: 7.9),
            face(sharpness: 5.9),
            face(by: Point(0, 166)), face(by: Point(-286, 0)), face(by: Point(286, 0)), face(by: Point(0, -241)),
        ].enumerated() { #expect(!isCompared(face), "face \(index)") }
        #expect(!isCompared(face(), place: 2))
    }

    @Test func leavesOutAHeadThatIsTurnedTooFar() {
        var turned = face()
        // The nose beyond an eye, and as high as the eyes.
        turned.landmarks.nose = Point(turned.landmarks.leftEye.x + 25, turned.landmarks.nose.y)
        #expect(!isCompared(turned))
        turned = face()
        turned.landmarks.nose = Point(320, 241)
        #expect(!isCompared(turned))
    }
}
