// SPDX-License-Identifier: Apache-2.0
// Everything Second Look remembers: who is enrolled (sealed), who failed how often, what was tried, and recovery codes. One folder that
// only root may enter, with one database and one key. If it cannot be opened or written, nobody passes.

import Platform

/// The open store.
///
/// Layout of the folder (0700, root): `secondlook.db` (0600) and `key` (0600). Where the folder has no `key`, the one in `keyFolder`
/// counts: there a unit may put a systemd credential at boot.
public struct Store: ~Copyable {
    /// Where the installed programs keep it.
    public static let standardFolder = "/var/lib/secondlook"
    /// Where a unit puts a systemd credential.
    public static let credentialFolder = "/run/secondlook"
    static let databaseName = "secondlook.db"

    let folder: String
    let keyFolder: String
    let database: Database
    var keys: Keys

    /// The keys in use, and the number of the one that seals them.
    struct Keys: ~Copyable {
        let number: String
        let template: SecretBytes
        let chain: SecretBytes
        let recovery: SecretBytes
    }

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - folder: absolute path.
    ///   - keyFolder: where to look for the key when the folder has none.
    ///   - creating: makes the folder, the key and the database where they are missing. A database without its key is never given a new one.
    ///   - patience: how long another writer is waited for, in milliseconds.
    /// - Throws: `file` (missing, or of the wrong owner or mode), `newerSchema`, `keyMissing`, `badKey`, `database`, `damaged`.
    public init(
        folder: String = standardFolder, keyFolder: String = credentialFolder, creating: Bool, patience: Int32 = 3000
    ) throws(StoreError) {
        try Cryptography.start()
        if creating, !SafeFile.exists(folder) {
            try platform { () throws(PlatformError) in try SafeFile.makeFolder(folder) }
        }
        let opened = try platform { () throws(PlatformError) in try SafeFile.openFolder(folder, as: .privateFile) }
        _ = opened.raw
        let path = folder + "/" + Store.databaseName
        if !SafeFile.exists(path) {
            guard creating else { throw .file(.system(action: "open", subject: path, code: 2)) }
            try platform { () throws(PlatformError) in try SafeFile.makePrivateFile(path) }
        }
        // Checked by descriptor for owner, mode and kind; SQLite then opens it by its name in a folder only root may change.
        _ = try platform { () throws(PlatformError) in try SafeFile.open(path, as: .privateFile) }
        let database = try Database.open(path: path, creating: creating, patience: patience)
        try Schema.migrate(database)
        let keys = try Store.unlock(database, folder: folder, keyFolder: keyFolder, creating: creating)
        self.folder = folder
        self.keyFolder = keyFolder
        self.database = database
        self.keys = keys
    }

    /// Whether a store was ever made in the folder; it is not opened and nothing is checked.
    public static func isThere(folder: String) -> Bool { SafeFile.exists(folder + "/" + databaseName) }

    /// Reads the key the database says it is sealed by, and with it the keys in the database; makes all of them for a new one.
    static func unlock(
        _ database: borrowing Database, folder: String, keyFolder: String, creating: Bool
    ) throws(StoreError) -> Keys {
        if try meta("key", in: database) == nil {
            guard creating else { throw .damaged("no key number") }
            try initialise(database, folder: folder, keyFolder: keyFolder)
        }
        let file = try readKeyFile(folder: folder, keyFolder: keyFolder)
        guard let numberBytes = try meta("key", in: database), let vault = try meta("vault", in: database) else {
            throw .damaged("no key number")
        }
        let number = String(decoding: numberBytes, as: UTF8.self)
        let path = file.path
        let keys = try file.withKey(number) { (master) throws(StoreError) -> Keys in
            let template = try Cryptography.derive("secondlook template key", from: master)
            let seal = try Cryptography.derive("secondlook vault key", from: master)
            guard var opened = Cryptography.open(vault, bound: vaultBinding(number), key: seal),
                opened.count == 2 * Cryptography.keyLength
            else { throw .badKey(path: path) }
            defer { SecretBytes.wipe(&opened) }
            var first = Array(opened[..<Cryptography.keyLength])
            var second = Array(opened[Cryptography.keyLength...])
            let chain = try platform { () throws(PlatformError) in try SecretBytes(wiping: &first) }
            let recovery = try platform { () throws(PlatformError) in try SecretBytes(wiping: &second) }
            return Keys(number: number, template: template, chain: chain, recovery: recovery)
        }
        guard let keys else { throw .badKey(path: path) }
        return keys
    }

