// SPDX-License-Identifier: Apache-2.0
// The completions know every verb and option of the table, and the shells take them: bash is asked for answers, zsh and fish, where they are
// installed, read the scripts without running them.

import Foundation
import Policy
import TestSupport
import Testing

@testable import secondlook

@Suite struct CompletionsTests {
    let temporary = TemporaryFolder()

    static func isInstalled(_ program: String) -> Bool { path(program) != nil }

    static func path(_ program: String) -> String? {
        ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + program }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Exit code and both outputs together.
    func run(_ program: String, _ words: [String]) throws -> (code: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: try #require(Self.path(program)))
        process.arguments = words
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    func written(_ shell: CompletionShell) -> String {
        temporary.write("completions.\(shell.rawValue)", text: shell.script(Verbs.all) + "\n")
    }

    /// What bash offers for the words typed so far, the last of them unfinished.
    func offers(_ words: [String]) throws -> [String] {
        let script = """
            set -u
            source '\(written(.bash))'
            COMP_WORDS=(secondlook "$@"); COMP_CWORD=$#
            _secondlook
            for reply in "${COMPREPLY[@]}"; do echo "$reply"; done
            """
        let (code, output) = try run("bash", ["--norc", "-c", script, "bash"] + words)
        #expect(code == 0, "\(output)")
        return output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: CompletionShell.allCases)
    func knowEveryVerbAndOption(_ shell: CompletionShell) {
        let script = shell.script(Verbs.all)
        for verb in Verbs.all {
            for word in verb.name.split(separator: " ") { #expect(script.contains(word), "\(verb.name)") }
            let dashes = shell == .fish ? "-l " : "--"
            for option in verb.allOptions {
                #expect(script.contains(dashes + option.name), "\(verb.name) --\(option.name)")
            }
        }
        #expect(script.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test(.enabled(if: isInstalled("bash"))) func offerFirstWords() throws {
        #expect(try offers(["enr"]) == ["enroll"])
        let all = try offers([""])
        for verb in Verbs.all { #expect(all.contains(String(verb.name.split(separator: " ")[0])), "\(verb.name)") }
        #expect(all.contains("--version"))
    }

    @Test(.enabled(if: isInstalled("bash")), arguments: Verbs.all.map(\.name))
    func offerTheOptionsOfEachVerb(_ name: String) throws {
        let verb = try #require(Verbs.all.first { $0.name == name })
        let words = name.split(separator: " ").map(String.init)
        #expect(try offers(words + ["--"]) == verb.allOptions.map { "--\($0.name)" })
    }

    @Test(.enabled(if: isInstalled("bash"))) func offerSecondWords() throws {
        #expect(try offers(["config", "s"]) == ["show", "set"])
        #expect(try offers(["recovery", ""]) == ["new", "list", "revoke"])
        let models = try offers(["models", ""])
        #expect(models.contains("install") && models.suffix(2) == ["--json", "--help"], "\(models)")
        #expect(try offers(["models", "--j"]) == ["--json"])
    }

    @Test(.enabled(if: isInstalled("bash"))) func offerValuesByTheirKind() throws {
        #expect(try offers(["config", "set", "liv"]) == ["liveness"])
        #expect(try offers(["completions", "z"]) == ["zsh"])
        #expect(try offers(["list", "roo"]) == ["root"])
        #expect(try offers(["enroll", "--label", ""]).isEmpty)
        temporary.write("picture one.png", text: "")
        let path = temporary.file("picture")
        #expect(try offers(["enroll", "root", "--image", path]) == [temporary.file("picture one.png")])
        #expect(try offers(["models", "install", "--from", String(temporary.path.dropLast())]) == [temporary.path])
        // The place of an operand counts, not the words of options before it.
        #expect(try offers(["config", "set", "--conf", "/etc/x", "matc"]) == ["match"])
        #expect(try offers(["unlock", "root", ""]) == ["--json", "--help"])
        #expect(try offers(["nonsense", ""]).isEmpty)
    }

    @Test(.enabled(if: isInstalled("zsh"))) func areReadByZsh() throws {
        let (code, output) = try run("zsh", ["-n", written(.zsh)])
        #expect(code == 0 && output.isEmpty, "\(output)")
    }

    @Test(.enabled(if: isInstalled("fish"))) func areReadByFish() throws {
        let (code, output) = try run("fish", ["--no-execute", written(.fish)])
        #expect(code == 0 && output.isEmpty, "\(output)")
        let ask = "source \(written(.fish)); complete -C 'secondlook config s'"
        let (_, offered) = try run("fish", ["--no-config", "-c", ask])
        #expect(offered.contains("show") && offered.contains("set"), "\(offered)")
    }

    @Test func namesTheShellsItKnows() {
        let trial = Trial()
        #expect(trial.run("completions", "tcsh") == 2)
        #expect(
            trial.kept.errors == [
                "secondlook: completions: 'tcsh' is none of the shells known: bash, zsh, fish"
            ])
        #expect(trial.run("completions", "bash") == 0)
        #expect(trial.kept.lines == [CompletionShell.bash.script(Verbs.all)])
    }
}
