// SPDX-License-Identifier: Apache-2.0
// What is typed for an enrolment, and what an enrolment says. The looking itself is Monitor's and the demo's.

import Biometrics
import Monitor
import Platform
import Policy
import TemplateStore
import TestSupport
import Testing

@testable import secondlook

@Suite struct EnrolVerbTests {
    @Test func asksForAllPosesUnlessToldOtherwise() throws {
        let plain = try EnrolmentWish(Invocation(), verb: "enroll")
        #expect(plain.way == .guided(EnrolmentPose.allCases, needed: [.centre, .left, .right]))
        #expect(plain.label == "default" && plain.present == .refuse && !plain.keepsPicture)
        #expect(try EnrolmentWish(Invocation(options: ["quick": []]), verb: "enroll").way == .quick)
        let pictures = Invocation(options: ["image": ["a", "b"], "add": [], "keep-picture": []])
        let wish = try EnrolmentWish(pictures, verb: "enroll")
        #expect(wish.way == .pictures(["a", "b"]) && wish.present == .extend && wish.keepsPicture)
    }

    @Test(arguments: [(["add", "replace"], "--add and --replace"), (["quick", "image"], "--quick and --image")])
    func refusesWordsThatExcludeEachOther(_ words: [String], _ named: String) {
        let typed = Invocation(options: Dictionary(uniqueKeysWithValues: words.map { ($0, ["x"]) }))
        #expect(throws: CommandError.usage("enroll: \(named) exclude each other")) {
            _ = try EnrolmentWish(typed, verb: "enroll")
        }
    }

    @Test func tellsEachChangeAsALineAndEachPoseOnce() {
        let kept = Kept()
        var teller = EnrolmentTeller(kept, isQuiet: true)
        for news: GuidedProgress in [
            .say(.take(.centre)), .view(.centre, reach: 0.5, done: 0, of: 5), .took(.centre, done: 0, of: 5),
            .took(.centre, done: 0, of: 5), .say(.take(.left)), .took(.left, done: 1, of: 5), .say(.without(.up)),
        ] {
            let goesOn = teller.tell(news)
            #expect(goesOn)
        }
        #expect(
            kept.errors == [
                "Look straight at the camera.", "Taken: centre, 1 of 5.",
                "Turn your head to your left and keep it there.", "Taken: left, 2 of 5.",
                "The pose 'up' could not be seen well enough; going on without it.",
            ])
        #expect(kept.lines.isEmpty)
    }

    @Test func drawsBarsThatFitOneLine() {
        #expect(Bar.meter(0.5) == "[#####     ]" && Bar.meter(.nan) == "[          ]" && Bar.meter(7) == "[##########]")
        let longest = Bar.text(3, of: 5, "poses, centre \(Bar.meter(1))")
        #expect(longest.count <= 79 && longest.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func reportsFiguresAndTheEstimate() throws {
        let trial = Trial()
        var session = Session(output: trial.kept, caller: trial.caller, paths: trial.paths)
        let embedding = try #require(Embedding([1] + [Float](repeating: 0, count: Embedding.dimension - 1)))
        let note = SampleNote(
            pose: .left, quality: SampleQuality(yaw: 17.4, pitch: -2, sharpness: 300, brightness: 128, eyeDistance: 30))
        let report = EnrolmentReport(
            user: "ann", template: Template(label: "default", embeddings: [embedding], model: "aa"), notes: [note],
            compared: 4, level: .strict, isAdded: false)
        report.write(asJSON: false, to: &session)
        let lines = trial.kept.lines
        #expect(lines[0] == "enrolled 'ann' as 'default' with 1 samples")
        #expect(lines[2].contains("left") && lines[2].contains("50 of 100") && lines[2].contains("17"))
        #expect(lines[3] == "estimated false non-match rate: 0.30 % of looks, at 'strict'")
        #expect(lines.allSatisfy { $0.count <= 80 })
        trial.kept.lines = []
        report.write(asJSON: true, to: &session)
        #expect(trial.kept.lines[0].contains("\"samples\": 1, \"compared_samples\": 4"))
        #expect(trial.kept.lines[0].contains("\"false_non_match_rate\": 0.003049"))
    }

    @Test func scoresAViewByItsWorstFigure() {
        func score(_ sharpness: Float, _ brightness: Float, _ eyes: Float) -> Int {
            SampleQuality(yaw: 0, pitch: 0, sharpness: sharpness, brightness: brightness, eyeDistance: eyes).score
        }
        #expect(score(200, 128, 80) == 100 && score(75, 128, 80) == 50 && score(200, 128, 15) == 25)
        #expect(score(200, 0, 80) == 0 && score(.nan, 128, 80) <= 100)
    }

    @Test func addsOnlyToWhatIsThere() {
        let temporary = TemporaryFolder()
        var trial = Trial()
        trial.paths.settings = temporary.file("none.conf")
        trial.paths.state = temporary.file("state")
        #expect(trial.run("enroll", "root", "--add") == 1)
        #expect(trial.kept.errors.last?.contains("'root' is not enrolled yet") == true)
        #expect(trial.run("refine", "root") == 1)
        #expect(
            trial.kept.errors.last == "secondlook: refine: 'root' is not enrolled yet; try: sudo secondlook enroll root"
        )
    }
}

