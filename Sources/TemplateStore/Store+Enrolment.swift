// SPDX-License-Identifier: Apache-2.0
// Templates, sealed. A seal is bound to user, user number, label, model and row, so that a row copied to another user, or changed in
// any column, does not open. An enrolment is one transaction: it is there as a whole or not at all.

import Biometrics
import Platform
public import Policy

/// What the store says of an enrolment without opening it.
public struct EnrolmentSummary: Equatable, Sendable {
    /// The user's name.
    public let user: String
    /// The user's number when it was made.
    public let uid: UInt32
    /// What the user calls it.
    public let label: String
    /// Milliseconds since 1970.
    public let created: Int64
    /// SHA-256 of the recogniser's file.
    public let model: String
    /// How many samples it has.
    public let samples: Int
}

extension Store {
    /// The most enrolments of one user.
    public static let mostEnrolments = 16
    /// The most samples of one enrolment.
    public static let mostSamples = TemplateBlob.mostSamples
    /// The longest label, in bytes.
    public static let longestLabel = 64

    /// All enrolments, or those of one user, by user and label.
    ///
    /// Nothing is opened.
    public func summaries(of user: String? = nil) throws(StoreError) -> [EnrolmentSummary] {
        let columns = "SELECT user, uid, label, created, model, samples FROM enrolments"
        let rows =
            if let user {
                try database.query(columns + " WHERE user=? ORDER BY label", [Value(user)])
            } else {
                try database.query(columns + " ORDER BY user, label")
            }
        return try rows.map { (row) throws(StoreError) in
            guard let user = row[0].text, let uid = row[1].integer, let label = row[2].text,
                let created = row[3].integer, let model = row[4].text, let samples = row[5].integer
            else { throw .damaged("an enrolment has a column of the wrong type") }
            return EnrolmentSummary(
                user: user, uid: UInt32(truncatingIfNeeded: uid), label: label, created: created, model: model,
                samples: Int(samples))
        }
    }

    /// Whether a user has an enrolment.
    ///
    /// Reads no key and opens no seal.
    public func isEnrolled(_ user: String) throws(StoreError) -> Bool {
        try !database.query("SELECT 1 FROM enrolments WHERE user=? LIMIT 1", [Value(user)]).isEmpty
    }

    /// Opens everything that is enrolled for a user; no templates when there is nothing.
    ///
    /// - Throws: `badTemplate` when one of them is not exactly as it was sealed for this user under this number: one bad template is a
    ///   fault, never a smaller set.
    public mutating func templates(of user: String, uid: UInt32) throws(StoreError) -> EnrolledUser {
        try refreshKeys()
        let rows = try database.query(
            "SELECT id, label, model, samples, sealed FROM enrolments WHERE user=? ORDER BY id", [Value(user)])
        var templates: [Template] = []
        for row in rows {
            guard let id = row[0].integer, let label = row[1].text, let model = row[2].text,
                let samples = row[3].integer, let sealed = row[4].blob
            else { throw .badTemplate(user: user, label: row[1].text ?? "") }
            let binding = Store.binding(id: id, user: user, uid: uid, label: label, model: model)
            guard var plain = Cryptography.open(sealed, bound: binding, key: keys.template),
                let embeddings = TemplateBlob.decode(plain), embeddings.count == Int(samples)
            else { throw .badTemplate(user: user, label: label) }
            SecretBytes.wipe(&plain)
            templates.append(Template(label: label, embeddings: embeddings, model: model))
        }
        return EnrolledUser(name: user, templates: templates)
    }

    /// Seals and writes an enrolment in one transaction.
    ///
    /// - Parameters:
    ///   - extras: what else is kept of it.
    ///   - replacing: an enrolment of the same label gives way; without it `labelTaken` is thrown.
    ///   - time: milliseconds since 1970.
    /// - Throws: `tooMany`, `labelTaken`, `database`; then nothing has changed.
    public mutating func enrol(
        _ template: Template, extras: EnrolmentExtras = .init(), user: String, uid: UInt32, replacing: Bool,
        at time: Int64
    ) throws(StoreError) {
        try write { (store) throws(StoreError) in
            try store.refreshKeys()
            if replacing {
                try store.database.query(
                    "DELETE FROM enrolments WHERE user=? AND label=?", [Value(user), Value(template.label)])
            }
            try store.insert(template, extras: extras, user: user, uid: uid, at: time)
        }
    }

