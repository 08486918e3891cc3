// SPDX-License-Identifier: Apache-2.0
// Why bytes were not a message. Any of these ends the conversation; the end is a refusal.

/// A fault in a frame or its payload.
public enum WireError: Error, Equatable, CustomStringConvertible {
    /// The first byte is not the version this code speaks.
    case version(UInt8)
    /// A type that does not exist, or that this end does not receive.
    case type(UInt8)
    /// A payload longer than its type allows.
    case length(type: UInt8, length: Int, limit: Int)
    /// The payload ended before the message did.
    case short
    /// Bytes were left over after the message.
    case trailing(Int)
    /// A text that is not UTF-8 or has a NUL.
    case text
    /// A number outside its range.
    case range(String)

    /// One line without a full stop.
    public var description: String {
        switch self {
        case .version(let version): "unknown protocol version \(version)"
        case .type(let type): "unexpected message type \(type)"
        case .length(let type, let length, let limit): "message \(type) of \(length) bytes exceeds \(limit)"
        case .short: "message ends early"
        case .trailing(let count): "\(count) bytes after the message"
        case .text: "text is not UTF-8 without NUL"
        case .range(let field): "\(field) out of range"
        }
    }
}
