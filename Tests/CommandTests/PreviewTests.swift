// SPDX-License-Identifier: Apache-2.0
// The pure parts of preview and snapshot: drawing, characters, the file, the figures. The terminal itself is tested in Tests/demo/terminal.py.

import Biometrics
import Monitor
import Testing

@testable import secondlook

private func picture(_ width: Int, _ height: Int, _ level: (Int, Int) -> UInt8 = { _, _ in 0 }) throws -> SharedPicture
{
    let pixels = (0..<height).flatMap { y in (0..<width).flatMap { x in [UInt8](repeating: level(x, y), count: 3) } }
    return try #require(SharedPicture(subject: .view, width: width, height: height, pixels: pixels))
}

private func face(_ box: Box) -> FaceEvidence {
    let point = Point(box.x + box.width / 2, box.y + box.height / 2)
    return FaceEvidence(
        track: 7, box: box, score: 0.9,
        landmarks: Landmarks(rightEye: point, leftEye: point, nose: point, rightMouth: point, leftMouth: point),
        brightness: 100, contrast: 30, sharpness: 50, passive: 4, screen: 0.25)
}

@Suite struct CanvasTests {
    @Test func drawsTheBoxAtThePictureScale() throws {
        var canvas = Canvas(try picture(40, 30))
        // The frame was 80 wide: everything is half as large here.
        canvas.annotate([face(Box(x: 20, y: 10, width: 40, height: 40))], frameWidth: 80, thickness: 1)
        #expect(canvas.colour(10, 5) == .box && canvas.colour(29, 24) == .box)
        #expect(canvas.colour(9, 5) != .box && canvas.colour(30, 24) != .box && canvas.colour(12, 8) != .box)
        #expect(canvas.colour(20, 15) == .point)
    }

    @Test(arguments: [
        Box(x: -4096, y: -4096, width: 8192, height: 8192), Box(x: 8192, y: 8192, width: 8192, height: 0.001),
        Box(x: 39, y: 29, width: 5, height: 5), Box(x: -3, y: -3, width: 2, height: 2),
    ])
    func clipsWhateverLiesOutside(box: Box) throws {
        var canvas = Canvas(try picture(40, 30))
        canvas.annotate([face(box)], frameWidth: 40, thickness: 3)
        #expect(canvas.pixels.count == 40 * 30 * 3)
    }

    @Test func writesLettersBelowThePicture() throws {
        var canvas = Canvas(try picture(40, 10), below: Canvas.lineHeight)
        #expect(canvas.height == 24)
        canvas.write("L.", x: 2, y: 11, .text)
        // L: two dots wide strokes at the left and at the foot.
        #expect(canvas.colour(2, 11) == .text && canvas.colour(2, 20) == .text && canvas.colour(7, 20) == .text)
        #expect(canvas.colour(6, 11) != .text)
        canvas.write(String(repeating: "W", count: 99), x: 2, y: 11, .text)
    }

    @Test func everyLetterOfAReportHasAShape() {
        for letter in "abcdefghijklmnopqrstuvwxyz0123456789.,:;-/" {
            #expect(Canvas.letters[Character(letter.uppercased())]?.count == 5, "\(letter)")
        }
    }
}

@Suite struct CharacterPictureTests {
    @Test func keepsTheShapeOfThePicture() {
        #expect(CharacterPicture.fit(width: 640, height: 480, columns: 80, rows: 24) == (64, 24))
        #expect(CharacterPicture.fit(width: 640, height: 480, columns: 40, rows: 24) == (40, 15))
        #expect(CharacterPicture.fit(width: 1, height: 640, columns: 80, rows: 24) == (1, 24))
        #expect(CharacterPicture.fit(width: 640, height: 1, columns: 80, rows: 24) == (80, 1))
    }

    @Test func darkIsBlankAndBrightIsFull() throws {
        let canvas = Canvas(try picture(80, 40) { x, _ in x < 40 ? 0 : 255 })
        let lines = CharacterPicture.lines(of: canvas, columns: 8, rows: 2)
        #expect(lines == ["    @@@@", "    @@@@"])
    }

    @Test func aBoxShowsOnABrightPicture() throws {
        var canvas = Canvas(try picture(80, 40) { _, _ in 255 })
        canvas.outline(x: 0, y: 0, width: 80, height: 40, thickness: 10, .box)
        let lines = CharacterPicture.lines(of: canvas, columns: 8, rows: 2)
        #expect(lines == ["$$$$$$$$", "$$$$$$$$"])
    }

    @Test func moreCharactersThanPixelsIsNoFault() throws {
        let canvas = Canvas(try picture(1, 1) { _, _ in 128 })
        #expect(CharacterPicture.lines(of: canvas, columns: 80, rows: 24).allSatisfy { !$0.isEmpty })
    }
}