    private static func initialise(
        _ database: borrowing Database, folder: String, keyFolder: String
    ) throws(StoreError) {
        // Two first logins at once must not make two keys: the second waits here, and finds the work done.
        let lock = try platform { () throws(PlatformError) in try SafeFile.openFolder(folder, as: .privateFile) }
        try platform { () throws(PlatformError) in try SafeFile.lock(lock, path: folder) }
        defer { _ = lock.raw }
        guard try meta("key", in: database) == nil else { return }
        if try KeyFile.read(folder + "/" + KeyFile.name, isOurs: true) == nil,
            try KeyFile.read(keyFolder + "/" + KeyFile.name, isOurs: false) == nil
        {
            try KeyFile(fresh: folder + "/" + KeyFile.name).write()
        }
        let file = try readKeyFile(folder: folder, keyFolder: keyFolder)
        guard let number = file.numbers.last else { throw .badKey(path: file.path) }
        try database.transaction { () throws(StoreError) in
            guard try meta("key", in: database) == nil else { return }
            var inner = try Cryptography.random(2 * Cryptography.keyLength)
            defer { SecretBytes.wipe(&inner) }
            try writeVault(inner, sealedBy: file, number: number, in: database)
            var first = Array(inner[..<Cryptography.keyLength])
            let chain = try platform { () throws(PlatformError) in try SecretBytes(wiping: &first) }
            try setMeta("chain", try firstNote(key: chain), in: database)
        }
    }

    /// Seals the two inner keys by the master key of that number and notes the number.
    static func writeVault(
        _ inner: [UInt8], sealedBy file: borrowing KeyFile, number: String, in database: borrowing Database
    ) throws(StoreError) {
        let sealed = try file.withKey(number) { (master) throws(StoreError) -> [UInt8] in
            let seal = try Cryptography.derive("secondlook vault key", from: master)
            return try Cryptography.seal(inner, bound: vaultBinding(number), key: seal)
        }
        guard let sealed else { throw .badKey(path: file.path) }
        try setMeta("key", Array(number.utf8), in: database)
        try setMeta("vault", sealed, in: database)
    }

    static func readKeyFile(folder: String, keyFolder: String) throws(StoreError) -> KeyFile {
        if let file = try KeyFile.read(folder + "/" + KeyFile.name, isOurs: true) { return file }
        if let file = try KeyFile.read(keyFolder + "/" + KeyFile.name, isOurs: false) { return file }
        throw .keyMissing(path: folder + "/" + KeyFile.name)
    }

    private static func vaultBinding(_ number: String) -> [UInt8] {
        var binding = Canonical("secondlook vault")
        binding.add(number)
        return binding.bytes
    }

    /// Another process may have changed the key since this one read it: then the keys are read anew.
    ///
    /// Called inside a transaction.
    mutating func refreshKeys() throws(StoreError) {
        guard let number = try Store.meta("key", in: database) else { throw .damaged("no key number") }
        if String(decoding: number, as: UTF8.self) != keys.number {
            keys = try Store.unlock(database, folder: folder, keyFolder: keyFolder, creating: false)
        }
    }

    /// What `rememberProofs` noted of a file, or nil.
    public func proof(of path: String) throws(StoreError) -> String? {
        try Store.meta("proof " + path, in: database).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Notes that files were proven to be what they must be; by their paths.
    public mutating func rememberProofs(_ proofs: [String: String]) throws(StoreError) {
        guard !proofs.isEmpty else { return }
        try write { (store) throws(StoreError) in
            for (path, proof) in proofs { try Store.setMeta("proof " + path, Array(proof.utf8), in: store.database) }
        }
    }

    static func meta(_ name: String, in database: borrowing Database) throws(StoreError) -> [UInt8]? {
        try database.query("SELECT value FROM meta WHERE name=?", [Value(name)]).first?.first?.blob
    }

    static func setMeta(_ name: String, _ value: [UInt8], in database: borrowing Database) throws(StoreError) {
        try database.query(
            "INSERT INTO meta(name, value) VALUES(?, ?) ON CONFLICT(name) DO UPDATE SET value=excluded.value",
            [Value(name), Value(value)])
    }
}
