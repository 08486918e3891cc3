// SPDX-License-Identifier: Apache-2.0
// New names for what is enrolled. A seal is bound to user and label, so a new name is a new seal; the samples stay the same.

import Platform
import Policy

/// What a new name of a user did.
public struct RenamedUser: Equatable, Sendable {
    /// Templates that were sealed anew.
    public let templates: Int
    /// Recovery codes that ended: they are bound to the old name and cannot be read.
    public let codesEnded: Int
}

extension Store {
    /// Gives an enrolment another label; false when there is none of the old one.
    ///
    /// - Throws: `labelTaken`, `tooMany` for a label that is too long, `badTemplate`; then nothing has changed.
    public mutating func rename(label: String, of user: String, to new: String) throws(StoreError) -> Bool {
        guard (1...Store.longestLabel).contains(new.utf8.count) else {
            throw .tooMany("bytes in a label", limit: Store.longestLabel)
        }
        return try write { (store) throws(StoreError) in
            try store.refreshKeys()
            let rows = try store.names(of: user)
            guard let row = rows.first(where: { AccountName.isSpelled($0.label, as: label) }) else { return false }
            guard !rows.contains(where: { AccountName.isSpelled($0.label, as: new) }) else {
                throw .labelTaken(user: user, label: new)
            }
            try store.reseal(row, user: user, label: label, newUser: user, newLabel: new)
            return true
        }
    }

    /// Gives everything of a user to the name that the same person has now (`usermod --login`): templates and tally; recovery codes end.
    ///
    /// - Parameter uid: the number of the new name; templates made for another number are not given to it.
    /// - Throws: `userTaken` when something is enrolled under the new name, `otherNumber`, `badTemplate`; then nothing has changed.
    public mutating func rename(user: String, to new: String, uid: UInt32) throws(StoreError) -> RenamedUser {
        try write { (store) throws(StoreError) in
            try store.refreshKeys()
            guard try !store.isEnrolled(new) else { throw .userTaken(new) }
            let rows = try store.names(of: user)
            for row in rows {
                guard row.uid == uid else { throw .otherNumber(user: new, uid: uid, enrolled: row.uid) }
                try store.reseal(row, user: user, label: row.label, newUser: new, newLabel: row.label)
            }
            let (old, present) = (try store.tally(of: user), try store.tally(of: new))
            // A new name must not be a way around a lock.
            let strictest = present.strictest(old)
            if strictest != present { try store.write(strictest, of: new) }
            try store.database.query("DELETE FROM tallies WHERE user=?", [Value(user)])
            let codes = try store.database.change("DELETE FROM recovery WHERE user=?", [Value(user)])
            return RenamedUser(templates: rows.count, codesEnded: codes)
        }
    }

    /// What names an enrolment.
    private struct Named {
        let id: Int64
        let uid: UInt32
        let label: String
        let model: String
        let sealed: [UInt8]
    }

    private func names(of user: String) throws(StoreError) -> [Named] {
        let rows = try database.query(
            "SELECT id, uid, label, model, sealed FROM enrolments WHERE user=? ORDER BY id", [Value(user)])
        return try rows.map { (row) throws(StoreError) in
            guard let id = row[0].integer, let uid = row[1].integer.flatMap(UInt32.init(exactly:)),
                let label = row[2].text, let model = row[3].text, let sealed = row[4].blob
            else { throw .damaged("an enrolment has a column of the wrong type") }
            return Named(id: id, uid: uid, label: label, model: model, sealed: sealed)
        }
    }

    private func reseal(
        _ row: Named, user: String, label: String, newUser: String, newLabel: String
    ) throws(StoreError) {
        let kept = try extras(id: row.id, user: user, uid: row.uid, label: label, model: row.model)
        let old = Store.binding(id: row.id, user: user, uid: row.uid, label: label, model: row.model)
        guard var plain = Cryptography.open(row.sealed, bound: old, key: keys.template) else {
            throw .badTemplate(user: user, label: label)
        }
        defer { SecretBytes.wipe(&plain) }
        let binding = Store.binding(id: row.id, user: newUser, uid: row.uid, label: newLabel, model: row.model)
        let sealed = try Cryptography.seal(plain, bound: binding, key: keys.template)
        try database.query(
            "UPDATE enrolments SET user=?, label=?, sealed=? WHERE id=?",
            [Value(newUser), Value(newLabel), Value(sealed), .integer(row.id)])
        try seal(kept, id: row.id, user: newUser, uid: row.uid, label: newLabel, model: row.model)
    }
}
