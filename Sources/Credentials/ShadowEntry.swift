// SPDX-License-Identifier: Apache-2.0
// The shadow entry of a user as values: what it says of the account is arithmetic that needs no system call.

import CCrypt

/// What /etc/shadow (or another source of the name service) says of a user's password.
///
/// The hash stays inside this module.
struct ShadowEntry: Equatable {
    /// The field as it is stored.
    var hash: String
    /// Day of the last change since 1970; 0 demands a change at the next login, -1 is not set.
    var lastChange = -1
    /// Days after which the password has to be changed; -1 or 99,999 never.
    var longestAge = -1
    /// Days after that in which it still can be; -1 for ever.
    var inactive = -1
    /// Day from which the account is expired; -1 never.
    var expires = -1

    /// The entry of a user; nil when there is none.
    static func find(_ name: String) throws(CredentialsError) -> ShadowEntry? {
        var shadow = ccrypt_shadow()
        // SAFETY: a text and a structure lent for the call; the structure is wiped before it goes.
        let result = unsafe ccrypt_find_shadow(name, &shadow)
        defer { unsafe ccrypt_wipe(&shadow) }
        guard result >= 0 else { throw .shadow(code: -result) }
        guard result == 1 else { return nil }
        let hash = unsafe withUnsafeBytes(of: &shadow.hash) { bytes in
            // SAFETY: the array of the structure, which is alive; the C side ended it with a NUL.
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return ShadowEntry(
            hash: hash, lastChange: shadow.last_change, longestAge: shadow.longest_age, inactive: shadow.inactive,
            expires: shadow.expires)
    }

    /// What the entry says without a password; nil when the password decides.
    func standing(today: Int) -> PasswordOutcome? {
        if hash.isEmpty { return .empty }
        // passwd -l and usermod -L put a '!' before the hash; system accounts have '*', '!', '!!', '*LK*'.
        if hash.hasPrefix("!") || hash.hasPrefix("*") { return .locked }
        if expires >= 0, today >= expires { return .expired }
        // 0: the administrator demands a new password first, which this factor cannot take.
        if lastChange == 0 { return .expired }
        if lastChange > 0, longestAge >= 0, longestAge < 99_999, today > lastChange + longestAge {
            // The password is too old. Within the days of grace login(1) lets the person change it; that is the business of
            // pam_unix's account phase, so here it still counts. After them it does not.
            if inactive >= 0, today > lastChange + longestAge + inactive { return .expired }
        }
        return nil
    }
}
