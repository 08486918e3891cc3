// SPDX-License-Identifier: Apache-2.0
// A new name keeps the samples, carries the lock along, and takes nothing over from somebody else.

import Policy
import TestSupport
import Testing

@testable import TemplateStore

@Suite struct StoreRenamingTests {
    let fixture = Fixture()

    func store() throws -> Store {
        var store = try fixture.open()
        try store.enrol(template(), user: "anna", uid: 1000, replacing: false, at: 5)
        try store.enrol(
            template("glasses", seeds: [4]), extras: BackupTests.extras, user: "anna", uid: 1000, replacing: false,
            at: 6)
        return store
    }

    @Test func givesALabelAnotherName() throws {
        var store = try store()
        #expect(try store.rename(label: "glasses", of: "anna", to: "sun") == true)
        let templates = try store.templates(of: "anna", uid: 1000).templates
        #expect(areSame(templates, [template(), template("sun", seeds: [4])]))
        #expect(try store.extras(of: "anna", label: "sun") == BackupTests.extras)
        #expect(try store.rename(label: "glasses", of: "anna", to: "x") == false)
        #expect(throws: StoreError.labelTaken(user: "anna", label: "default")) {
            try store.rename(label: "sun", of: "anna", to: "default")
        }
        #expect(throws: StoreError.tooMany("bytes in a label", limit: 64)) {
            try store.rename(label: "sun", of: "anna", to: String(repeating: "x", count: 65))
        }
    }

    @Test func movesAUserWithTheLock() throws {
        var store = try store()
        let codes = try store.makeRecoveryCodes(user: "anna", uid: 1000, at: 1)
        let lockout = Lockout(Settings())
        for step in 0..<3 {
            _ = try store.charge(record(), lockout: lockout, at: moment(UInt64(step) * 1_000_000))
        }
        let before = try store.tally(of: "anna")
        #expect(before.misses > 0)
        let renamed = try store.rename(user: "anna", to: "annabel", uid: 1000)
        #expect(renamed == RenamedUser(templates: 2, codesEnded: codes.count))
        #expect(try store.templates(of: "annabel", uid: 1000).templates.count == 2)
        #expect(try store.extras(of: "annabel", label: "glasses") == BackupTests.extras)
        #expect(try !store.isEnrolled("anna"))
        #expect(try store.tally(of: "annabel") == before)
        #expect(try store.tally(of: "anna") == Tally())
        #expect(try store.recoveryCodes(of: "annabel").isEmpty)
    }

    @Test func keepsTheStricterLock() throws {
        var store = try store()
        let lockout = Lockout(Settings())
        _ = try store.charge(record("annabel"), lockout: lockout, at: moment(1))
        let strict = try store.tally(of: "annabel")
        _ = try store.rename(user: "anna", to: "annabel", uid: 1000)
        #expect(try store.tally(of: "annabel") == strict)
    }

    @Test func carriesEachCountAlongByItself() throws {
        var store = try store()
        // The old name is locked by wrong passwords alone, the new one has refused looks: both hold afterwards.
        let passwords = Tally(total: 9, wrongPasswords: 5, wrongPasswordAt: moment(7), resets: 3)
        try store.write(passwords, of: "anna")
        try store.write(Tally(misses: 2, total: 2, missedAt: moment(4), wrongPasswords: 1, resets: 1), of: "annabel")
        _ = try store.rename(user: "anna", to: "annabel", uid: 1000)
        let expected = Tally(
            misses: 2, total: 9, missedAt: moment(4), wrongPasswords: 5, wrongPasswordAt: moment(7), resets: 1)
        #expect(try store.tally(of: "annabel") == expected)
    }

    @Test(arguments: [
        (Tally(misses: 5, missedAt: moment(2)), Tally(misses: 5, missedAt: moment(9)), moment(9)),
        (Tally(misses: 5, missedAt: moment(9)), Tally(misses: 5, missedAt: moment(2)), moment(9)),
        (Tally(misses: 6, missedAt: moment(2)), Tally(misses: 5, missedAt: moment(9)), moment(2)),
    ]) func ofEqualCountsTheNewerLocks(_ one: Tally, _ other: Tally, _ at: Moment) {
        #expect(one.strictest(other).missedAt == at)
        #expect(one.strictest(other).misses == max(one.misses, other.misses))
    }

    @Test func refusesAnotherPersonsNumber() throws {
        var store = try store()
        #expect(throws: StoreError.otherNumber(user: "bert", uid: 1001, enrolled: 1000)) {
            try store.rename(user: "anna", to: "bert", uid: 1001)
        }
        #expect(try store.templates(of: "anna", uid: 1000).templates.count == 2)
    }

    @Test func refusesANameThatIsEnrolled() throws {
        var store = try store()
        try store.enrol(template(), user: "bert", uid: 1000, replacing: false, at: 5)
        #expect(throws: StoreError.userTaken("bert")) { try store.rename(user: "anna", to: "bert", uid: 1000) }
    }

    @Test func refusesATemplateThatDoesNotOpen() throws {
        var store = try store()
        try fixture.tamper("UPDATE enrolments SET model='bb' WHERE label='glasses'")
        #expect(throws: StoreError.badTemplate(user: "anna", label: "glasses")) {
            try store.rename(user: "anna", to: "annabel", uid: 1000)
        }
        #expect(try store.isEnrolled("anna"))
        #expect(try !store.isEnrolled("annabel"))
    }
}
