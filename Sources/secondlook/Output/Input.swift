// SPDX-License-Identifier: Apache-2.0
// What somebody types while a verb runs: answers to questions, and a password that is not shown. Tests put a list of answers in its place.

import Platform

/// The person at the keyboard.
protocol Input {
    /// Whether somebody can be asked: what is typed and what is shown are both a terminal.
    var isTerminal: Bool { get }
    /// The next line without its end; nil when nothing more will come.
    func line() throws(PlatformError) -> String?
    /// A line that is not shown.
    func hidden(_ prompt: String) throws(PlatformError) -> SecretBytes
}

/// Nobody: what a session has that was given nothing else.
struct NoInput: Input {
    var isTerminal: Bool { false }
    func line() throws(PlatformError) -> String? { nil }
    func hidden(_ prompt: String) throws(PlatformError) -> SecretBytes { throw .protocolBroken("nobody can be asked") }
}

/// Standard input; it stays open for the life of the process.
final class Keyboard: Input {
    private let descriptor = Descriptor(owning: 0)
    let isTerminal: Bool

    init() {
        // The error stream shows the questions; it belongs to the output.
        let shown = Descriptor(owning: 2)
        isTerminal = descriptor.isTerminal && shown.isTerminal
        _ = shown.take()
    }

    func line() throws(PlatformError) -> String? { try TypedLine.read(from: descriptor) }

    func hidden(_ prompt: String) throws(PlatformError) -> SecretBytes { try HiddenInput.typed(prompt: prompt) }
}
