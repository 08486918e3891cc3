// SPDX-License-Identifier: Apache-2.0
// Why the store could not be opened, read or written. For a login each of these is a refusal.

public import Platform

/// A fault of the store.
public enum StoreError: Error, Equatable, CustomStringConvertible, Sendable {
    /// A file or folder of the store is missing, of the wrong owner or mode, or cannot be used.
    case file(PlatformError)
    /// SQLite refused: what was tried, its result code, its words.
    case database(action: String, code: Int32, text: String)
    /// The store was written by a newer version.
    case newerSchema(found: Int, known: Int)
    /// The store's content is not what this code wrote.
    case damaged(String)
    /// There is a store, but no key file for it.
    case keyMissing(path: String)
    /// The key file is malformed, or has no key for this store.
    case badKey(path: String)
    /// A template that does not open with the key: changed, copied from another user or row, or sealed by another key.
    case badTemplate(user: String, label: String)
    /// A label that the user already has.
    case labelTaken(user: String, label: String)
    /// A user for whom something is enrolled already.
    case userTaken(String)
    /// Templates that were made for another user number than the one of the new name.
    case otherNumber(user: String, uid: UInt32, enrolled: UInt32)
    /// A backup file that is not as `Backup.seal` wrote it, or another passphrase.
    case backup(BackupFault)
    /// More than the limit: what, and the limit.
    case tooMany(String, limit: Int)
    /// The key comes from a place that this command cannot change.
    case keyNotOurs(path: String)
    /// The cryptographic library did not start.
    case cryptography

    /// One line without a full stop.
    public var description: String {
        switch self {
        case .file(let error): error.description
        case .database(let action, let code, let text): "cannot \(action) the store: \(text) (\(code))"
        case .newerSchema(let found, let known):
            "the store has schema \(found), this version knows \(known): install the newer version again"
        case .damaged(let what): "the store is damaged: \(what)"
        case .keyMissing(let path): "the store's key '\(path)' is missing"
        case .badKey(let path): "'\(path)' is not the key of this store"
        case .badTemplate(let user, let label):
            "the template '\(label)' of '\(user)' cannot be opened: remove it and enrol again"
        case .labelTaken(let user, let label): "'\(user)' already has a template '\(label)'"
        case .userTaken(let user): "'\(user)' is enrolled already"
        case .otherNumber(let user, let uid, let enrolled):
            "'\(user)' has the number \(uid), its templates were made for \(enrolled): enrol again"
        case .backup(let fault): fault.description
        case .tooMany(let what, let limit): "more than \(limit) \(what)"
        case .keyNotOurs(let path): "the key '\(path)' is provided by the system: change it there"
        case .cryptography: "the cryptographic library did not start"
        }
    }

    /// True when the store could not be written for want of room (SQLITE_FULL, ENOSPC).
    public var isFull: Bool {
        switch self {
        case .database(_, let code, _): code & 0xFF == 13
        case .file(let error): error.code == 28
        default: false
        }
    }
}