@Suite struct ShowVerbTests {
    let temporary = TemporaryFolder()

    private func prepared() throws -> Trial {
        var trial = Trial()
        trial.paths.state = temporary.file("state")
        trial.paths.credentials = temporary.file("credentials")
        var store = try Store(folder: trial.paths.state, keyFolder: trial.paths.credentials, creating: true)
        let embedding = try #require(Embedding([1] + [Float](repeating: 0, count: Embedding.dimension - 1)))
        let quality = SampleQuality(yaw: 3, pitch: 1, sharpness: 210, brightness: 120, eyeDistance: 66)
        let pixels = (0..<FaceCrop.byteCount).map { UInt8(truncatingIfNeeded: $0 / (FaceCrop.side * 3) * 2) }
        let extras = EnrolmentExtras(
            camera: "usb-cam", notes: [SampleNote(pose: .centre, quality: quality)], picture: FaceCrop(pixels))
        let template = Template(label: "default", embeddings: [embedding], model: "0123456789abcdef")
        try store.enrol(template, extras: extras, user: "ann", uid: 1, replacing: false, at: 0)
        return trial
    }

    @Test func tellsDateCameraAndFigures() throws {
        let trial = try prepared()
        #expect(trial.run("show", "ann") == 0)
        let text = trial.kept.lines.joined(separator: "\n")
        for part in ["1970-01-01T00:00:00Z", "usb-cam", "0123456789ab", "centre", "kept, sealed", "66 px"] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(trial.kept.lines.count == 9, "the picture is not drawn where no terminal is")
    }

    @Test func drawsTheFaceOnATerminalOnly() throws {
        let trial = try prepared()
        trial.kept.isTerminal = true
        #expect(trial.run("show", "ann") == 0)
        #expect(trial.kept.lines.count > 9)
        let crop = try #require(FaceCrop((0..<FaceCrop.byteCount).map { UInt8($0 / (FaceCrop.side * 3) * 2) }))
        let drawn = FaceDrawing.lines(of: crop)
        #expect(drawn.count == FaceDrawing.rows && drawn.allSatisfy { $0.count == FaceDrawing.columns })
        #expect(drawn.first?.first == " " && drawn.last?.first != " ", "dark above, bright below")
    }

    @Test func neverPrintsThePictureAsJSON() throws {
        let trial = try prepared()
        trial.kept.isTerminal = true
        #expect(trial.run("show", "ann", "--json") == 0)
        let line = try #require(trial.kept.lines.first)
        #expect(trial.kept.lines.count == 1 && line.count < 700)
        #expect(line.contains("\"picture_kept\": true"))
    }

    @Test func namesWhoIsNotEnrolled() throws {
        let trial = try prepared()
        #expect(trial.run("show", "ann", "--label", "other") == 1)
        #expect(trial.kept.errors == ["secondlook: show: 'ann' is not enrolled as 'other'"])
    }
}
