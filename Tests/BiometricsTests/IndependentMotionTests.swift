// SPDX-License-Identifier: Apache-2.0
// A face that moves with its surround has no motion of its own.

import Biometrics
import Testing

@Suite struct IndependentMotionTests {
    private func relative(face: Point, surround: Point) -> Float {
        var motion = IndependentMotion()
        for _ in 0..<10 {
            motion.observe(
                Motion(face: face, surround: surround, faceChange: 0, surroundChange: 0), eyeDistance: 50)
        }
        return motion.relative
    }

    @Test func isZeroForAPictureThatIsMoved() { #expect(relative(face: Point(3, 1), surround: Point(3, 1)) == 0) }

    @Test func isInEyeDistancesAFrame() {
        #expect(abs(relative(face: Point(5, 0), surround: Point(0, 0)) - 0.1) < 1e-6)
    }

    @Test func isZeroWithoutFrames() { #expect(IndependentMotion().relative == 0) }

    @Test func ignoresEyesWithoutDistance() {
        var motion = IndependentMotion()
        motion.observe(
            Motion(face: Point(1, 1), surround: Point(0, 0), faceChange: 0, surroundChange: 0), eyeDistance: 0)
        #expect(motion.count == 0)
    }
}
