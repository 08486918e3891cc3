// SPDX-License-Identifier: Apache-2.0
// Two texts that look alike and have other code points are two labels and two users, as SQLite and the seal see them; Swift's `==` takes them
// for one, so the store never compares with it.

import Biometrics
import Policy
import Testing

@testable import TemplateStore

@Suite struct StoreSpellingTests {
    let fixture = Fixture()
    static let (one, other) = ("d\u{ED}a", "di\u{301}a")

    /// Both labels, with samples 1 and 2.
    func enrolled() throws -> Store {
        var store = try fixture.open()
        try store.enrol(template(Self.one, seeds: [1]), user: "anna", uid: 1000, replacing: false, at: 1)
        try store.enrol(template(Self.other, seeds: [2]), user: "anna", uid: 1000, replacing: false, at: 2)
        return store
    }

    /// The samples of a label, by its bytes.
    func samples(_ store: inout Store, _ label: String) throws -> [Float]? {
        try store.templates(of: "anna", uid: 1000).templates.first { Array($0.label.utf8) == Array(label.utf8) }?
            .embeddings.flatMap(\.values)
    }

    @Test func aBackupHasBothLabels() throws {
        var store = try enrolled()
        let saved = try store.saved()
        #expect(saved.map { Array($0.template.label.utf8) } == [Array(Self.other.utf8), Array(Self.one.utf8)])
        let there = Fixture()
        var second = try there.open()
        try second.restore(saved, replacing: false)
        // What is read is normalised again: the last digit may differ, two people's samples differ far more.
        for label in [Self.one, Self.other] {
            let (before, after) = (try samples(&store, label) ?? [], try samples(&second, label) ?? [])
            #expect(before.count == 128 && after.count == 128)
            #expect(zip(before, after).allSatisfy { abs($0 - $1) < 1e-6 })
        }
        let (one, other) = (try samples(&second, Self.one) ?? [], try samples(&second, Self.other) ?? [])
        #expect(zip(one, other).contains { abs($0 - $1) > 1e-2 })
    }

    @Test func samplesGoToTheLabelThatWasSpelled() throws {
        var store = try enrolled()
        let before = try #require(try samples(&store, Self.other))
        try store.extend(template(Self.other, seeds: [3]), user: "anna", uid: 1000)
        #expect(try samples(&store, Self.one)?.count == 128)
        #expect(try samples(&store, Self.other)?.count == 256)
        #expect(try samples(&store, Self.other)?.prefix(128) == before[...])
    }

    @Test func theLabelThatWasSpelledIsRenamed() throws {
        var store = try enrolled()
        let before = try samples(&store, Self.other)
        #expect(try store.rename(label: Self.other, of: "anna", to: "day"))
        #expect(try samples(&store, "day") == before)
        #expect(try samples(&store, Self.one) != nil)
        #expect(try store.rename(label: Self.other, of: "anna", to: "x") == false)
        #expect(try store.rename(label: "day", of: "anna", to: Self.other))
    }

    /// A file of both users is neither put beside what the second has enrolled nor leaves it there.
    @Test(arguments: [false, true]) func eachUserOfAFileIsLookedFor(_ isOtherFirst: Bool) throws {
        var store = try fixture.open()
        try store.enrol(template("own", seeds: [5]), user: Self.other, uid: 2, replacing: false, at: 1)
        var saved = [
            SavedEnrolment(user: Self.one, uid: 1, created: 0, template: template(seeds: [1])),
            SavedEnrolment(user: Self.other, uid: 2, created: 0, template: template(seeds: [2])),
        ]
        if isOtherFirst { saved.reverse() }
        #expect(throws: StoreError.userTaken(Self.other)) { try store.restore(saved, replacing: false) }
        try store.restore(saved, replacing: true)
        #expect(try store.summaries().map(\.label) == ["default", "default"])
    }
}
