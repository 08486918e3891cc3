// SPDX-License-Identifier: Apache-2.0
// The verbs over a real store in a folder of the test.

import Biometrics
import Foundation
import Platform
import Policy
import TestSupport
import Testing

@testable import TemplateStore
@testable import secondlook

@Suite struct StoreVerbsTests {
    let temporary = TemporaryFolder()
    var folder: String { temporary.file("state") }

    var trial: Trial {
        var trial = Trial()
        trial.paths.state = folder
        trial.paths.credentials = folder + "/none"
        trial.paths.settings = folder + "/none.conf"
        return trial
    }

    func fill() throws {
        var store = try Store(folder: folder, keyFolder: folder + "/none", creating: true)
        var values = [Float](repeating: 0, count: 128)
        values[3] = 1
        let embedding = try #require(Embedding(values))
        for (user, label) in [("ann", "default"), ("ann", "glasses"), ("bob", "default")] {
            let template = Template(
                label: label, embeddings: [embedding, embedding], model: String(repeating: "a", count: 64))
            try store.enrol(template, user: user, uid: 4711, replacing: false, at: 1_735_689_600_000)
        }
        try store.record(
            AttemptRecord(
                time: 1_735_689_600_000, user: "ann\u{1B}[2J", service: "sudo",
                verdict: Verdict(.refused, .otherPerson),
                similarity: 0.1234, milliseconds: 900))
    }

    @Test func listsAllOrOne() throws {
        try fill()
        let all = trial
        #expect(all.run("list") == 0)
        #expect(all.kept.lines.count == 4)
        #expect(all.kept.lines[1] == "ann   default  2        2025-01-01T00:00:00Z  aaaaaaaaaaaa")
        let one = trial
        #expect(one.run("list", "bob", "--json") == 0)
        let rows = try JSONSerialization.jsonObject(with: Data(one.kept.lines[0].utf8)) as? [[String: Any]]
        #expect(rows?.count == 1)
        #expect(rows?.first?["user"] as? String == "bob")
        #expect(rows?.first?["samples"] as? Int == 2)
    }

    @Test func saysThatNobodyIsEnrolledAndMakesNoStore() {
        let trial = trial
        #expect(trial.run("list") == 0)
        #expect(trial.kept.lines == ["nobody is enrolled"])
        #expect(trial.run("remove", "ann") == 1)
        #expect(trial.run("is-enrolled", "ann") == 1)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func removesOneLabelThenAll() throws {
        try fill()
        let first = trial
        #expect(first.run("remove", "ann", "--label", "glasses") == 0)
        #expect(first.kept.lines == ["removed 1 template of 'ann'"])
        #expect(trial.run("is-enrolled", "ann") == 0)
        #expect(trial.run("remove", "ann") == 0)
        let asked = trial
        #expect(asked.run("is-enrolled", "ann") == 1)
        #expect(asked.kept.lines == ["'ann' is not enrolled"])
        #expect(asked.kept.errors.isEmpty)
        let again = trial
        #expect(again.run("remove", "ann", "--label", "x") == 1)
        #expect(again.kept.errors == ["secondlook: remove: 'ann' has no template 'x'; see: secondlook list"])
        #expect(trial.run("is-enrolled", "bob") == 0)
    }

    @Test func refusesWhoIsNotRoot() throws {
        try fill()
        for words in [
            ["list"], ["remove", "ann"], ["unlock", "ann"], ["log"], ["models"], ["key", "rotate"],
            ["recovery", "new", "ann"],
        ] {
            var trial = trial
            trial.caller = Caller(isRoot: false, sudoUser: nil, ownUser: "ann")
            var session = Session(output: trial.kept, caller: trial.caller, paths: trial.paths)
            #expect(Command.run(words, Verbs.all, &session) == 1)
            #expect(trial.kept.errors.first?.contains("only root may do this; run it again with sudo") == true)
        }
    }

