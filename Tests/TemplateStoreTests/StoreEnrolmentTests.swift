// SPDX-License-Identifier: Apache-2.0
// Sealed templates: what opens, and everything that must not.

import Biometrics
import Policy
import TestSupport
import Testing

@testable import TemplateStore

@Suite struct StoreEnrolmentTests {
    let fixture = Fixture()

    private func enrolled() throws -> Store {
        var store = try fixture.open()
        try store.enrol(template(), user: "anna", uid: 1000, replacing: false, at: 5)
        try store.enrol(template("glasses", seeds: [9]), user: "anna", uid: 1000, replacing: false, at: 6)
        try store.enrol(template(seeds: [4, 5]), user: "bert", uid: 1001, replacing: false, at: 7)
        return store
    }

    private func expectBadTemplate(user: String = "anna", uid: UInt32 = 1000) throws {
        var store = try fixture.open()
        #expect { try store.templates(of: user, uid: uid) } throws: { error in
            guard case .badTemplate(user, _)? = error as? StoreError else { return false }
            return true
        }
    }

    @Test func givesBackWhatWasEnrolled() throws {
        var store = try enrolled()
        #expect(
            areSame(
                try store.templates(of: "anna", uid: 1000).templates, [template(), template("glasses", seeds: [9])]))
        #expect(try store.templates(of: "nobody", uid: 7).templates.isEmpty)
        #expect(try store.isEnrolled("anna"))
        #expect(try !store.isEnrolled("nobody"))
        #expect(try store.summaries().map(\.label) == ["default", "glasses", "default"])
        #expect(
            try store.summaries(of: "bert") == [
                EnrolmentSummary(user: "bert", uid: 1001, label: "default", created: 7, model: "aa", samples: 2)
            ])
    }

    @Test func keepsNoSampleInTheClear() throws {
        _ = try enrolled()
        let file = TemporaryFolder.read(fixture.databasePath)
        let sample = Array(TemplateBlob.encode([embedding(1)])[..<16])
        #expect(!file.indices.dropLast(16).contains { Array(file[$0..<$0 + 16]) == sample })
    }

    @Test func refusesALabelTwiceUnlessReplacing() throws {
        var store = try enrolled()
        #expect(throws: StoreError.labelTaken(user: "anna", label: "default")) {
            try store.enrol(template(), user: "anna", uid: 1000, replacing: false, at: 8)
        }
        try store.enrol(template(seeds: [77]), user: "anna", uid: 1000, replacing: true, at: 8)
        #expect(
            try store.templates(of: "anna", uid: 1000).templates.contains { areSame([$0], [template(seeds: [77])]) })
        #expect(try store.templates(of: "anna", uid: 1000).templates.count == 2)
    }

    @Test func removesOneOrAll() throws {
        var store = try enrolled()
        #expect(try store.remove(user: "anna", label: "nothing") == 0)
        #expect(try store.remove(user: "anna", label: "glasses") == 1)
        #expect(try store.remove(user: "anna") == 1)
        #expect(try store.templates(of: "bert", uid: 1001).templates.count == 1)
    }

    @Test(arguments: [
        ("another user's row", "UPDATE enrolments SET user='anna', uid=1000, label='stolen' WHERE user='bert'"),
        (
            "another row's seal",
            "UPDATE enrolments SET sealed=(SELECT sealed FROM enrolments WHERE user='bert') WHERE label='glasses'"
        ),
        ("another label", "UPDATE enrolments SET label='mine' WHERE label='glasses'"),
        ("another model", "UPDATE enrolments SET model='bb' WHERE label='glasses'"),
        ("another row number", "UPDATE enrolments SET id=99 WHERE label='glasses'"),
        ("another count", "UPDATE enrolments SET samples=2 WHERE label='glasses'"),
        ("a cut seal", "UPDATE enrolments SET sealed=substr(sealed, 1, 300) WHERE label='glasses'"),
        ("a tiny seal", "UPDATE enrolments SET sealed=x'0011' WHERE label='glasses'"),
        ("no seal", "UPDATE enrolments SET sealed=x'' WHERE label='glasses'"),
        ("a longer seal", "UPDATE enrolments SET sealed=CAST(sealed || x'00' AS BLOB) WHERE label='glasses'"),
        ("zeros", "UPDATE enrolments SET sealed=zeroblob(552) WHERE label='glasses'"),
    ])
    func neverOpensWhatWasChanged(_: String, sql: String) throws {
        _ = try enrolled()
        try fixture.tamper(sql)
        try expectBadTemplate()
    }

    @Test func neverOpensUnderAnotherUserNumber() throws {
        _ = try enrolled()
        try expectBadTemplate(uid: 1002)
    }

    @Test(arguments: [
        ("NaN", Float.nan), ("infinite", Float.infinity), ("zero", Float(0)), ("far too long", Float(3)),
    ])
    func neverOpensSenselessNumbers(_: String, value: Float) throws {
        let store = try enrolled()
        let id = try fixture.rows("SELECT id FROM enrolments WHERE label='glasses'")[0][0].integer ?? 0
        let plain = [UInt8](
            (0..<128).flatMap { _ in (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt32($0 * 8)) } })
        let binding = Store.binding(id: id, user: "anna", uid: 1000, label: "glasses", model: "aa")
        let sealed = try Cryptography.seal(plain, bound: binding, key: store.keys.template)
        try fixture.tamper("UPDATE enrolments SET sealed=? WHERE id=?", [.blob(sealed), .integer(id)])
        try expectBadTemplate()
    }

    @Test(arguments: [0, 1, 511, 513, 512 * 65])
    func refusesLengthsThatAreNoSamples(length: Int) {
        #expect(TemplateBlob.decode([UInt8](repeating: 0, count: length)) == nil)
    }

    @Test func aTemplateOfAnotherModelComparesWithNothing() throws {
        var store = try enrolled()
        let user = try store.templates(of: "anna", uid: 1000)
        #expect(user.reference(model: "bb") == nil)
        #expect(user.reference(model: "aa") != nil)
    }

    @Test func refusesMoreThanTheLimits() throws {
        var store = try fixture.open()
        #expect(throws: StoreError.tooMany("samples in an enrolment", limit: 64)) {
            try store.enrol(template(seeds: []), user: "anna", uid: 1, replacing: false, at: 1)
        }
        #expect(throws: StoreError.tooMany("bytes in a label", limit: 64)) {
            try store.enrol(
                template(String(repeating: "x", count: 65)), user: "anna", uid: 1, replacing: false, at: 1)
        }
        for label in 0..<Store.mostEnrolments {
            try store.enrol(template("\(label)", seeds: [1]), user: "anna", uid: 1, replacing: false, at: 1)
        }
        #expect(throws: StoreError.tooMany("enrolments of 'anna'", limit: 16)) {
            try store.enrol(template("more", seeds: [1]), user: "anna", uid: 1, replacing: false, at: 1)
        }
    }

    @Test func aFullDiskLeavesTheOldTemplates() throws {
        var store = try enrolled()
        let pages = try store.database.query("PRAGMA page_count")[0][0].integer ?? 0
        try store.database.query("PRAGMA max_page_count=\(pages)")
        #expect {
            try store.enrol(
                template(seeds: Array(0..<60)), user: "anna", uid: 1000, replacing: true, at: 9)
        } throws: { error in (error as? StoreError)?.isFull == true }
        #expect(
            areSame(
                try store.templates(of: "anna", uid: 1000).templates, [template(), template("glasses", seeds: [9])]))
    }
}
