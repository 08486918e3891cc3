// SPDX-License-Identifier: Apache-2.0
// What ends a worker. What the helper is to know of a camera or a picture is not here: that is a reply, and the worker lives on.

/// Why the worker cannot go on.
public enum WorkerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The command line is not what the helper sends.
    case usage(String)
    /// The helper's messages make no sense, or it does not read the answers.
    case conversation(String)
    /// A network or the inference library, with Vision's words.
    case model(String)
    /// A wall could not be built, with Platform's words.
    case sandbox(String)

    /// One line without a full stop.
    public var description: String {
        switch self {
        case .usage(let words): "wrong command line: \(words)"
        case .conversation(let words): "broken conversation: \(words)"
        case .model(let words): words
        case .sandbox(let words): "cannot build the sandbox: \(words)"
        }
    }
}
