// SPDX-License-Identifier: Apache-2.0
// Prints the completions of a shell; `make install` puts them where each shell looks.

extension Verbs {
    static let completionVerbs = [
        Verb(
            name: "completions", summary: "Print the completions for a shell: bash, zsh or fish.",
            operands: [Operand(name: "SHELL", isRequired: true)], options: [], run: completions)
    ]

    @Sendable private static func completions(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        guard let shell = CompletionShell(rawValue: typed.operands[0]) else {
            let known = CompletionShell.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("completions: '\(typed.operands[0])' is none of the shells known: \(known)")
        }
        let script = shell.script(all)
        if typed.has("json") {
            session.output.line(JSON.of(["shell": .string(shell.rawValue), "script": .string(script)]).text)
        } else {
            session.output.line(script)
        }
    }
}
