// SPDX-License-Identifier: Apache-2.0
// What left a store comes into another one as a whole, sealed for it; anything that stands against one enrolment keeps out all.

import Biometrics
import Policy
import TestSupport
import Testing

@testable import TemplateStore

@Suite struct StoreBackupTests {
    func filled(_ fixture: Fixture) throws -> [SavedEnrolment] {
        var store = try fixture.open()
        try store.enrol(template(), user: "anna", uid: 1000, replacing: false, at: 5)
        try store.enrol(
            template("glasses", seeds: [4]), extras: BackupTests.extras, user: "anna", uid: 1000, replacing: false,
            at: 6)
        try store.enrol(template(seeds: [8]), user: "bert", uid: 1001, replacing: false, at: 7)
        return try store.saved()
    }

    @Test func movesToAnotherStoreUnderOtherNumbers() throws {
        let (one, other) = (Fixture(), Fixture())
        var saved = try filled(one)
        #expect(saved.map(\.user) == ["anna", "anna", "bert"])
        for index in saved.indices { saved[index].uid += 500 }
        var store = try other.open()
        try store.restore(saved, replacing: false)
        let anna = try store.templates(of: "anna", uid: 1500).templates
        #expect(areSame(anna, [template(), template("glasses", seeds: [4])]))
        #expect(try store.summaries().map(\.created) == [5, 6, 7])
        #expect(try store.extras(of: "anna", label: "glasses") == BackupTests.extras)
        #expect(throws: StoreError.self) { try store.templates(of: "anna", uid: 1000) }
    }

    @Test func savesOneUser() throws {
        let fixture = Fixture()
        _ = try filled(fixture)
        var store = try fixture.open()
        #expect(try store.saved(of: "bert").map(\.user) == ["bert"])
        #expect(try store.saved(of: "cleo").isEmpty)
    }

    @Test func savesNothingWhenOneTemplateIsBad() throws {
        let fixture = Fixture()
        _ = try filled(fixture)
        try fixture.tamper("UPDATE enrolments SET label='x' WHERE label='glasses'")
        var store = try fixture.open()
        #expect(throws: StoreError.badTemplate(user: "anna", label: "x")) { try store.saved() }
    }

    @Test func refusesUsersThatAreThereAndKeepsEverything() throws {
        let (one, other) = (Fixture(), Fixture())
        let saved = try filled(one)
        var store = try other.open()
        try store.enrol(template("own", seeds: [20]), user: "bert", uid: 1001, replacing: false, at: 1)
        #expect(throws: StoreError.userTaken("bert")) { try store.restore(saved, replacing: false) }
        #expect(try store.summaries().map(\.user) == ["bert"])
        try store.restore(saved, replacing: true)
        #expect(try store.summaries().map(\.label) == ["default", "glasses", "default"])
    }

    @Test func writesNothingWhenOneOfManyIsTooMuch() throws {
        let (one, other) = (Fixture(), Fixture())
        var saved = try filled(one)
        saved += (0..<Store.mostEnrolments).map { index in
            SavedEnrolment(user: "cleo", uid: 1002, created: 0, template: template("l\(index)", seeds: [1]))
        }
        saved.append(SavedEnrolment(user: "cleo", uid: 1002, created: 0, template: template("more", seeds: [1])))
        var store = try other.open()
        #expect(throws: StoreError.tooMany("enrolments of 'cleo'", limit: 16)) {
            try store.restore(saved, replacing: false)
        }
        #expect(try store.summaries().isEmpty)
        let twice = [saved[0], saved[0]]
        #expect(throws: StoreError.labelTaken(user: "anna", label: "default")) {
            try store.restore(twice, replacing: true)
        }
        #expect(try store.summaries().isEmpty)
    }
}
