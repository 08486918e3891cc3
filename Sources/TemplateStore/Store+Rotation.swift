// SPDX-License-Identifier: Apache-2.0
// Changing the key. The key file first holds the old and the new key, then one transaction seals everything anew and names the new key,
// then the old one leaves the file. Whenever this stops, the file has the key that the database names.

import Platform

extension Store {
    /// Seals everything by a fresh key; the number of templates that were sealed anew.
    ///
    /// - Throws: `keyNotOurs` when the key is a systemd credential; `badTemplate` when a template does not open: then nothing has changed.
    @discardableResult
    public mutating func rotateKey() throws(StoreError) -> Int {
        let lock = try platform { () throws(PlatformError) in try SafeFile.openFolder(folder, as: .privateFile) }
        try platform { () throws(PlatformError) in try SafeFile.lock(lock, path: folder) }
        defer { _ = lock.raw }
        try refreshKeys()
        let old = try Store.readKeyFile(folder: folder, keyFolder: keyFolder)
        guard old.isOurs else { throw .keyNotOurs(path: old.path) }
        let fresh = try KeyFile(fresh: old.path)
        guard let number = fresh.numbers.first else { throw .badKey(path: old.path) }
        // A file with two keys is one that an interrupted change left; only the one in use goes on.
        try old.write(only: keys.number, adding: fresh)
        let resealed = try write { (store) throws(StoreError) in
            try store.reseal(from: old, to: fresh, number: number)
        }
        try fresh.write()
        return resealed
    }

    private mutating func reseal(
        from old: borrowing KeyFile, to fresh: borrowing KeyFile, number: String
    ) throws(StoreError) -> Int {
        let rows = try database.query("SELECT id, user, uid, label, model FROM enrolments ORDER BY id")
        var opened: [(id: Int64, user: String, uid: UInt32, label: String, model: String, plain: [UInt8])] = []
        var extras: [EnrolmentExtras] = []
        for row in rows {
            guard let id = row[0].integer, let user = row[1].text,
                let uid = row[2].integer.flatMap(UInt32.init(exactly:)),
                let label = row[3].text, let model = row[4].text
            else { throw .damaged("an enrolment has a column of the wrong type") }
            let sealed = try database.query("SELECT sealed FROM enrolments WHERE id=?", [.integer(id)]).first?.first?
                .blob
            let binding = Store.binding(id: id, user: user, uid: uid, label: label, model: model)
            guard let sealed, let plain = Cryptography.open(sealed, bound: binding, key: keys.template) else {
                throw .badTemplate(user: user, label: label)
            }
            opened.append((id, user, uid, label, model, plain))
            extras.append(try self.extras(id: id, user: user, uid: uid, label: label, model: model))
        }
        // SAFETY: the bytes are copied while they are lent, and the copy is wiped below.
        var inner = unsafe keys.chain.withBytes { unsafe Array($0) } + keys.recovery.withBytes { unsafe Array($0) }
        defer { SecretBytes.wipe(&inner) }
        try Store.writeVault(inner, sealedBy: fresh, number: number, in: database)
        let template = try fresh.withKey(number) { (master) throws(StoreError) in
            try Cryptography.derive("secondlook template key", from: master)
        }
        guard let template else { throw .badKey(path: fresh.path) }
        for (var row, extra) in zip(opened, extras) {
            let binding = Store.binding(id: row.id, user: row.user, uid: row.uid, label: row.label, model: row.model)
            let sealed = try Cryptography.seal(row.plain, bound: binding, key: template)
            try database.query("UPDATE enrolments SET sealed=? WHERE id=?", [Value(sealed), .integer(row.id)])
            SecretBytes.wipe(&row.plain)
            try seal(extra, id: row.id, user: row.user, uid: row.uid, label: row.label, model: row.model, by: template)
        }
        keys = try Store.unlock(database, folder: folder, keyFolder: keyFolder, creating: false)
        return opened.count
    }
}
