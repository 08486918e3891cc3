// SPDX-License-Identifier: Apache-2.0
// A bad settings file is one line that names file, line and remedy.

import Foundation
import Testing

@testable import secondlook

@Suite struct ConfigVerbsTests {
    let folder: String

    init() throws {
        folder = "/tmp/secondlook-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    func write(_ text: String, mode: Int = 0o644) throws -> String {
        let path = folder + "/secondlook.conf"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @Test(arguments: [
        ("match = balanced\nlivenes = auto\n", "line 2", "did you mean 'liveness'"),
        ("match = 2\n", "line 1", "allowed"),
        ("\n\nlockout_misses = 9\n", "line 3", "1 to 5"),
        ("match = 0,6\n", "line 1", "point"),
        ("nonsense\n", "line 1", "not 'key = value'"),
    ])
    func namesLineAndRemedy(_ text: String, _ line: String, _ remedy: String) throws {
        let path = try write(text)
        for verb in ["check", "show"] {
            let trial = Trial()
            #expect(trial.run("config", verb, "--conf", path) == 1)
            #expect(trial.kept.errors.count == 1)
            #expect(trial.kept.errors.first?.contains("'\(path)': \(line)") == true)
            #expect(trial.kept.errors.first?.contains(remedy) == true, "\(trial.kept.errors)")
            #expect(trial.kept.lines.isEmpty)
        }
    }

    @Test(arguments: [0o666, 0o664, 0o646])
    func refusesAFileThatOthersMayWrite(_ mode: Int) throws {
        let path = try write("match = balanced\n", mode: mode)
        let trial = Trial()
        #expect(trial.run("config", "check", "--conf", path) == 1)
        #expect(trial.kept.errors == ["secondlook: '\(path)' can be written by others"])
    }

    @Test func refusesASymbolicLink() throws {
        let path = try write("match = balanced\n")
        try FileManager.default.createSymbolicLink(atPath: folder + "/link.conf", withDestinationPath: path)
        let trial = Trial()
        #expect(trial.run("config", "check", "--conf", folder + "/link.conf") == 1)
        #expect(trial.kept.errors == ["secondlook: '\(folder)/link.conf' is a symbolic link"])
    }

    @Test func showsWhatIsChangedForAService() throws {
        let path = try write("match = balanced\n[sudo]\ntimeout = 25 s\n")
        let trial = Trial()
        #expect(trial.run("config", "show", "--conf", path, "--service", "sudo") == 0)
        #expect(trial.kept.lines.contains("* match = balanced"))
        #expect(trial.kept.lines.contains("* timeout = 25 s"))
        #expect(trial.kept.lines.contains("  liveness = auto"))
        let other = Trial()
        #expect(other.run("config", "show", "--conf", path, "--json") == 0)
        let object =
            try JSONSerialization.jsonObject(with: Data((other.kept.lines.first ?? "").utf8)) as? [String: String]
        #expect(object?["match"] == "balanced")
        #expect(object?["timeout"] == "20 s")
    }

    @Test func takesDefaultsWithoutAFile() {
        let trial = Trial()
        #expect(trial.run("config", "check", "--conf", folder + "/none.conf") == 0)
        #expect(trial.kept.lines == ["'\(folder)/none.conf' does not exist: defaults"])
    }
}
