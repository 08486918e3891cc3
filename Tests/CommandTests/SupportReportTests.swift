// SPDX-License-Identifier: Apache-2.0
// A report of a machine full of names has none of them: not of users, labels, host, terminals, cameras or services, and no byte of a template.

import Biometrics
import Foundation
import Platform
import Policy
import TestSupport
import Testing

@testable import TemplateStore
@testable import secondlook

@Suite struct SupportReportTests {
    let temporary = TemporaryFolder()

    static let names = [
        "annemarie", "bo", "brille", "geheimdienst", "/dev/tty77", "gateway.example", "SN0815", "Annes Kamera",
        "usb-0000:00:14.0-3", "Pass it on",
    ]

    func trial() throws -> Trial {
        var trial = Trial()
        trial.paths.settings = temporary.write(
            "secondlook.conf",
            text: "match = paranoid\nprompt_text = Pass it on\ncamera = 046d:0825/SN0815\n"
                + "[geheimdienst]\nmatch = balanced\n[sudo]\nliveness = challenge\n", mode: 0o644)
        trial.paths.state = temporary.file("state")
        trial.paths.credentials = temporary.file("none")
        trial.caller.sudoUser = "annemarie"
        var store = try Store(folder: trial.paths.state, keyFolder: trial.paths.credentials, creating: true)
        for (user, label) in [("annemarie", "default"), ("annemarie", "brille"), ("bo", "default")] {
            try store.enrol(Self.template(label), user: user, uid: 4711, replacing: false, at: 1_735_689_600_000)
        }
        for (index, user) in ["annemarie", "annemarie", "bo"].enumerated() {
            try store.record(
                AttemptRecord(
                    time: 1_735_689_600_000, user: user, service: "geheimdienst", tty: "/dev/tty77",
                    rhost: "gateway.example",
                    verdict: index == 2 ? Verdict(.refused, .otherPerson) : Verdict(.accepted, .matched),
                    similarity: 0.123456, milliseconds: 900 + index, detail: "of annemarie"))
        }
        return trial
    }

    static func template(_ label: String) -> Template {
        let values = (0..<128).map { Float(($0 * 31) % 101) - 50 }
        guard let embedding = Embedding(values) else { fatalError("a test embedding is wrong") }
        return Template(label: label, embeddings: [embedding, embedding], model: String(repeating: "ab", count: 32))
    }

    func run(_ trial: Trial, _ words: [String]) -> Int32 {
        var session = Session(output: trial.kept, caller: trial.caller, paths: trial.paths, folder: temporary.path)
        session.cameras = cameras()
        return Command.run(["support-report"] + words, Verbs.all, &session)
    }

    /// One camera whose every text is somebody's.
    func cameras() -> CameraNodes {
        CameraNodes(sysfs: temporary.file("sysfs"), devices: "/dev") { _, _ throws(PlatformError) in
            CameraNodes.Answer(
                driver: "uvcvideo", card: "Annes Kamera", bus: "usb-0000:00:14.0-3", isCamera: true, formats: ["MJPG"])
        }
    }

    @Test func namesNobody() throws {
        let trial = try trial()
        #expect(run(trial, []) == 0)
        let text = trial.kept.lines.joined(separator: "\n")
        for name in Self.names {
            #expect(text.firstRange(of: name) == nil || name == "bo", "\(name) in \(text)")
        }
        #expect(!text.split(whereSeparator: { !$0.isLetter }).contains("bo"))
        let host = String(decoding: try SafeFile.readUnchecked("/proc/sys/kernel/hostname", limit: 256), as: UTF8.self)
        let name = host.split(separator: "\n").first.map(String.init) ?? ""
        if name != "localhost", name.count >= 3 { #expect(!text.contains(name)) }
        // Nor the numbers of a template, as bytes, digits or text.
        let samples = TemplateBlob.encode(Self.template("x").embeddings)
        #expect(!text.contains(Hex.text(samples[..<4])))
        #expect(!text.contains("0.123456"))
    }

    @Test func saysWhatAHelperNeeds() throws {
        let trial = try trial()
        #expect(run(trial, []) == 0)
        let text = trial.kept.lines.joined(separator: "\n")
        for part in [
            "secondlook:\n  \(Command.version)", "kernel ", "match = paranoid", "prompt_text = (set)", "camera = (set)",
            "  id ", "no camera '(removed)' found",
            "[another service] match = balanced", "[sudo] liveness = challenge", "2 users, 3 templates",
            "samples a template: 2 to 2", "3 attempts", "2 x accepted matched: median 900 ms, 95 % 900 ms",
            "1 x refused other-person", "Landlock",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
        let widest = text.split(separator: "\n").map(\.count).max() ?? 0
        #expect(widest <= 100, "\(widest)")
    }

    @Test func isAnObjectOfListsInJSON() throws {
        let trial = try trial()
        #expect(run(trial, ["--json"]) == 0)
        let object = try JSONSerialization.jsonObject(with: Data(trial.kept.lines[0].utf8)) as? [String: [String]]
        #expect(object?["attempts"]?.first == "3 attempts")
        #expect(object?["secondlook"]?.first == Command.version)
    }

    @Test func writesANewFileForItsOwnerAlone() throws {
        let trial = try trial()
        #expect(run(trial, ["--output", "report.txt"]) == 0)
        let path = temporary.file("report.txt")
        #expect(trial.kept.lines == ["wrote '\(path)'; read it before you send it"])
        #expect(String(decoding: TemporaryFolder.read(path), as: UTF8.self).hasPrefix("secondlook:\n"))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(run(trial, ["--output", "report.txt"]) == 1)
        #expect(
            trial.kept.errors.last == "secondlook: support-report: cannot open '\(path)': file exists; name a new file")
    }

    @Test func isMadeOfABrokenMachineToo() throws {
        var trial = Trial()
        trial.paths.settings = temporary.write("secondlook.conf", text: "nonsense of annemarie\n", mode: 0o644)
        trial.paths.state = temporary.file("state")
        TemporaryFolder.makeFolder(temporary.file("state"), mode: 0o755)
        temporary.write("state/secondlook.db", text: "")
        #expect(run(trial, []) == 0)
        let text = trial.kept.lines.joined(separator: "\n")
        #expect(text.contains("faulty, line 1"))
        #expect(text.contains("its mode must be 0700"))
        #expect(!text.contains("annemarie"))
    }

    @Test(arguments: [
        ("anne at bo, bobo and annex", "(removed) at (removed), bobo and (removed)x"), ("", ""),
        ("annanne", "ann(removed)"), ("bo", "(removed)"), ("x\u{1B}bo", "x?(removed)"),
    ])
    func removesNames(_ text: String, _ clean: String) {
        #expect(Scrubber(["bo", "anne", "", "-"]).clean(text) == clean)
    }

    @Test func removesTheLongerNameFirst() {
        #expect(Scrubber(["ann", "annemarie"]).clean("annemarie ann") == "(removed) (removed)")
    }
}
