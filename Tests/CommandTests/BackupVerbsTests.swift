// SPDX-License-Identifier: Apache-2.0
// Out of one store and into another, with the passphrase on a descriptor; every refusal leaves both as they were.

import Biometrics
import Foundation
import Platform
import Policy
import TestSupport
import Testing

@testable import TemplateStore
@testable import secondlook

@Suite struct BackupVerbsTests {
    let temporary = TemporaryFolder()
    static let model = "the recogniser"

    /// A machine of its own: state, models and settings.
    func trial(_ machine: String) throws -> Trial {
        TemporaryFolder.makeFolder(temporary.file(machine))
        TemporaryFolder.makeFolder(temporary.file("\(machine)/libexec"), mode: 0o755)
        TemporaryFolder.makeFolder(temporary.file("\(machine)/libexec/models"), mode: 0o755)
        var entries: [String] = []
        for role in ["detector", "recogniser"] {
            let content = Array("the \(role)".utf8)
            temporary.write("\(machine)/libexec/models/\(role).onnx", content, mode: 0o644)
            entries.append(
                """
                {"role": "\(role)", "file": "\(role).onnx", "sha256": "\(try Digest.hex(.sha256, of: content))",
                 "bytes": \(content.count), "licence": "MIT", "source": "a test", "input": "nothing"}
                """)
        }
        temporary.write(
            "\(machine)/libexec/models/manifest.json", text: "{\"models\": [\(entries.joined(separator: ","))]}",
            mode: 0o644)
        var trial = Trial()
        trial.paths = Paths(libexec: temporary.file("\(machine)/libexec"))
        trial.paths.state = temporary.file("\(machine)/state")
        trial.paths.credentials = temporary.file("\(machine)/none")
        return trial
    }

    func enrol(_ trial: Trial, user: String, label: String = "default", model: String? = nil) throws {
        var store = try Store(folder: trial.paths.state, keyFolder: trial.paths.credentials, creating: true)
        var values = [Float](repeating: 0, count: 128)
        values[user.count] = 1
        let embedding = try #require(Embedding(values))
        let hash = try Digest.hex(.sha256, of: Array(Self.model.utf8))
        let template = Template(label: label, embeddings: [embedding], model: model ?? hash)
        try store.enrol(template, user: user, uid: user == "root" ? 0 : 1, replacing: false, at: 1_735_689_600_000)
    }

    /// Runs a verb with the passphrase on a descriptor of its own.
    func run(_ trial: Trial, _ words: [String], passphrase: String = "correct horse") throws -> Int32 {
        let name = "passphrase-\(UInt64.random(in: 0 ... .max))"
        let path = temporary.write(name, text: passphrase + "\n")
        let number = try SafeFile.openForReading(path).take()
        var session = Session(output: trial.kept, caller: trial.caller, paths: trial.paths, folder: temporary.path)
        session.backupCost = Backup.Cost(passes: 1, kibibytes: 8 << 10)
        return Command.run(words + ["--passphrase-fd", "\(number)"], Verbs.all, &session)
    }

    func labels(_ trial: Trial) throws -> [String] {
        guard Store.isThere(folder: trial.paths.state) else { return [] }
        let store = try Store(folder: trial.paths.state, keyFolder: trial.paths.credentials, creating: false)
        return try store.summaries().map { "\($0.user)/\($0.label)" }
    }

    /// root and daemon are users of every machine.
    func exported() throws -> (Trial, file: String) {
        let trial = try trial("one")
        try enrol(trial, user: "root")
        try enrol(trial, user: "root", label: "glasses")
        try enrol(trial, user: "daemon")
        #expect(try run(trial, ["export", "backup"]) == 0, "\(trial.kept.errors)")
        return (trial, temporary.file("backup"))
    }

    @Test func goesToAnotherMachine() throws {
        let (one, file) = try exported()
        #expect(one.kept.lines == ["exported 3 templates of 2 users"])
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        let other = try trial("other")
        #expect(try run(other, ["import", "backup", "--json"]) == 0, "\(other.kept.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(other.kept.lines[0].utf8)) as? [String: Any]
        #expect(object?["users"] as? [String] == ["daemon", "root"])
        #expect(object?["templates"] as? Int == 3)
        #expect(try labels(other) == ["daemon/default", "root/default", "root/glasses"])
    }

