// SPDX-License-Identifier: Apache-2.0
// Enrolments leave the store opened and come back sealed anew: for this store's key, this machine's user numbers and the row they get.
// Coming back is one transaction.

import Platform
import Policy

extension Store {
    /// Everything that is enrolled, or that of one user, opened.
    ///
    /// - Throws: `badTemplate` when one does not open: a backup that silently lacks one is none.
    public mutating func saved(of user: String? = nil) throws(StoreError) -> [SavedEnrolment] {
        var saved: [SavedEnrolment] = []
        for summary in try summaries(of: user) {
            let enrolled = try templates(of: summary.user, uid: summary.uid).templates
            guard let template = enrolled.first(where: { AccountName.isSpelled($0.label, as: summary.label) }) else {
                throw .badTemplate(user: summary.user, label: summary.label)
            }
            saved.append(
                SavedEnrolment(
                    user: summary.user, uid: summary.uid, created: summary.created, template: template,
                    extras: try extras(of: summary.user, label: summary.label) ?? .init()))
        }
        return saved
    }

    /// Writes enrolments in one transaction: all of them or none.
    ///
    /// - Parameter replacing: what these users have enrolled gives way, whatever its labels; without it `userTaken` is thrown.
    /// - Throws: `userTaken`, `labelTaken`, `tooMany`, `database`; then nothing has changed.
    public mutating func restore(_ enrolments: [SavedEnrolment], replacing: Bool) throws(StoreError) {
        try write { (store) throws(StoreError) in
            try store.refreshKeys()
            for user in enrolments.map(\.user) {
                if replacing {
                    try store.database.query("DELETE FROM enrolments WHERE user=?", [Value(user)])
                } else if try store.isEnrolled(user) {
                    throw .userTaken(user)
                }
            }
            for enrolment in enrolments {
                try store.insert(
                    enrolment.template, extras: enrolment.extras, user: enrolment.user, uid: enrolment.uid,
                    at: enrolment.created)
            }
        }
    }
}
