// SPDX-License-Identifier: Apache-2.0
// The help fits a plain terminal, and says all that the parser accepts.

import Testing

@testable import secondlook

@Suite struct HelpTests {
    @Test func fitsEightyColumnsInASCII() {
        let texts = [Help.overview(of: Verbs.all)] + Verbs.all.map { Help.details(of: $0) }
        for line in texts.flatMap({ $0.split(separator: "\n") }) {
            #expect(line.count <= 80, "\(line)")
            #expect(line.utf8.allSatisfy { $0 < 0x80 }, "\(line)")
        }
    }

    @Test func namesEveryVerbAndOption() {
        let overview = Help.overview(of: Verbs.all)
        for verb in Verbs.all {
            #expect(overview.contains("  \(verb.name) "))
            for option in verb.allOptions { #expect(Help.details(of: verb).contains("--\(option.name)")) }
        }
    }

    @Test func breaksTheUsageBetweenOptionsAndLeavesWhatIsRequiredBare() throws {
        let enroll = try #require(Verbs.all.first { $0.name == "enroll" })
        let lines = Help.details(of: enroll).split(separator: "\n").prefix(2)
        #expect(lines.first?.hasPrefix("usage: secondlook enroll [USER] [--label L]") == true)
        #expect(lines.last?.hasSuffix(" [--image FILE...]") == true)
        let snapshot = try #require(Verbs.all.first { $0.name == "snapshot" })
        #expect(Help.details(of: snapshot).hasPrefix("usage: secondlook snapshot [DEVICE] --output FILE.png\n"))
    }

    @Test func breaksLongTextsUnderThemselves() {
        let rows = Help.row("name", "one two three " + String(repeating: "long ", count: 30), width: 8)
        #expect(rows.count == 3)
        #expect(rows[0].hasPrefix("  name    one two"))
        #expect(rows[1].hasPrefix("          long"))
    }

    @Test(arguments: Verbs.all.map(\.name))
    func answersHelpOfEachVerb(_ name: String) {
        let trial = Trial()
        var session = Session(output: trial.kept, caller: trial.caller, paths: trial.paths)
        let words = name.split(separator: " ").map(String.init) + ["--help"]
        #expect(Command.run(words, Verbs.all, &session) == 0)
        #expect(trial.kept.lines.first?.hasPrefix("usage: secondlook \(name)") == true)
        #expect(trial.kept.errors.isEmpty)
    }
}
