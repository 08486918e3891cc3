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
