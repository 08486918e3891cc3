// SPDX-License-Identifier: Apache-2.0
// Faults of the password check; whether the password is right is no fault but an outcome.

/// The check could not be made.
public enum CredentialsError: Error, Equatable, CustomStringConvertible, Sendable {
    /// The shadow entry could not be read: the errno's number.
    case shadow(code: Int32)
    /// The hash is of a scheme that this system's libcrypt does not know, or is malformed.
    case scheme(prefix: String)

    /// One line without a full stop.
    public var description: String {
        switch self {
        case .shadow(let code): "cannot read the shadow entry: error \(code)"
        case .scheme(let prefix): "unknown password hash '\(prefix)'"
        }
    }
}
