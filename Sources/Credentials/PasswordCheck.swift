// SPDX-License-Identifier: Apache-2.0
// Is this the user's password? All schemes of the system's libcrypt; a user without an entry costs the same time as one with.

import CCrypt
public import Platform

/// The answer to a password.
public enum PasswordOutcome: Equatable, Sendable {
    /// It is the password, and the account is in order.
    case right
    /// It is not.
    case wrong
    /// The account's password is locked ('!' or '*').
    case locked
    /// The account has no password; it is never accepted here.
    case empty
    /// The account or its password has expired.
    case expired
}

/// Checks passwords; a protocol so that sessions can be tested without an /etc/shadow.
public protocol PasswordChecking: Sendable {
    /// Checks a password.
    ///
    /// - Parameters:
    ///   - password: as typed, at most 1,024 bytes.
    ///   - user: the name as the name service spells it.
    ///   - time: milliseconds since 1970, for expiry.
    func check(_ password: borrowing SecretBytes, of user: String, at time: Int64) throws(CredentialsError)
        -> PasswordOutcome
}

/// The system's own passwords.
public struct SystemPasswords: PasswordChecking {
    /// The system's own passwords.
    public init() {}

    /// Checks a password against the user's shadow entry.
    ///
    /// The hash is computed also for a user without an entry or with a locked one, with a salt of the system's preferred scheme, so that
    /// time does not tell. An expired or locked account is told from a wrong password in the record only, and only to
    /// someone who gave the right password: else the answer is `wrong`, `locked` or `empty`.
    public func check(
        _ password: borrowing SecretBytes, of user: String, at time: Int64
    ) throws(CredentialsError) -> PasswordOutcome {
        let entry = try ShadowEntry.find(user)
        let today = Int(time / 86_400_000)
        guard let entry else {
            SystemPasswords.waste(password)
            return .locked
        }
        return try SystemPasswords.judge(password, entry, today: today)
    }

    static func judge(
        _ password: borrowing SecretBytes, _ entry: ShadowEntry, today: Int
    ) throws(CredentialsError) -> PasswordOutcome {
        let standing = entry.standing(today: today)
        if standing == .locked || standing == .empty {
            waste(password)
            return standing ?? .locked
        }
        let hash = entry.hash
        let result = unsafe password.withBytes { bytes in
            // SAFETY: pointer and count of the secret, a text; both lent for the call.
            unsafe ccrypt_check(bytes.baseAddress, bytes.count, hash)
        }
        switch result {
        case 1: return standing ?? .right
        case 0: return .wrong
        default: throw .scheme(prefix: String(hash.prefix(3)))
        }
    }

    /// Takes as long as a check.
    private static func waste(_ password: borrowing SecretBytes) {
        var salt = [CChar](repeating: 0, count: 256)
        unsafe password.withBytes { bytes in
            // SAFETY: `salt` has the room that is told, the rest as above; the result is of no interest.
            if unsafe ccrypt_make_salt(&salt, salt.count) == 0 {
                _ = unsafe ccrypt_check(bytes.baseAddress, bytes.count, salt)
            }
        }
    }
}