    /// Seals and writes an enrolment inside a transaction.
    func insert(
        _ template: Template, extras: EnrolmentExtras, user: String, uid: UInt32, at time: Int64
    ) throws(StoreError) {
        guard (1...Store.mostSamples).contains(template.embeddings.count) else {
            throw .tooMany("samples in an enrolment", limit: Store.mostSamples)
        }
        guard (1...Store.longestLabel).contains(template.label.utf8.count) else {
            throw .tooMany("bytes in a label", limit: Store.longestLabel)
        }
        let label = Value(template.label)
        let present = try database.query(
            "SELECT count(*), coalesce(sum(label=?2), 0) FROM enrolments WHERE user=?1", [Value(user), label])
        guard present.first?[1].integer == 0 else { throw .labelTaken(user: user, label: template.label) }
        guard let count = present.first?[0].integer, count < Store.mostEnrolments else {
            throw .tooMany("enrolments of '\(user)'", limit: Store.mostEnrolments)
        }
        let inserted = try database.query(
            """
            INSERT INTO enrolments(user, uid, label, created, model, samples, sealed) VALUES(?, ?, ?, ?, ?, ?, ?)
            RETURNING id
            """,
            [
                Value(user), .integer(Int64(uid)), label, .integer(time), Value(template.model),
                Value(template.embeddings.count), Value([UInt8]()),
            ])
        guard let id = inserted.first?.first?.integer else { throw .damaged("an enrolment got no number") }
        try seal(template.embeddings, id: id, user: user, uid: uid, label: template.label, model: template.model)
        try seal(extras, id: id, user: user, uid: uid, label: template.label, model: template.model)
    }

    /// Removes one enrolment, or all of a user's; the number of those that were there.
    @discardableResult
    public mutating func remove(user: String, label: String? = nil) throws(StoreError) -> Int {
        try write { (store) throws(StoreError) in
            if let label {
                return try store.database.change(
                    "DELETE FROM enrolments WHERE user=? AND label=?", [Value(user), Value(label)])
            }
            return try store.database.change("DELETE FROM enrolments WHERE user=?", [Value(user)])
        }
    }

    /// Seals samples into the row that is there already.
    func seal(
        _ embeddings: [Embedding], id: Int64, user: String, uid: UInt32, label: String, model: String
    ) throws(StoreError) {
        var plain = TemplateBlob.encode(embeddings)
        defer { SecretBytes.wipe(&plain) }
        let binding = Store.binding(id: id, user: user, uid: uid, label: label, model: model)
        let sealed = try Cryptography.seal(plain, bound: binding, key: keys.template)
        try database.query("UPDATE enrolments SET sealed=? WHERE id=?", [Value(sealed), .integer(id)])
    }

    /// What a seal in the row is bound to; `purpose` keeps the columns apart.
    static func binding(
        id: Int64, user: String, uid: UInt32, label: String, model: String, purpose: String = "secondlook template 1"
    ) -> [UInt8] {
        var binding = Canonical(purpose)
        binding.add(UInt64(bitPattern: id))
        binding.add(user)
        binding.add(UInt64(uid))
        binding.add(label)
        binding.add(model)
        return binding.bytes
    }

    /// A transaction whose body may change the store's keys.
    mutating func write<Result>(_ body: (inout Store) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try database.query("BEGIN IMMEDIATE")
        do throws(StoreError) {
            let result = try body(&self)
            try database.query("COMMIT")
            return result
        } catch {
            // SQLite may have rolled back by itself (a full disk); then this says so and that is no further fault.
            _ = try? database.query("ROLLBACK")
            throw error
        }
    }
}
