// SPDX-License-Identifier: Apache-2.0
// What is kept of an enrolment besides its samples, in its row: sealed like the samples, each column for its own purpose; no login reads them.

import Biometrics
import Platform
public import Policy

extension Store {
    /// Adds samples, and what is known of them, to the enrolment of the same label, in one transaction.
    ///
    /// A picture of the new samples takes the place of an older one; the moment of enrolment stays.
    /// - Throws: `badTemplate` when there is no such enrolment, when it does not open, or when it is of another recogniser; `tooMany`; then
    ///   nothing has changed.
    public mutating func extend(
        _ template: Template, extras: EnrolmentExtras = .init(), user: String, uid: UInt32
    ) throws(StoreError) {
        try write { (store) throws(StoreError) in
            let enrolled = try store.templates(of: user, uid: uid)
            let label = template.label
            guard
                let old = enrolled.templates.first(where: {
                    AccountName.isSpelled($0.label, as: label) && $0.model == template.model
                }),
                let id = try store.database.query(
                    "SELECT id FROM enrolments WHERE user=? AND label=?", [Value(user), Value(label)]
                ).first?.first?.integer
            else { throw .badTemplate(user: user, label: label) }
            let samples = old.embeddings + template.embeddings
            guard samples.count <= Store.mostSamples else {
                throw .tooMany("samples in an enrolment", limit: Store.mostSamples)
            }
            var all = try store.extras(id: id, user: user, uid: uid, label: label, model: old.model)
            // Notes stand beside their samples: they go on only where there is one for each so far.
            all.notes = all.notes.count == old.embeddings.count ? all.notes + extras.notes : []
            all.camera = extras.camera ?? all.camera
            all.picture = extras.picture ?? all.picture
            try store.database.query(
                "UPDATE enrolments SET samples=? WHERE id=?", [Value(samples.count), .integer(id)])
            try store.seal(samples, id: id, user: user, uid: uid, label: label, model: old.model)
            try store.seal(all, id: id, user: user, uid: uid, label: label, model: old.model)
        }
    }

    private static let detailsPurpose = "secondlook details 1"
    private static let picturePurpose = "secondlook picture 1"

    /// Opens what is kept besides the samples of one enrolment; nil when there is no such enrolment.
    ///
    /// - Throws: `badTemplate` when it is not exactly as it was sealed.
    public mutating func extras(of user: String, label: String) throws(StoreError) -> EnrolmentExtras? {
        try refreshKeys()
        let rows = try database.query(
            "SELECT id, uid, model FROM enrolments WHERE user=? AND label=?", [Value(user), Value(label)])
        guard let row = rows.first else { return nil }
        guard let id = row[0].integer, let uid = row[1].integer.flatMap(UInt32.init(exactly:)),
            let model = row[2].text
        else { throw .badTemplate(user: user, label: label) }
        return try extras(id: id, user: user, uid: uid, label: label, model: model)
    }

    /// Opens the sealed columns of a row.
    func extras(
        id: Int64, user: String, uid: UInt32, label: String, model: String
    ) throws(StoreError) -> EnrolmentExtras {
        let rows = try database.query("SELECT details, picture FROM enrolments WHERE id=?", [.integer(id)])
        guard let row = rows.first else { throw .badTemplate(user: user, label: label) }
        func opened(_ value: Value, _ purpose: String) throws(StoreError) -> [UInt8]? {
            if value == .null { return nil }
            let binding = Store.binding(
                id: id, user: user, uid: uid, label: label, model: model, purpose: purpose)
            guard let sealed = value.blob, let plain = Cryptography.open(sealed, bound: binding, key: keys.template)
            else { throw .badTemplate(user: user, label: label) }
            return plain
        }
        var extras = EnrolmentExtras()
        if let plain = try opened(row[0], Store.detailsPurpose) {
            guard let details = DetailsBlob.decode(plain) else { throw .badTemplate(user: user, label: label) }
            extras = details
        }
        if let plain = try opened(row[1], Store.picturePurpose) {
            guard let crop = FaceCrop(plain) else { throw .badTemplate(user: user, label: label) }
            extras.picture = crop
        }
        return extras
    }

    /// Seals into the row that is there already, by the key in use.
    func seal(
        _ extras: EnrolmentExtras, id: Int64, user: String, uid: UInt32, label: String, model: String
    ) throws(StoreError) {
        try seal(extras, id: id, user: user, uid: uid, label: label, model: model, by: keys.template)
    }

    /// Seals into the row that is there already.
    func seal(
        _ extras: EnrolmentExtras, id: Int64, user: String, uid: UInt32, label: String, model: String,
        by key: borrowing SecretBytes
    ) throws(StoreError) {
        func binding(_ purpose: String) -> [UInt8] {
            Store.binding(id: id, user: user, uid: uid, label: label, model: model, purpose: purpose)
        }
        var details = Value.null
        if extras.camera != nil || !extras.notes.isEmpty {
            let plain = DetailsBlob.encode(extras)
            details = Value(try Cryptography.seal(plain, bound: binding(Store.detailsPurpose), key: key))
        }
        var picture = Value.null
        if let crop = extras.picture {
            picture = Value(try Cryptography.seal(crop.pixels, bound: binding(Store.picturePurpose), key: key))
        }
        try database.query("UPDATE enrolments SET details=?, picture=? WHERE id=?", [details, picture, .integer(id)])
    }
}