    @Test func showsAttemptsWithoutTheirControlCharacters() throws {
        try fill()
        let trial = trial
        #expect(trial.run("log") == 0)
        #expect(
            trial.kept.lines.last
                == "1   2025-01-01T00:00:00Z  ann?[2J  sudo     other-person  0.123   900 ms")
        #expect(trial.run("log", "--verify") == 0)
        #expect(trial.kept.lines.last == "1 attempts, none changed or missing")
        #expect(trial.run("log", "--limit", "0") == 2)
        #expect(trial.run("log", "--limit", "many") == 2)
    }

    @Test(arguments: [["ann"], ["--limit", "5"], ["ann", "--limit", "5"]])
    func verifiesTheWholeRecordOrNothing(_ words: [String]) throws {
        try fill()
        let trial = trial
        var session = Session(output: trial.kept, caller: trial.caller, paths: trial.paths)
        #expect(Command.run(["log", "--verify"] + words, Verbs.all, &session) == 2)
        #expect(
            trial.kept.errors == [
                "secondlook: log: --verify goes through the whole record; leave out USER and --limit"
            ])
    }

    @Test func fitsEightyColumnsWhateverTheNames() throws {
        try fill()
        var store = try Store(folder: folder, keyFolder: folder + "/none", creating: false)
        let long = String(repeating: "long-name-", count: 12)
        try store.record(
            AttemptRecord(
                time: 1_735_689_600_000, user: long, service: long, verdict: Verdict(.refused, .accountEmpty),
                similarity: -0.1234, milliseconds: 180_000))
        let values = (0..<128).map { Float($0) - 60 }
        let embedding = try #require(Embedding(values))
        let template = Template(
            label: String(long.prefix(64)), embeddings: [embedding], model: String(repeating: "a", count: 64))
        try store.enrol(template, user: long, uid: 1, replacing: false, at: 1)
        for verb in ["log", "list"] {
            let trial = trial
            #expect(trial.run(verb) == 0)
            for line in trial.kept.lines { #expect(line.count <= 80, "\(line)") }
            #expect(trial.kept.lines.contains { $0.contains("long-n") && $0.contains("..") })
        }
    }

    /// Every verb whose answer is what it writes.
    @Test(arguments: [
        ["list"], ["log"], ["log", "--verify"], ["recovery", "list", "root"], ["list", "--json"], ["unlock", "ann"],
        ["config", "show"], ["--help"], ["--version"], ["recovery", "revoke", "root"],
    ])
    func failsWhenTheAnswerCannotBeWritten(_ words: [String]) throws {
        try fill()
        let trial = trial
        trial.kept.room = 0
        var session = Session(output: trial.kept, caller: trial.caller, paths: trial.paths)
        #expect(Command.run(words, Verbs.all, &session) == 1)
        #expect(
            trial.kept.errors == [
                "secondlook: the answer is cut: cannot write 'standard output': no space left on device"
            ])
    }

    @Test func answersByItsExitCodeWithoutAnyRoom() throws {
        try fill()
        let trial = trial
        trial.kept.room = 0
        #expect(trial.run("is-enrolled", "ann") == 0)
        #expect(trial.run("is-enrolled", "cleo") == 1)
    }

    /// With room for none, some, and all but the last of the lines.
    @Test(arguments: [0, 1, 5, 11])
    func keepsTheOldCodesWhenTheNewOnesCannotBeWritten(_ room: Int) throws {
        try fill()
        let first = trial
        #expect(first.run("recovery", "new", "root") == 0)
        let code = try #require(first.kept.lines.last?.trimmingCharacters(in: .whitespaces))
        let second = trial
        second.kept.room = room
        #expect(second.run("recovery", "new", "root") == 1)
        #expect(
            second.kept.errors == [
                "secondlook: recovery new: the new codes could not be written: cannot write 'standard output': no "
                    + "space left on device; the old ones stay"
            ])
        var store = try Store(folder: folder, keyFolder: folder + "/none", creating: false)
        #expect(try store.useRecoveryCode(Array(code.utf8), user: "root", uid: 0, at: 2))
        let half = second.kept.lines.last?.trimmingCharacters(in: .whitespaces) ?? ""
        #expect(try !store.useRecoveryCode(Array(half.utf8), user: "root", uid: 0, at: 2))
    }

    @Test(arguments: ["UPDATE attempts SET outcome=65", "DELETE FROM attempts"])
    func findsARecordThatWasChangedOrTakenAway(sql: String) throws {
        try fill()
        try Database.open(path: folder + "/secondlook.db", creating: false, patience: 1000).query(sql)
        let trial = trial
        #expect(trial.run("log", "--verify") == 1)
        #expect(trial.kept.lines.count == 1)
        #expect(trial.kept.lines.first?.contains("none changed or missing") == false)
        let asJSON = self.trial
        #expect(asJSON.run("log", "--verify", "--json") == 1)
        #expect(asJSON.kept.lines.first?.contains("\"faults\": []") == false)
    }

    @Test func namesAStoreThatOthersMayEnter() throws {
        try fill()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        let trial = trial
        #expect(trial.run("list") == 1)
        #expect(trial.kept.errors == ["secondlook: '\(folder)' is open to other users, its mode must be 0700"])
    }

    @Test func namesAnEmptyStoreFile() throws {
        try fill()
        try Data().write(to: URL(fileURLWithPath: folder + "/secondlook.db"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/secondlook.db")
        let trial = trial
        #expect(trial.run("list") == 1)
        #expect(trial.kept.errors.count == 1)
    }

    @Test func makesCodesOnceAndRevokesThem() throws {
        try fill()
        let made = trial
        #expect(made.run("recovery", "new", "root") == 0)
        #expect(made.kept.lines.filter { $0.hasPrefix("  ") }.count == 10)
        let listed = trial
        #expect(listed.run("recovery", "list", "root") == 0)
        #expect(listed.kept.lines.first == "'root' has 10 of 10 codes left")
        let revoked = trial
        #expect(revoked.run("recovery", "revoke", "root") == 0)
        #expect(revoked.kept.lines == ["10 codes of 'root' ended"])
        let unknown = trial
        #expect(unknown.run("recovery", "new", "nobody-by-this-name") == 1)
        #expect(unknown.kept.errors == ["secondlook: there is no user 'nobody-by-this-name' on this machine"])
    }

    @Test func unlocksAndRotates() throws {
        try fill()
        let unlocked = trial
        #expect(unlocked.run("unlock", "ann") == 0)
        #expect(unlocked.kept.lines == ["'ann' has no failed attempts"])
        let rotated = trial
        #expect(rotated.run("key", "rotate") == 0)
        #expect(rotated.kept.lines == ["3 templates are sealed by a new key"])
        #expect(trial.run("is-enrolled", "ann") == 0)
    }

    @Test(arguments: [["unlock"], ["recovery", "list"], ["recovery", "revoke"]])
    func doesNotTakeAMistypedNameForAUserWithoutFaults(_ verb: [String]) throws {
        try fill()
        let trial = trial
        var session = Session(output: trial.kept, caller: trial.caller, paths: trial.paths)
        #expect(Command.run(verb + ["nobody-by-this-name"], Verbs.all, &session) == 1)
        #expect(trial.kept.errors == ["secondlook: there is no user 'nobody-by-this-name' on this machine"])
        #expect(trial.kept.lines.isEmpty)
    }

    @Test func listsNoCamerasAsAFailure() throws {
        var trial = trial
        trial.paths.settings = folder + "/none.conf"
        var session = Session(output: trial.kept, caller: trial.caller, paths: trial.paths)
        session.cameras = .init(sysfs: folder + "/none", devices: "/dev") { _, _ throws(PlatformError) in
            throw .timedOut("nothing")
        }
        #expect(Command.run(["devices"], Verbs.all, &session) == 1)
        #expect(trial.kept.errors == ["secondlook: devices: no camera found; is it plugged in?"])
    }
}