    @Test func importsOneUserOfMany() throws {
        _ = try exported()
        let other = try trial("other")
        #expect(try run(other, ["import", "backup", "daemon"]) == 0)
        #expect(other.kept.lines == ["imported 1 template of 1 user"])
        let nobody = try trial("other")
        #expect(try run(nobody, ["import", "backup", "bin"]) == 1)
        #expect(nobody.kept.errors == ["secondlook: import: '\(temporary.file("backup"))' has nothing of 'bin'"])
    }

    @Test func neverWritesOverAFile() throws {
        let (_, file) = try exported()
        let before = TemporaryFolder.read(file)
        let again = try trial("one")
        #expect(try run(again, ["export", "backup"]) == 1)
        #expect(again.kept.errors == ["secondlook: export: '\(file)' exists; name a new file"])
        #expect(TemporaryFolder.read(file) == before)
        TemporaryFolder.link(temporary.file("link"), to: temporary.file("target"))
        let linked = try trial("one")
        #expect(try run(linked, ["export", "link"]) == 1)
        #expect(!SafeFile.exists(temporary.file("target")))
    }

    @Test func refusesUsersThatAreEnrolledUnlessTold() throws {
        _ = try exported()
        let other = try trial("other")
        try enrol(other, user: "root", label: "own")
        #expect(try run(other, ["import", "backup"]) == 1)
        #expect(
            other.kept.errors == [
                "secondlook: import: 'root' is enrolled already; use --replace, or remove 'root' first"
            ])
        #expect(try labels(other) == ["root/own"])
        #expect(try run(other, ["import", "backup", "--replace"]) == 0)
        #expect(try labels(other) == ["daemon/default", "root/default", "root/glasses"])
    }

    @Test func refusesAWrongPassphrase() throws {
        let (_, file) = try exported()
        let other = try trial("other")
        #expect(try run(other, ["import", "backup"], passphrase: "correct hose") == 1)
        #expect(
            other.kept.errors == [
                "secondlook: import: '\(file)' does not open: the passphrase is wrong, or the file was changed"
            ])
        #expect(try labels(other).isEmpty)
    }

    @Test func refusesAFileThatIsCutOrIsNone() throws {
        let (_, file) = try exported()
        let bytes = TemporaryFolder.read(file)
        temporary.write("cut", Array(bytes.dropLast(7)))
        let cut = try trial("other")
        #expect(try run(cut, ["import", "cut"]) == 1)
        #expect(cut.kept.errors.first?.contains("is cut short: \(bytes.count - 7) of \(bytes.count) bytes") == true)
        temporary.write("words", text: "these are only words, and more of them than a header has bytes, surely")
        let words = try trial("other")
        #expect(try run(words, ["import", "words"]) == 1)
        #expect(words.kept.errors.first?.contains("is not a backup of secondlook") == true)
    }

    @Test func refusesTemplatesOfAnotherRecogniser() throws {
        let one = try trial("one")
        try enrol(one, user: "root")
        try enrol(one, user: "daemon", model: String(repeating: "0", count: 64))
        #expect(try run(one, ["export", "backup"]) == 0)
        let other = try trial("other")
        #expect(try run(other, ["import", "backup"]) == 1)
        #expect(
            other.kept.errors == [
                "secondlook: import: 'default' of 'daemon' was made by another recogniser (000000000000...) than the "
                    + "one installed; enrol again"
            ])
        #expect(try labels(other).isEmpty)
    }

    @Test func refusesUsersWhoDoNotExist() throws {
        let one = try trial("one")
        try enrol(one, user: "root")
        try enrol(one, user: "nobody-by-this-name")
        #expect(try run(one, ["export", "backup"]) == 0)
        let other = try trial("other")
        #expect(try run(other, ["import", "backup"]) == 1)
        #expect(other.kept.errors == ["secondlook: there is no user 'nobody-by-this-name' on this machine"])
        #expect(try labels(other).isEmpty)
    }

    @Test func refusesAShortPassphraseAndBadDescriptors() throws {
        let one = try trial("one")
        try enrol(one, user: "root")
        #expect(try run(one, ["export", "backup"], passphrase: "short") == 1)
        #expect(one.kept.errors == ["secondlook: export: a passphrase has at least 8 bytes"])
        #expect(!SafeFile.exists(temporary.file("backup")))
        for number in ["1", "2", "-1", "x", "99999999999"] {
            #expect(one.run("export", temporary.file("backup"), "--passphrase-fd=\(number)") == 2)
        }
        #expect(one.run("export", temporary.file("backup"), "--passphrase-fd", "999") == 1)
        #expect(one.kept.errors.last?.contains("bad file descriptor") == true)
    }

    @Test func exportsNobodyAsAFailure() throws {
        let one = try trial("one")
        #expect(try run(one, ["export", "backup"]) == 1)
        #expect(one.kept.errors == ["secondlook: export: nobody is enrolled"])
        try enrol(one, user: "root")
        #expect(try run(one, ["export", "backup", "daemon"]) == 1)
        #expect(one.kept.errors.last == "secondlook: export: 'daemon' is not enrolled")
    }

    @Test func renamesLabelsAndUsers() throws {
        let one = try trial("one")
        try enrol(one, user: "root")
        #expect(one.run("rename", "root", "day", "--label", "default") == 0)
        #expect(one.kept.lines == ["'default' of 'root' is called 'day' now"])
        #expect(one.run("rename", "root", "x", "--label", "default") == 1)
        #expect(one.kept.errors.last == "secondlook: rename: 'root' has no template 'default'; see: secondlook list")
        #expect(one.run("rename", "root", "daemon") == 1)
        #expect(one.kept.errors.last?.contains("'daemon' has the number 1, its templates were made for 0") == true)
        #expect(one.run("rename", "root", "nobody-by-this-name") == 1)
        #expect(one.run("rename", "bin", "daemon") == 1)
        try enrol(one, user: "gone")
        #expect(one.run("rename", "gone", "daemon", "--json") == 0)
        #expect(one.kept.lines.last == "{\"user\": \"daemon\", \"templates\": 1, \"recovery_codes_ended\": 0}")
        #expect(try labels(one) == ["daemon/default", "root/day"])
    }

    @Test func anEnrolmentStoresNothingWhenAnotherEndedMeanwhile() throws {
        let trial = try trial("two")
        let session = Session(output: trial.kept, caller: trial.caller, paths: trial.paths)
        let root = try #require(try Account.find(user: 0))
        var wish = EnrolmentWish()
        wish.label = "second"
        // Both begin before anybody is enrolled, so neither is compared with the other's person.
        let before = try EnrolmentRun.present(wish, root, session)
        try EnrolmentRun.requireUnchanged(before, wish, root, session)
        try enrol(trial, user: "root")
        #expect(
            throws: CommandError.failed(
                "enroll: what is enrolled of 'root' has changed meanwhile; nothing was stored, try again")
        ) { try EnrolmentRun.requireUnchanged(before, wish, root, session) }
    }

    /// Who replaces one label is still compared with the person of another that only looks the same.
    @Test func aLabelOfOtherCodePointsIsAnother() throws {
        let trial = try trial("two")
        let session = Session(output: trial.kept, caller: trial.caller, paths: trial.paths)
        let root = try #require(try Account.find(user: 0))
        try enrol(trial, user: "root", label: "di\u{301}a")
        var wish = EnrolmentWish()
        wish.label = "d\u{ED}a"
        wish.present = .replace
        let present = try EnrolmentRun.present(wish, root, session)
        #expect(!present.isTaken && present.known != nil && present.samples == 1)
        wish.label = "di\u{301}a"
        let same = try EnrolmentRun.present(wish, root, session)
        #expect(same.isTaken && same.known == nil && same.samples == 0)
    }

    @Test func doctorFindsModelsThatALoginWouldRefuse() throws {
        let trial = try trial("ill")
        TemporaryFolder.makeFolder(temporary.file("ill/state"))
        TemporaryFolder.makeFolder(temporary.file("ill/state/prepared"))
        func says(_ name: String, isOK: Bool) -> Bool {
            _ = trial.run("doctor", "--json")
            return trial.kept.lines.last?.contains("{\"name\": \"\(name)\", \"ok\": \(isOK)") == true
        }
        #expect(says("models", isOK: true) && !says("prepared models", isOK: false))
        temporary.write("ill/state/prepared/prepared.json", text: "x")
        #expect(says("models", isOK: true) && says("prepared models", isOK: false))
        TemporaryFolder.remove(temporary.file("ill/state/prepared/prepared.json"))
        // As long as it should be, and another one.
        temporary.write("ill/libexec/models/recogniser.onnx", text: "the RECOGNISER", mode: 0o644)
        #expect(says("models", isOK: false) && !says("prepared models", isOK: false))
    }
}
