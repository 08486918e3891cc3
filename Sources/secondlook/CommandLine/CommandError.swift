// SPDX-License-Identifier: Apache-2.0
// How a verb can end otherwise than well, and with which exit code. Every error is one line: what, where, what to do.

/// The end of a verb that was not done.
enum CommandError: Error, Equatable, CustomStringConvertible {
    /// What was typed makes no sense: exit code 2.
    case usage(String)
    /// It was refused or it failed: exit code 1.
    case failed(String)
    /// The verb has already said everything; its answer is no: exit code 1.
    case answeredNo

    /// The exit code that says the same.
    var exitCode: Int32 {
        switch self {
        case .usage: 2
        case .failed, .answeredNo: 1
        }
    }

    /// One line.
    var description: String {
        switch self {
        case .usage(let text), .failed(let text): text
        case .answeredNo: ""
        }
    }
}
