// SPDX-License-Identifier: Apache-2.0
// What can go wrong between this process and the system, worded once.

import CLinux

/// A fault of the system or of a file that is not as it must be.
public enum PlatformError: Error, Equatable, CustomStringConvertible, Sendable {
    /// A call failed: what was tried ("open", "send"), on what (a path, or empty), and the positive errno.
    case system(action: String, subject: String, code: Int32)
    /// The deadline came first; what was waited for.
    case timedOut(String)
    /// A file or folder that others could have changed, or of the wrong kind.
    case unsafeFile(path: String, problem: String)
    /// A file with more bytes than it may have.
    case tooLarge(path: String, limit: Int)
    /// The other end did what it must not.
    case protocolBroken(String)

    /// One line without a full stop.
    public var description: String {
        switch self {
        case .system(let action, let subject, let code):
            "cannot \(action)\(subject.isEmpty ? "" : " '\(subject)'"): \(PlatformError.text(of: code))"
        case .timedOut(let what): "\(what) timed out"
        case .unsafeFile(let path, let problem): "'\(path)' \(problem)"
        case .tooLarge(let path, let limit): "'\(path)' has more than \(limit) bytes"
        case .protocolBroken(let what): what
        }
    }

    /// The errno of a failed call, or nil.
    public var code: Int32? {
        if case .system(_, _, let code) = self { code } else { nil }
    }

    /// The name does not exist (ENOENT, ENOTDIR).
    public var isMissing: Bool { code == 2 || code == 20 }
    /// Nobody reads the other end any more (EPIPE).
    public var isBrokenPipe: Bool { code == 32 }
    /// Others could have changed it, or it is of the wrong kind.
    public var isUnsafe: Bool { if case .unsafeFile = self { true } else { false } }
    /// Another program holds the thing (EBUSY, EAGAIN).
    public var isBusy: Bool { code == 16 || code == 11 }
    /// Access was denied (EACCES, EPERM).
    public var isDenied: Bool { code == 13 || code == 1 }

    private static func text(of code: Int32) -> String {
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
            unsafe room.initialize(repeating: 0)
            // SAFETY: the C side writes at most `size` bytes and ends them with a NUL.
            unsafe clinux_describe_error(code, room.baseAddress, room.count)
            return unsafe String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return text.isEmpty ? "error \(code)" : text.prefix(1).lowercased() + text.dropFirst()
    }
}

/// Turns a negative errno into an error.
@discardableResult
func check<T: SignedInteger>(
    _ result: T, _ action: @autoclosure () -> String, _ subject: @autoclosure () -> String = ""
) throws(PlatformError) -> T {
    guard result >= 0 else { throw .system(action: action(), subject: subject(), code: Int32(-Int64(result))) }
    return result
}
