// SPDX-License-Identifier: Apache-2.0
// What `test`, `verify` and `identify` print of a finished look.

import Biometrics
import Foundation
import Policy
import Testing

@testable import Monitor
@testable import secondlook

@Suite struct TrialVerbsTests {
    static let glimpse = Glimpse(
        box: Box(x: 240.4, y: 139.6, width: 160, height: 200), pose: Pose(yaw: -12.4, pitch: 3, roll: 1.6))

    static func report(_ scores: Scores, glimpse: Glimpse? = glimpse) -> TrialReport {
        TrialReport(
            user: "anna",
            result: TrialResult(
                verdict: Verdict(.accepted, .matched), scores: scores,
                label: Candidate(name: "glasses", similarity: 0.71234), hasPassive: true, hasSecondOpinion: false,
                camera: nil),
            glimpse: glimpse)
    }

    static let scores = Scores(
        similarity: 0.7, threshold: 0.501, passive: 0.93, frames: 14, usableFrames: 12, challenged: false)

    @Test func readsOutEverything() {
        let lines = Shown.columns(Self.report(Self.scores).rows(isFull: true))
        #expect(
            lines == [
                "user            anna", "face            160x200 pixels at 240,140", "yaw             -12 degrees",
                "roll            2 degrees", "pitch           3 degrees", "similarity      0.700 (needs 0.501)",
                "nearest label   glasses, similarity 0.712", "liveness        0.930",
                "second opinion  not installed; see: secondlook models", "asked to turn   no",
                "frames          12 usable of 14", "outcome         accepted", "reason          matched",
            ])
    }

    @Test func saysWhatWasNotMeasured() throws {
        let report = Self.report(Scores(threshold: 0.501), glimpse: nil)
        let rows = Dictionary(uniqueKeysWithValues: report.rows(isFull: true).map { ($0[0], $0[1]) })
        #expect(rows["face"] == "none")
        #expect(rows["yaw"] == "- degrees")
        #expect(rows["similarity"] == "- (needs 0.501)")
        let object = try JSONSerialization.jsonObject(with: Data(report.json.text.utf8)) as? [String: Any]
        #expect(object?["box"] is NSNull)
        #expect(object?["similarity"] is NSNull)
        #expect(object?["label"] as? String == "glasses")
    }

    static func identified(_ verdict: Verdict, _ candidates: [Candidate]) -> IdentifyReport {
        IdentifyReport(
            result: IdentifyResult(
                verdict: verdict, scores: scores, candidates: candidates, people: max(1, candidates.count),
                threshold: 0.52, hasPassive: true, camera: nil))
    }

    static let two = [Candidate(name: "anna", similarity: 0.75), Candidate(name: "bert", similarity: 0.25)]

    @Test func namesThePersonWithTheMargin() {
        let lines = Shown.columns(Self.identified(Verdict(.accepted, .matched), Self.two).rows)
        #expect(
            lines == [
                "name        anna", "similarity  0.750 (needs 0.520 among 2)", "margin      0.500 to the next",
                "liveness    0.930", "reason      matched",
            ])
    }

    @Test func namesNobodyWithoutAnAcceptance() throws {
        let report = Self.identified(Verdict(.refused, .notLive), Self.two)
        #expect(report.rows[0] == ["name", "nobody"])
        #expect(report.rows.contains(["nearest", "anna"]))
        let object = try JSONSerialization.jsonObject(with: Data(report.json.text.utf8)) as? [String: Any]
        #expect(object?["name"] is NSNull)
        #expect(object?["nearest"] as? String == "anna")
        #expect(object?["margin"] as? Double == 0.5)
    }

    @Test func hasNoMarginWhereNobodyElseIsEnrolled() {
        let report = Self.identified(Verdict(.accepted, .matched), [Self.two[0]])
        #expect(report.rows.contains(["margin", "nobody else is enrolled"]))
    }

    @Test(arguments: ["verify", "test", "identify"])
    func needsAnEnrolment(_ verb: String) {
        var trial = Trial()
        trial.paths.state = "/nonexistent"
        trial.paths.settings = "/nonexistent.conf"
        var session = Session(output: trial.kept, caller: trial.caller, paths: trial.paths)
        let words = verb == "identify" ? [verb] : [verb, "root"]
        #expect(Command.run(words, Verbs.all, &session) == 1)
        #expect(trial.kept.errors.first?.contains("enrolled; try: sudo secondlook enroll") == true)
    }
}
