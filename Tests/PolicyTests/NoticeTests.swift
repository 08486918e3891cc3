// SPDX-License-Identifier: Apache-2.0
// The catalogue of texts: plain sentences that fit the wire, and none that tells which factor failed.

import Policy
import Testing

@Suite struct NoticeTests {
    @Test(arguments: Notice.allCases) func isAPlainSentence(notice: Notice) {
        let text = Texts.text(notice)
        #expect(text.hasSuffix("."))
        #expect(text.utf8.count <= 79)
        #expect(text.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    }

    /// Everything else a person is told: how verdicts end, prompts, and the guidance of an enrolment.
    static let others: [String] = {
        let verdicts = Outcome.allCases.flatMap { outcome in Reason.allCases.map { Texts.text(Verdict(outcome, $0)) } }
        let poses = EnrolmentPose.allCases
        let guidance =
            poses.flatMap { [EnrolmentGuidance.take($0), .without($0)] }
            + [.further, .back, .upright, .hold, .samePerson]
        return Set(verdicts).filter { !$0.isEmpty }.sorted() + guidance.map { Texts.text($0) }
            + poses.map { Texts.taken($0, 64, of: 64) } + [Texts.recoveryCode, Texts.quickEnrolment]
    }()

    @Test(arguments: others) func fitsALineOfAPlainTerminal(_ text: String) {
        #expect(text.count < 80)
        #expect(text.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        #expect(text.hasSuffix(".") || text.hasSuffix(": "))
    }

    @Test func doesNotTellWhichFactorFailed() {
        let texts = Set(Reason.allCases.map { Texts.text(Verdict(.refused, $0)) })
        #expect(texts == [Texts.text(.refused)])
    }

    @Test(arguments: [
        (Reason.notEnrolled, "enrolled"), (.cameraMissing, "plugged in"), (.cameraBusy, "another program"),
        (.cameraVirtual, "cannot be used"), (.tooDark, "light"), (.severalFaces, "one person"), (.noFace, "see you"),
    ])
    func namesWhatKeptTheCameraFromSeeing(_ reason: Reason, _ words: String) {
        let text = Texts.text(Verdict(.notJudged, reason))
        #expect(text.contains(words))
        #expect(text.hasSuffix(".") && text.utf8.count <= 79)
    }

    @Test func saysNothingOnSuccess() { #expect(Texts.text(Verdict(.accepted, .matched)).isEmpty) }
}
