// SPDX-License-Identifier: Apache-2.0
// A bad settings file is one line that names file, line and remedy.

import Foundation
import TestSupport
import Testing

@testable import secondlook

@Suite struct ConfigVerbsTests {
    let temporary = TemporaryFolder()
    var folder: String { temporary.path }

    let remedy = "; settings are taken from a file that root alone can change"

    func write(_ text: String, mode: UInt32 = 0o644) -> String {
        temporary.write("secondlook.conf", text: text, mode: mode)
    }

    @Test(arguments: [
        ("match = balanced\nlivenes = auto\n", "line 2", "did you mean 'liveness'"),
        ("match = 2\n", "line 1", "allowed"),
        ("\n\nlockout_misses = 9\n", "line 3", "1 to 5"),
        ("match = 0,6\n", "line 1", "point"),
        ("nonsense\n", "line 1", "not 'key = value'"),
    ])
    func namesLineAndRemedy(_ text: String, _ line: String, _ remedy: String) {
        let path = write(text)
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
    func refusesAFileThatOthersMayWrite(_ mode: UInt32) {
        let path = write("match = balanced\n", mode: mode)
        let trial = Trial()
        #expect(trial.run("config", "check", "--conf", path) == 1)
        #expect(trial.kept.errors == ["secondlook: '\(path)' can be written by others\(remedy)"])
    }

    @Test func refusesASymbolicLink() {
        let path = write("match = balanced\n")
        TemporaryFolder.link(folder + "/link.conf", to: path)
        let trial = Trial()
        #expect(trial.run("config", "check", "--conf", folder + "/link.conf") == 1)
        #expect(trial.kept.errors == ["secondlook: '\(folder)/link.conf' is a symbolic link\(remedy)"])
    }

    @Test func showsWhatIsChangedForAService() throws {
        let path = write("match = balanced\n[sudo]\ntimeout = 25 s\n")
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
        var trial = Trial()
        trial.paths.settings = folder + "/none.conf"
        #expect(trial.run("config", "check") == 0)
        #expect(trial.kept.lines == ["'\(folder)/none.conf' does not exist: defaults"])
    }

    @Test(arguments: ["check", "show"])
    func refusesANamedFileThatIsNotThere(_ verb: String) {
        let trial = Trial()
        #expect(trial.run("config", verb, "--conf", folder + "/none.conf") == 1)
        #expect(trial.kept.errors == ["secondlook: cannot open '\(folder)/none.conf': no such file or directory"])
    }
}
