// SPDX-License-Identifier: Apache-2.0
// What is kept of one face followed from frame to frame.

import Biometrics
import TestSupport
import Testing

@testable import Policy

@Suite struct TrackedFaceTests {
    @Test func aComparisonIsThatOfItsFrameThoughTheNextHasTheSameTime() throws {
        var script = EvidenceScript()
        let now = script.now
        var face = try #require(script.frame([.init()]).faces.first)
        var tracked = TrackedFace(face, now: now)
        tracked.follow(face, isColour: true, isComparable: true, now: now)
        tracked.recognise(face, reference: EvidenceScript.owner, person: 0.363, now: now)
        #expect(abs(try #require(tracked.compared) - 0.8) < 1e-3)
        // A turned head's, and that of a frame the worker spared.
        tracked.follow(face, isColour: true, isComparable: true, now: now)
        tracked.glance(at: face, reference: EvidenceScript.owner, now: now)
        #expect(tracked.compared == nil)
        face.embedding = nil
        tracked.recognise(face, reference: EvidenceScript.owner, person: 0.363, now: now)
        #expect(tracked.compared == nil)
    }

    @Test func lightAndFocusThatTheJudgeTakesAreCompared() throws {
        var script = EvidenceScript()
        var face = try #require(script.frame([.init()]).faces.first)
        face.contrast = JudgeRule.faceContrast
        face.sharpness = JudgeRule.sharpness
        for brightness in [JudgeRule.faceBrightness.lowerBound, JudgeRule.faceBrightness.upperBound] {
            face.brightness = brightness
            #expect(ComparableView.admits(face, place: 0, width: 640, height: 480))
        }
    }
}
