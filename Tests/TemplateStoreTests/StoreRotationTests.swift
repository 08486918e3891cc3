// SPDX-License-Identifier: Apache-2.0
// Changing the key, and stopping at each place where it could be interrupted.

import Policy
import TestSupport
import Testing

@testable import TemplateStore

@Suite struct StoreRotationTests {
    let fixture = Fixture()

    private func prepared() throws -> Store {
        var store = try fixture.open()
        try store.enrol(template(), user: "anna", uid: 1000, replacing: false, at: 5)
        try store.enrol(template(seeds: [4]), user: "bert", uid: 1001, replacing: false, at: 5)
        try store.record(record())
        return store
    }

    @Test func resealsEverythingByAnotherKey() throws {
        var store = try prepared()
        let key = TemporaryFolder.read(fixture.folder + "/key")
        let seals = try fixture.rows("SELECT sealed FROM enrolments ORDER BY id")
        let codes = try store.makeRecoveryCodes(user: "anna", uid: 1000, at: 1)
        #expect(try store.rotateKey() == 2)
        #expect(TemporaryFolder.read(fixture.folder + "/key") != key)
        #expect(TemporaryFolder.read(fixture.folder + "/key").count == key.count, "the old key has left the file")
        #expect(try fixture.rows("SELECT sealed FROM enrolments ORDER BY id") != seals)
        var again = try fixture.open()
        #expect(areSame(try again.templates(of: "anna", uid: 1000).templates, [template()]))
        #expect(try again.verifyChain().faults.isEmpty, "the record is still whole")
        #expect(try again.useRecoveryCode(Array(codes[0].utf8), user: "anna", uid: 1000, at: 2))
        fixture.temporary.write("state/key", key)
        #expect(throws: StoreError.badKey(path: fixture.folder + "/key")) { _ = try fixture.open().summaries() }
    }

    @Test func anOpenStoreFollowsAnotherProcessesRotation() throws {
        var early = try prepared()
        var other = try fixture.open()
        try other.rotateKey()
        #expect(areSame(try early.templates(of: "anna", uid: 1000).templates, [template()]))
        try early.record(record())
        #expect(try early.verifyChain().faults.isEmpty)
    }

    @Test func changesNothingWhenATemplateDoesNotOpen() throws {
        var store = try prepared()
        try fixture.tamper("UPDATE enrolments SET uid=7 WHERE user='bert'")
        #expect(throws: StoreError.badTemplate(user: "bert", label: "default")) { try store.rotateKey() }
        var again = try fixture.open()
        #expect(areSame(try again.templates(of: "anna", uid: 1000).templates, [template()]))
    }

    @Test func opensAfterAnInterruptionBeforeTheCommit() throws {
        _ = try prepared()
        let old = try Store.readKeyFile(folder: fixture.folder, keyFolder: "/nowhere")
        let fresh = try KeyFile(fresh: old.path)
        try old.write(only: old.numbers[0], adding: fresh)
        var again = try fixture.open()
        #expect(areSame(try again.templates(of: "anna", uid: 1000).templates, [template()]))
        #expect(try again.rotateKey() == 2)
        #expect(try fixture.open().keys.number != old.numbers[0])
    }

    @Test func opensAfterAnInterruptionBehindTheCommit() throws {
        var store = try prepared()
        let old = try Store.readKeyFile(folder: fixture.folder, keyFolder: "/nowhere")
        try store.rotateKey()
        let fresh = try Store.readKeyFile(folder: fixture.folder, keyFolder: "/nowhere")
        try old.write(only: old.numbers[0], adding: fresh)
        var again = try fixture.open()
        #expect(areSame(try again.templates(of: "anna", uid: 1000).templates, [template()]))
    }
}
