// SPDX-License-Identifier: Apache-2.0
// From words to an exit code. Everything a verb throws becomes one line on the error stream here.

/// The command as a function.
enum Command {
    /// The version of the product.
    static let version = "0.1.0"

    /// Does what the words ask for and returns the exit code: 0 done, 1 refused or failed, 2 wrong usage.
    static func run(_ words: [String], _ verbs: [Verb], _ session: inout Session) -> Int32 {
        do throws(CommandError) {
            switch try CommandLineParser(verbs: verbs).parse(words) {
            case .help: session.output.line(Help.overview(of: verbs))
            case .helpOf(let verb): session.output.line(Help.details(of: verb))
            case .helpOfGroup(let group): session.output.line(Help.overview(ofGroup: group))
            case .version: session.output.line("secondlook \(version)")
            case .run(let verb, let invocation):
                try verb.run(verb.located(invocation, session), &session)
                if verb.answersByExitCode { return 0 }
            }
            try session.requireWritten()
            return 0
        } catch {
            session.output.endProgress()
            if error != .answeredNo { session.output.errorLine("secondlook: \(Shown.safe(error.description))") }
            return error.exitCode
        }
    }
}
