// SPDX-License-Identifier: Apache-2.0
// The parser against a small table of its own, so that these tests do not change when verbs are added.

import Testing

@testable import secondlook

@Suite struct CommandLineParserTests {
    static let verbs = [
        Verb(
            name: "enroll", summary: "s", operands: [Operand(name: "USER", isRequired: false)],
            options: [
                Option(name: "label", values: .one("L"), help: "h"),
                Option(name: "image", values: .many("FILE"), help: "h"),
                Option(name: "add", values: .none, help: "h"),
            ]
        ) { _, _ in },
        Verb(name: "config show", summary: "s", operands: [], options: []) { _, _ in },
        Verb(name: "config check", summary: "s", operands: [], options: []) { _, _ in },
        Verb(name: "verify", summary: "s", operands: [Operand(name: "USER", isRequired: true)], options: []) { _, _ in
        },
    ]

    struct Good: Sendable {
        let words: [String]
        let operands: [String]
        let options: [String: [String]]
    }

    @Test(arguments: [
        Good(words: ["enroll"], operands: [], options: [:]),
        Good(words: ["enroll", "ann", "--label", "day"], operands: ["ann"], options: ["label": ["day"]]),
        Good(words: ["enroll", "--label=day light", "ann"], operands: ["ann"], options: ["label": ["day light"]]),
        Good(words: ["enroll", "--label=a=b"], operands: [], options: ["label": ["a=b"]]),
        Good(
            words: ["enroll", "ann", "--image", "a", "b", "--json"], operands: ["ann"],
            options: ["image": ["a", "b"], "json": []]),
        Good(
            words: ["enroll", "ann", "--image", "a", "--image", "b"], operands: ["ann"], options: ["image": ["a", "b"]]),
        Good(words: ["enroll", "--add", "--", "--label"], operands: ["--label"], options: ["add": []]),
        Good(words: ["config", "show", "--json"], operands: [], options: ["json": []]),
        Good(words: ["enroll", "-"], operands: ["-"], options: [:]),
    ])
    func reads(_ good: Good) throws {
        guard case .run(_, let invocation) = try CommandLineParser(verbs: Self.verbs).parse(good.words) else {
            Issue.record("not a run")
            return
        }
        #expect(invocation.operands == good.operands)
        #expect(invocation.options == good.options)
    }

    @Test(arguments: [
        ([], "no verb given; see: secondlook --help"),
        (["enrol"], "unknown verb 'enrol'; did you mean 'enroll'? see: secondlook --help"),
        (["confgi", "show"], "unknown verb 'confgi'; did you mean 'config'? see: secondlook --help"),
        (["delete"], "unknown verb 'delete'; see: secondlook --help"),
        (["config"], "'config' needs one of: show, check"),
        (["config", "shout"], "'config' needs one of: show, check"),
        (["enroll", "--lable", "x"], "enroll: unknown option '--lable'; see: secondlook enroll --help"),
        (["enroll", "-l"], "enroll: unknown option '-l'; see: secondlook enroll --help"),
        (["enroll", "--label"], "enroll: --label needs a value: L"),
        (["enroll", "--label="], "enroll: --label needs a value: L"),
        (["enroll", "--label", "--json"], "enroll: --label needs a value: L"),
        (["enroll", "--label", "a", "--label", "b"], "enroll: --label was given twice"),
        (["enroll", "--image"], "enroll: --image needs one value or more: FILE"),
        (["enroll", "--add=yes"], "enroll: --add takes no value"),
        (["enroll", "a", "b"], "enroll: unexpected 'b'; see: secondlook enroll --help"),
        (["verify"], "verify: USER is missing; see: secondlook verify --help"),
    ])
    func refuses(_ words: [String], _ message: String) {
        #expect(throws: CommandError.usage(message)) { try CommandLineParser(verbs: Self.verbs).parse(words) }
    }

    @Test func refusesMoreWordsThanItsLimit() {
        let words = ["enroll"] + Array(repeating: "x", count: CommandLineParser.mostWords)
        #expect(throws: CommandError.self) { try CommandLineParser(verbs: Self.verbs).parse(words) }
    }

    @Test(arguments: [["verify", "--help"], ["verify", "a", "b", "-h"], ["help", "verify"]])
    func answersHelpWhateverElseIsOnTheLine(_ words: [String]) throws {
        guard case .helpOf(let verb) = try CommandLineParser(verbs: Self.verbs).parse(words) else {
            Issue.record("not help")
            return
        }
        #expect(verb.name == "verify")
    }

    @Test(arguments: [["config", "--help"], ["config", "-h"], ["help", "config"]])
    func answersHelpOfAGroup(_ words: [String]) throws {
        guard case .helpOfGroup(let verbs) = try CommandLineParser(verbs: Self.verbs).parse(words) else {
            Issue.record("not help of a group")
            return
        }
        #expect(verbs.map(\.name) == ["config show", "config check"])
    }

    @Test func endsWithTwoForWrongUsageAndOneForFailure() {
        #expect(Trial().run("nonsense") == 2)
        let failing = Verb(name: "fail", summary: "s", operands: [], options: []) { _, _ throws(CommandError) in
            throw .failed("cannot open '/x\u{1B}[31m'; look there")
        }
        let trial = Trial()
        #expect(trial.run("fail", verbs: [failing]) == 1)
        #expect(trial.kept.errors == ["secondlook: cannot open '/x?[31m'; look there"])
        #expect(trial.kept.lines.isEmpty)
    }
}
