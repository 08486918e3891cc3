// SPDX-License-Identifier: Apache-2.0
// One row of the verb table. The parser, the help texts and the tests of the manual page all read this row, so that none can differ.

/// Something named by its place: `USER`.
struct Operand: Sendable, Equatable {
    /// As the help shows it.
    let name: String
    /// Whether it must be given.
    let isRequired: Bool
}

/// Something named by a word: `--label L`.
struct Option: Sendable, Equatable {
    /// How many values follow the word.
    enum Values: Sendable, Equatable {
        /// None: it is there or not.
        case none
        /// One, shown in the help by this name.
        case one(String)
        /// One or more, up to the next option.
        case many(String)
    }

    /// Without the dashes.
    let name: String
    /// What follows it.
    let values: Values
    /// What it does.
    let help: String
    /// Whether it must be given; the verb says so by itself.
    var isRequired = false
}

/// One thing the command can do.
struct Verb: Sendable {
    /// One or two words: `enroll`, `config show`.
    let name: String
    /// One line.
    let summary: String
    /// In their order.
    let operands: [Operand]
    /// Without the two that every verb has, `--json` and `--help`.
    let options: [Option]
    /// Its answer is its exit code alone, which then says nothing of what could be written.
    var answersByExitCode = false
    /// Does it; a refusal or a failure is thrown.
    let run: @Sendable (Invocation, inout Session) throws(CommandError) -> Void

    /// The options that every verb has.
    static let common = [
        Option(name: "json", values: .none, help: "print JSON"),
        Option(name: "help", values: .none, help: "show this help"),
    ]

    /// What was typed, with files and folders named from the root on: the process works in `/`, and nobody types from there.
    func located(_ typed: Invocation, _ session: Session) -> Invocation {
        var typed = typed
        for option in options {
            switch option.values {
            case .one(let name) where name.hasPrefix("FILE") || name == "DIR",
                .many(let name) where name.hasPrefix("FILE") || name == "DIR":
                typed.options[option.name] = typed.options[option.name]?.map(session.absolute)
            default: continue
            }
        }
        return typed
    }

    /// All options the parser accepts for this verb.
    var allOptions: [Option] { options + Verb.common }
}

/// What was typed, after the parser has found nothing wrong with it.
struct Invocation: Sendable, Equatable {
    /// Operands in their order.
    var operands: [String] = []
    /// Values by the name of their option; an option without values has an empty list.
    var options: [String: [String]] = [:]

    /// Whether the option was given.
    func has(_ name: String) -> Bool { options[name] != nil }
    /// The (last) value of an option.
    func value(_ name: String) -> String? { options[name]?.last }
    /// All values of an option.
    func values(_ name: String) -> [String] { options[name] ?? [] }
}
