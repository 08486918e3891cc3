// SPDX-License-Identifier: Apache-2.0
// A face that moves with its surround has no motion of its own.

import Biometrics
import Testing

@Suite struct IndependentMotionTests {
    private func motion(face: Point, surround: Point, frames: Int = 10) -> IndependentMotion {
        var motion = IndependentMotion()
        for _ in 0..<frames {
            motion.observe(
                Motion(face: face, surround: surround, faceChange: 0, surroundChange: 0), eyeDistance: 50,
                interval: 100)
        }
        return motion
    }

    @Test func isZeroForAPictureThatIsMoved() {
        let moved = motion(face: Point(3, 1), surround: Point(3, 1))
        #expect(moved.relative == 0 && !moved.isIndependent)
    }

    @Test func isInEyeDistancesASecond() {
        let moved = motion(face: Point(5, 0), surround: Point(0, 0))
        #expect(abs(moved.relative - 1) < 1e-5)
        #expect(moved.surround == 0 && moved.isIndependent)
    }

    @Test func isNoneForAPictureWhoseSurroundMovesUnevenly() {
        // Turned planes: the surround moves a lot, the face a little otherwise.
        #expect(!motion(face: Point(6, 0), surround: Point(4, 0)).isIndependent)
    }

    @Test func forgivesACalmSurroundAfterAWhile() {
        let (face, hair) = (Point(1.5, 0), Point(1, 0))
        #expect(!motion(face: face, surround: hair, frames: 3).isIndependent)
        #expect(motion(face: face, surround: hair, frames: 4).isIndependent)
    }

    @Test func isNoneForAStillPictureBeforeALivingBackground() {
        #expect(!motion(face: Point(0, 0), surround: Point(1, 0)).isIndependent)
    }

    @Test func isNoneForAPictureThatIsTurnedAbout() {
        // Measured: the face 0.77, the surround 0.18, against each other 0.70 eye distances a second.
        #expect(!motion(face: Point(3.85, 0), surround: Point(0.9, 0)).isIndependent)
    }

    @Test func isNoneForNoise() { #expect(!motion(face: Point(0.05, 0), surround: Point(0, 0.03)).isIndependent) }

    @Test func isZeroWithoutFrames() {
        #expect(IndependentMotion().relative == 0)
        #expect(!IndependentMotion().isIndependent)
    }

    @Test func ignoresEyesWithoutDistanceAndTimeThatStands() {
        var motion = IndependentMotion()
        let move = Motion(face: Point(1, 1), surround: Point(0, 0), faceChange: 0, surroundChange: 0)
        motion.observe(move, eyeDistance: 0, interval: 30)
        motion.observe(move, eyeDistance: 50, interval: 0)
        #expect(motion.count == 0)
    }
}