@Suite struct PNGTests {
    @Test func knownChecksums() {
        let table = PNG.checksumTable()
        #expect(PNG.checksum(Array("123456789".utf8), table) == 0xCBF4_3926)
        #expect(PNG.adler(Array("Wikipedia".utf8)) == 0x11E6_0398)
    }

    @Test func writesTheSmallestFileByteByByte() throws {
        let bytes = PNG.encode(Canvas(try picture(1, 1) { _, _ in 0xAB }))
        #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // One stored block of four bytes: no filter, and the pixel.
        let data: [UInt8] = [0x78, 1, 1, 4, 0, 0xFB, 0xFF, 0, 0xAB, 0xAB, 0xAB]
        #expect(bytes.count == 8 + 25 + 12 + data.count + 4 + 12)
        #expect(Array(bytes[41..<41 + data.count]) == data)
        #expect(Array(bytes.suffix(12)) == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
    }
}

@Suite struct FrameReportTests {
    private static func news(_ faces: [FaceEvidence]) -> PreviewFrame {
        PreviewFrame(
            evidence: FrameEvidence(
                sequence: 3, timestamp: 1000, width: 640, height: 480, brightness: 120, contrast: 40, fingerprint: 1,
                faces: faces), view: nil, similarities: [7: 0.71])
    }

    @Test func fitsAPlainTerminal() {
        let wide = face(Box(x: -4096, y: -4096, width: 8192, height: 8192))
        let lines = FrameReport(Self.news([wide, wide, wide])).lines
        #expect(lines.count == 7 && lines.allSatisfy { $0.count < 80 })
    }

    @Test func namesFiguresAndWhatIsMissing() {
        let report = FrameReport(Self.news([face(Box(x: 240, y: 140, width: 160, height: 200))]))
        let text = report.lines.joined(separator: "\n")
        #expect(text.contains("face 7: 160x200 at 240,140, score 0.90, similarity 0.710"))
        #expect(text.contains("liveness 0.98, second opinion -, motion -, screen 0.25"))
        let json = report.json.text
        #expect(json.contains("\"similarity\": 0.7100") && json.contains("\"second_opinion\": null"))
    }
}

@Suite struct PreviewVerbTests {
    @Test(arguments: [
        (["preview", "--seconds", "0"], "--seconds takes 1 to 86400"), (["preview", "--seconds", "x"], "--seconds"),
        (["snapshot"], "snapshot: --output FILE.png is missing"), (["preview", "a", "b"], "b"),
    ])
    func wrongUsage(words: [String], contains: String) {
        let trial = Trial()
        var session = Session(output: trial.kept, caller: trial.caller, paths: trial.paths)
        #expect(Command.run(words, Verbs.all, &session) == 2)
        #expect(trial.kept.errors.count == 1 && trial.kept.errors[0].contains(contains))
    }

    @Test func filesAreMeantFromWhereTheyWereTyped() throws {
        let verb = try #require(Verbs.all.first { $0.name == "snapshot" })
        var session = Session(output: Kept(), caller: Trial().caller, paths: Trial().paths)
        session.folder = "/home/anna"
        let typed = Invocation(operands: ["046d:0825"], options: ["output": ["a/../me.png"], "json": []])
        let located = verb.located(typed, session)
        #expect(located.options["output"] == ["/home/anna/me.png"] && located.operands == ["046d:0825"])
        let whole = Invocation(operands: [], options: ["output": ["/tmp/me.png"]])
        #expect(verb.located(whole, session).options["output"] == ["/tmp/me.png"])
    }

    @Test func onlyRootMayLook() {
        var trial = Trial()
        trial.caller = Caller(isRoot: false, sudoUser: nil, ownUser: "anna")
        #expect(trial.run("preview") == 1 && trial.run("snapshot", "--output", "/x.png") == 1)
        #expect(trial.kept.errors.allSatisfy { $0.contains("only root") })
    }

    @Test func aFileThatIsThereIsRefusedBeforeTheCameraOpens() {
        let trial = Trial()
        #expect(trial.run("snapshot", "--output", "/etc/passwd") == 1)
        #expect(trial.kept.errors == ["secondlook: snapshot: '/etc/passwd' already exists"])
    }

    @Test(arguments: [
        (["TERM": "xterm", "LANG": "de_DE.UTF-8"], "xterm", true), (["TERM": "a b"], "", false),
        (["TERM": "x;y", "LC_ALL": "C", "LANG": "C.UTF-8"], "", false), ([:], "", false),
        (["TERM": String(repeating: "x", count: 65)], "", false),
    ])
    func surroundings(variables: [String: String], term: String, isUnicode: Bool) {
        let found = PicturePainter.Surroundings.of { variables[$0] }
        #expect(found.term == term && found.isUnicode == isUnicode)
    }
}
