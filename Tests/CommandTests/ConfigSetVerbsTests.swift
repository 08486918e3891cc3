// SPDX-License-Identifier: Apache-2.0
// A change of the settings keeps the file's mode and owner, and a refused one keeps the file.

import Foundation
import Policy
import TestSupport
import Testing

@testable import secondlook

@Suite struct ConfigSetVerbsTests {
    let temporary = TemporaryFolder()

    func trial(_ text: String?, mode: UInt32 = 0o644) -> Trial {
        var trial = Trial()
        trial.paths.settings = temporary.file("secondlook.conf")
        if let text { temporary.write("secondlook.conf", text: text, mode: mode) }
        return trial
    }

    var file: String { String(decoding: TemporaryFolder.read(temporary.file("secondlook.conf")), as: UTF8.self) }

    func status() throws -> [FileAttributeKey: Any] {
        try FileManager.default.attributesOfItem(atPath: temporary.file("secondlook.conf"))
    }

    @Test func setsAndTellsWhatItWas() throws {
        let trial = trial("# mine\nmatch = strict\n", mode: 0o640)
        #expect(trial.run("config", "set", "match", "paranoid") == 0)
        #expect(trial.kept.lines == ["match = paranoid (was strict)"])
        #expect(file == "# mine\nmatch = paranoid\n")
        #expect(try status()[.posixPermissions] as? Int == 0o640)
        let again = self.trial(nil)
        #expect(again.run("config", "set", "match", "paranoid") == 0)
        #expect(again.kept.lines == ["match = paranoid already"])
    }

    @Test(.enabled(if: TemporaryFolder.isRoot)) func keepsTheGroup() throws {
        let trial = trial("match = strict\n")
        try FileManager.default.setAttributes(
            [.groupOwnerAccountID: 12], ofItemAtPath: temporary.file("secondlook.conf"))
        #expect(trial.run("config", "set", "match", "paranoid") == 0)
        #expect(try status()[.groupOwnerAccountID] as? Int == 12)
    }

    @Test func setsForOneServiceAsJSON() throws {
        let trial = trial("match = strict\n")
        #expect(trial.run("config", "set", "sudo.liveness", "challenge", "--json") == 0)
        let object = try JSONSerialization.jsonObject(with: Data(trial.kept.lines[0].utf8)) as? [String: Any]
        #expect(object?["section"] as? String == "sudo")
        #expect(object?["before"] is NSNull)
        #expect(object?["value"] as? String == "challenge")
        #expect(object?["changed"] as? Bool == true)
        #expect(file == "match = strict\n\n[sudo]\nliveness = challenge\n")
    }

    @Test func beginsAMissingFileAsTheSample() throws {
        let trial = trial(nil)
        #expect(trial.run("config", "set", "remote", "skip") == 0)
        #expect(file.hasPrefix("# Settings of Second Look."))
        #expect(file.contains("#remote = refuse\nremote = skip\n"))
        #expect(try status()[.posixPermissions] as? Int == 0o644)
    }

    @Test(arguments: [
        (["livenes", "auto"], "config set: there is no key 'livenes'; did you mean 'liveness'?; nothing was changed"),
        (
            ["sudo.camera", "auto"],
            "config set: 'camera' holds for all services; leave out 'sudo'; nothing was changed"
        ),
        (
            ["lockout_misses", "9"],
            "config set: lockout_misses = '9' is not allowed; allowed: a whole number, 1 to 5; nothing was changed"
        ),
    ])
    func refusesAndKeepsTheFile(_ words: [String], _ message: String) {
        let trial = trial("# mine\nmatch = strict\n")
        var session = Session(output: trial.kept, caller: trial.caller, paths: trial.paths)
        #expect(Command.run(["config", "set"] + words, Verbs.all, &session) == 1)
        #expect(trial.kept.errors == ["secondlook: " + message])
        #expect(file == "# mine\nmatch = strict\n")
    }

    @Test func namesTheLineOfAFaultThatWasThereBefore() {
        let trial = trial("match = strict\nlivenes = auto\n")
        #expect(trial.run("config", "set", "match", "balanced") == 1)
        let path = temporary.file("secondlook.conf")
        #expect(
            trial.kept.errors == [
                "secondlook: config set: '\(path)' would be wrong: line 2: unknown key 'livenes'; did you mean "
                    + "'liveness'?; nothing was changed"
            ])
    }

    @Test func refusesAFileThatOthersMayWrite() {
        let trial = trial("match = strict\n", mode: 0o666)
        #expect(trial.run("config", "set", "match", "balanced") == 1)
        #expect(trial.kept.errors.first?.contains("can be written by others; settings are taken from") == true)
        #expect(file == "match = strict\n")
    }

    @Test func takesAKeyOut() {
        let trial = trial("# mine\nmatch = balanced\n")
        #expect(trial.run("config", "unset", "match") == 0)
        #expect(trial.kept.lines == ["match is not set any more (was balanced)"])
        #expect(file == "# mine\n")
        let again = self.trial(nil)
        #expect(again.run("config", "unset", "match") == 0)
        #expect(again.kept.lines == ["match is not set in '\(temporary.file("secondlook.conf"))'"])
    }

    @Test func isForRootUnlessAFileIsNamed() {
        var trial = trial("match = strict\n")
        trial.caller = Caller(isRoot: false, sudoUser: nil, ownUser: "ann")
        #expect(trial.run("config", "set", "match", "balanced") == 1)
        #expect(trial.kept.errors == ["secondlook: config set: only root may do this; run it again with sudo"])
        #expect(trial.run("config", "set", "match", "balanced", "--conf", temporary.file("secondlook.conf")) == 0)
    }

    @Test func takesARelativePathFromWhereTheCallerStood() {
        let trial = trial("match = balanced\n")
        var session = Session(output: trial.kept, caller: trial.caller, paths: trial.paths, folder: temporary.path)
        #expect(Command.run(["config", "check", "--conf", "./secondlook.conf"], Verbs.all, &session) == 0)
        #expect(trial.kept.lines == ["'\(temporary.file("secondlook.conf"))' is good"])
    }
}
