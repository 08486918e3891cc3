// SPDX-License-Identifier: Apache-2.0
// A session whose output is kept instead of printed.

@testable import secondlook

/// Keeps what a verb writes.
final class Kept: Output {
    var lines: [String] = []
    var errors: [String] = []
    var isTerminal = false
    /// Lines of the answer that can still be written.
    var room = Int.max
    private(set) var fault: OutputFault?

    func line(_ text: String) {
        guard room > 0 else {
            fault = .failed("cannot write 'standard output': no space left on device")
            return
        }
        room -= 1
        lines.append(text)
    }
    func errorLine(_ text: String) { errors.append(text) }
    func progress(_ text: String) {}
    func endProgress() {}
}

/// A run of the command in folders of the test.
struct Trial {
    let kept = Kept()
    var caller = Caller(isRoot: true, sudoUser: nil, ownUser: "root")
    var paths = Paths(libexec: "/nonexistent")

    /// The exit code of one command line.
    func run(_ words: String..., verbs: [Verb] = Verbs.all) -> Int32 {
        var session = Session(output: kept, caller: caller, paths: paths)
        return Command.run(words, verbs, &session)
    }
}
