// SPDX-License-Identifier: Apache-2.0
// Opening the store: owners, modes, schema, keys.

import Dispatch
import Platform
import Policy
import TestSupport
import Testing

@testable import TemplateStore

@Suite struct StoreTests {
    let fixture = Fixture()

    @Test func makesAPrivateFolderWithDatabaseAndKey() throws {
        _ = try fixture.open().summaries()
        #expect(TemporaryFolder.read(fixture.folder + "/key").count == 14 + 1 + 1 + 1 + 16 + 1 + 64 + 1)
        #expect(try fixture.rows("PRAGMA user_version") == [[.integer(Int64(Schema.version))]])
    }

    @Test func tenFirstOpeningsAtOnceAgreeOnOneKey() throws {
        let fixture = fixture
        let fine = Counter()
        DispatchQueue.concurrentPerform(iterations: 10) { index in
            do {
                var store = try fixture.open(patience: 20_000)
                try store.enrol(template("\(index)"), user: "anna", uid: 1, replacing: false, at: 1)
                fine.increment()
            } catch { Issue.record("\(error)") }
        }
        #expect(fine.value == 10)
        var store = try fixture.open()
        #expect(try store.templates(of: "anna", uid: 1).templates.count == 10)
    }

    @Test func doesNotMakeAnythingWhenOnlyOpening() {
        #expect(throws: StoreError.self) { _ = try fixture.open(creating: false).summaries() }
        #expect(TemporaryFolder.read(fixture.databasePath).isEmpty)
    }

    @Test(arguments: [
        ("state", 0o755 as UInt32, "folder open to others"),
        ("state/secondlook.db", 0o644, "database readable by others"),
        ("state/secondlook.db", 0o620, "database writable by the group"),
        ("state/key", 0o644, "key readable by others"),
    ])
    func refusesLooseModes(name: String, mode: UInt32, _: String) throws {
        _ = try fixture.open().summaries()
        TemporaryFolder.setMode(fixture.temporary.file(name), mode)
        #expect { _ = try fixture.open().summaries() } throws: { error in
            guard case .file(let inner)? = error as? StoreError, case .unsafeFile = inner else { return false }
            return true
        }
    }

    @Test(.enabled(if: isRoot), arguments: ["state", "state/secondlook.db", "state/key"])
    func refusesForeignOwners(name: String) throws {
        _ = try fixture.open().summaries()
        TemporaryFolder.setOwner(fixture.temporary.file(name), 1)
        #expect { _ = try fixture.open().summaries() } throws: { error in
            guard case .file(let inner)? = error as? StoreError, case .unsafeFile(_, let problem) = inner else {
                return false
            }
            return problem == "is not owned by root"
        }
    }

    @Test(arguments: ["state/secondlook.db", "state/key"])
    func refusesSymbolicLinks(name: String) throws {
        _ = try fixture.open().summaries()
        let path = fixture.temporary.file(name)
        let elsewhere = fixture.temporary.write("elsewhere", TemporaryFolder.read(path))
        TemporaryFolder.remove(path)
        TemporaryFolder.link(path, to: elsewhere)
        #expect { _ = try fixture.open().summaries() } throws: { error in
            (error as? StoreError)?.description.hasSuffix("is a symbolic link") == true
        }
    }

    @Test func refusesANewerSchemaAndLeavesItAlone() throws {
        _ = try fixture.open().summaries()
        try fixture.tamper("PRAGMA user_version=99")
        #expect(throws: StoreError.newerSchema(found: 99, known: Schema.version)) {
            _ = try fixture.open().summaries()
        }
        #expect(try fixture.rows("PRAGMA user_version") == [[.integer(99)]])
    }

    @Test func neverMakesANewKeyForAnOldDatabase() throws {
        _ = try fixture.open().summaries()
        TemporaryFolder.remove(fixture.folder + "/key")
        #expect(throws: StoreError.keyMissing(path: fixture.folder + "/key")) { _ = try fixture.open().summaries() }
    }

    @Test(arguments: [
        "", "x", "secondlook-key 1 0011223344556677 00\n",
        "secondlook-key 2 0011223344556677 " + String(repeating: "0", count: 64),
        "secondlook-key 1 0011223344556677 " + String(repeating: "0", count: 64),
    ])
    func refusesMalformedAndForeignKeys(text: String) throws {
        _ = try fixture.open().summaries()
        fixture.temporary.write("state/key", text: text)
        #expect(throws: StoreError.badKey(path: fixture.folder + "/key")) { _ = try fixture.open().summaries() }
    }

    @Test func takesTheKeyFromTheCredentialFolder() throws {
        var store = try fixture.open()
        try store.enrol(template(), user: "anna", uid: 1000, replacing: false, at: 1)
        let key = TemporaryFolder.read(fixture.folder + "/key")
        TemporaryFolder.remove(fixture.folder + "/key")
        TemporaryFolder.makeFolder(fixture.temporary.file("credentials"))
        fixture.temporary.write("credentials/key", key)
        var again = try fixture.open()
        #expect(areSame(try again.templates(of: "anna", uid: 1000).templates, [template()]))
        #expect(throws: StoreError.keyNotOurs(path: fixture.temporary.file("credentials/key"))) {
            try again.rotateKey()
        }
    }

    @Test(arguments: [[UInt8]("not a database, but long enough to look at".utf8), [UInt8](repeating: 0, count: 4096)])
    func refusesAFileThatIsNoDatabase(bytes: [UInt8]) throws {
        _ = try fixture.open().summaries()
        fixture.temporary.write("state/secondlook.db", bytes)
        #expect(throws: StoreError.self) { _ = try fixture.open(creating: false).summaries() }
    }

    @Test func takesTheStepsThatAreMissing() throws {
        let path = fixture.temporary.file("old.db")
        let database = try Database.open(path: path, creating: true, patience: 100)
        try Schema.migrate(database, steps: [["CREATE TABLE one(a)"]])
        try database.query("INSERT INTO one VALUES(7)")
        try Schema.migrate(database, steps: [["CREATE TABLE one(a)"], ["ALTER TABLE one ADD COLUMN b DEFAULT 8"]])
        #expect(try database.query("SELECT a, b FROM one") == [[.integer(7), .integer(8)]])
        #expect(throws: StoreError.self) {
            try Schema.migrate(
                database,
                steps: [
                    ["CREATE TABLE one(a)"], ["ALTER TABLE one ADD COLUMN b DEFAULT 8"],
                    ["DROP TABLE one", "NONSENSE"],
                ])
        }
        #expect(try database.query("SELECT a FROM one") == [[.integer(7)]], "a failed step leaves nothing behind")
        #expect(try database.query("PRAGMA user_version") == [[.integer(2)]])
    }
}
