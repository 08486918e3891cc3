// SPDX-License-Identifier: Apache-2.0
// The infrared camera as a witness, with frames whose truth is known.

import Biometrics
import TestSupport
import Testing

@testable import Policy

@Suite struct InfraredWitnessTests {
    /// A face of the colour frame, and the same in an infrared frame of half the size.
    private static func face(x: Float, width: Float = 160, brightness: Float = 110, contrast: Float = 40)
        -> FaceEvidence
    {
        let centre = Point(x, 240)
        return FaceEvidence(
            track: 1, box: Box(x: x - width / 2, y: 140, width: width, height: 200), score: 0.9,
            landmarks: Landmarks(
                rightEye: Point(x - 35, 220), leftEye: Point(x + 35, 220), nose: centre, rightMouth: Point(x - 30, 295),
                leftMouth: Point(x + 30, 295)),
            brightness: brightness, contrast: contrast, sharpness: 150)
    }

    private static func frame(_ role: CameraRole, _ faces: [FaceEvidence], at time: UInt64) -> FrameEvidence {
        FrameEvidence(
            sequence: 0, timestamp: time, role: role, width: 640, height: 480, brightness: 90, contrast: 40,
            fingerprint: time, faces: faces)
    }

    private static func witness(_ infrared: [FaceEvidence], frames: Int = 30, every: UInt64 = 66) -> InfraredWitness {
        var witness = InfraredWitness()
        for index in 0..<UInt64(frames) {
            let now = 1000 + index * every
            let face = face(x: 320)
            witness.expect(face, in: frame(.colour, [face], at: now), now: now)
            witness.observe(frame(.infrared, infrared, at: now), now: now)
        }
        return witness
    }

    @Test(arguments: [320, 320 + 0.19 * 640, 320 - 0.19 * 640] as [Float])
    func aFaceWithinTheParallaxConfirms(x: Float) {
        let witness = Self.witness([Self.face(x: x)])
        #expect(witness.confirms && !witness.denies && !witness.doubts)
    }

    @Test(
        arguments: [
            ("nobody", []), ("elsewhere", [face(x: 320 + 0.21 * 640)]), ("unlit", [face(x: 320, brightness: 20)]),
            ("glaring", [face(x: 320, brightness: 240)]), ("flat", [face(x: 320, contrast: 5)]),
            ("far too small", [face(x: 320, width: 79)]), ("far too large", [face(x: 320, width: 321)]),
        ] as [(String, [FaceEvidence])])
    func deniesAFaceThatIs(_: String, infrared: [FaceEvidence]) {
        let witness = Self.witness(infrared)
        #expect(witness.denies && witness.doubts && !witness.confirms)
    }

    @Test func aFewFramesDecideNothing() {
        #expect(!Self.witness([Self.face(x: 320)], frames: 2).confirms)
        #expect(!Self.witness([], frames: 9).denies)
        #expect(!Self.witness([], frames: 30, every: 10).denies, "too short a time")
    }

    @Test func aFrameWithoutARecentSightInColourSaysNothing() {
        var witness = InfraredWitness()
        witness.observe(Self.frame(.infrared, [], at: 1000), now: 1000)
        let face = Self.face(x: 320)
        witness.expect(face, in: Self.frame(.colour, [face], at: 1000), now: 1000)
        witness.observe(Self.frame(.infrared, [], at: 1401), now: 1401)
        #expect(witness.seen == 0 && witness.unseen == 0)
    }

    @Test func oneGoodMomentDoesNotOutweighTheRest() {
        var witness = Self.witness([], frames: 20)
        let face = Self.face(x: 320)
        for now in [3000, 3066, 3132, 3198] as [UInt64] {
            witness.expect(face, in: Self.frame(.colour, [face], at: now), now: now)
            witness.observe(Self.frame(.infrared, [face], at: now), now: now)
        }
        #expect(!witness.confirms && witness.denies)
    }
}

@Suite struct InfraredJudgeTests {
    /// Plays the enrolled, living person; `infrared` is what the other camera sees of the same face.
    private static func verdict(
        _ settings: Settings, for milliseconds: UInt64 = 22_000, infrared: (FaceEvidence) -> FaceEvidence?
    ) -> Verdict? {
        var attempt = Attempt(settings)
        let until = attempt.script.now + milliseconds
        while attempt.script.now < until, attempt.end == nil {
            let now = attempt.script.now
            let colour = attempt.script.frame([.init()])
            attempt.take(attempt.judge.observe(colour, now: now), now)
            var other = colour
            other.role = .infrared
            other.faces = colour.faces.compactMap(infrared)
            if attempt.end == nil { attempt.take(attempt.judge.observe(other, now: now), now) }
        }
        return attempt.verdict
    }

    private static var paired: Settings {
        var settings = Settings()
        settings.infrared = "04f2:b6be"
        return settings
    }

    @Test func seenByBothIsAccepted() {
        #expect(Self.verdict(Self.paired) { $0 } == Verdict(.accepted, .matched))
    }

    @Test func aSlowMachineThatSeesWithBothLetsIn() {
        // The evidence of colour comes 250 ms after its frame was taken, that of infrared 160 ms later.
        var settings = Self.paired
        settings.challengeAfter = 2_000
        var attempt = Attempt(settings, interval: 300)
        while attempt.script.now < attempt.started + 2_500, attempt.end == nil {
            let now = attempt.script.now
            var frame = attempt.script.frame([.init(ownMotion: 3)])
            frame.timestamp = now - 250
            attempt.take(attempt.judge.observe(frame, now: now), now)
            (frame.role, frame.timestamp) = (.infrared, now)
            if attempt.end == nil { attempt.take(attempt.judge.observe(frame, now: now + 160), now + 160) }
        }
        #expect(attempt.verdict == Verdict(.accepted, .matched))
        #expect(attempt.notices.isEmpty, "unasked")
    }

    @Test func aScreenIsRefused() {
        #expect(Self.verdict(Self.paired) { _ in nil } == Verdict(.refused, .notInInfrared))
    }

    @Test func aDarkFaceIsRefused() {
        let verdict = Self.verdict(Self.paired) { face in
            var dark = face
            dark.brightness = 12
            return dark
        }
        #expect(verdict == Verdict(.refused, .notInInfrared))
    }

    @Test(arguments: LivenessMode.allCases)
    func noModeAcceptsWithoutTheOtherCamera(mode: LivenessMode) {
        var settings = Self.paired
        settings.liveness = mode
        var attempt = Attempt(settings)
        attempt.answer(with: .init())
        #expect(attempt.verdict?.outcome != .accepted && attempt.verdict != nil)
    }

    @Test func withoutThePairInfraredFramesAreFramesLikeOthers() {
        var attempt = Attempt()
        attempt.play(5_000) { _ in [.init()] }
        #expect(attempt.verdict == Verdict(.accepted, .matched))
    }
}
