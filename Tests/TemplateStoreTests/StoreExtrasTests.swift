// SPDX-License-Identifier: Apache-2.0
// What is kept besides the samples: it comes back as it was, opens for its own row and column alone, and older stores get room for it.

import Biometrics
import Policy
import TestSupport
import Testing

@testable import TemplateStore

@Suite struct StoreExtrasTests {
    let fixture = Fixture()

    static let crop: FaceCrop = {
        guard let crop = FaceCrop((0..<FaceCrop.byteCount).map { UInt8(truncatingIfNeeded: $0 * 7) }) else {
            fatalError("a test picture is wrong")
        }
        return crop
    }()

    static func note(_ pose: EnrolmentPose?, _ yaw: Float) -> SampleNote {
        SampleNote(
            pose: pose,
            quality: SampleQuality(yaw: yaw, pitch: -3.5, sharpness: 210, brightness: 118, eyeDistance: 64.25))
    }

    static let extras = EnrolmentExtras(
        camera: "usb-cam-0", notes: [note(.centre, 0.5), note(.left, 17), note(nil, -12)], picture: crop)

    private func enrolled() throws -> Store {
        var store = try fixture.open()
        try store.enrol(template(), extras: Self.extras, user: "anna", uid: 1000, replacing: false, at: 5)
        return store
    }

    @Test func givesBackWhatWasKept() throws {
        _ = try enrolled()
        var store = try fixture.open()
        #expect(try store.extras(of: "anna", label: "default") == Self.extras)
        #expect(try store.extras(of: "anna", label: "other") == nil)
        #expect(try store.extras(of: "bert", label: "default") == nil)
    }

    @Test func keepsNothingThatWasNotAsked() throws {
        var store = try fixture.open()
        try store.enrol(template(), user: "anna", uid: 1000, replacing: false, at: 5)
        #expect(try fixture.rows("SELECT details, picture FROM enrolments") == [[.null, .null]])
        #expect(try store.extras(of: "anna", label: "default") == EnrolmentExtras())
    }

    @Test func sealsThePicture() throws {
        _ = try enrolled()
        let stored = TemporaryFolder.read(fixture.databasePath)
        let piece = Array(Self.crop.pixels[..<64])
        let found = stored.indices.contains { stored[$0...].starts(with: piece) }
        #expect(!found, "the picture lies open in the file")
    }

    @Test(arguments: ["UPDATE enrolments SET details=picture", "UPDATE enrolments SET picture=details"])
    func opensNoColumnAsAnother(_ statement: String) throws {
        var store = try enrolled()
        try fixture.tamper(statement)
        #expect(throws: StoreError.badTemplate(user: "anna", label: "default")) {
            _ = try store.extras(of: "anna", label: "default")
        }
    }

    @Test func opensNoPictureOfAnotherRow() throws {
        var store = try enrolled()
        try store.enrol(template("glasses"), extras: Self.extras, user: "anna", uid: 1000, replacing: false, at: 6)
        try fixture.tamper(
            "UPDATE enrolments SET picture=(SELECT picture FROM enrolments WHERE label='default') WHERE label='glasses'"
        )
        #expect(throws: StoreError.badTemplate(user: "anna", label: "glasses")) {
            _ = try store.extras(of: "anna", label: "glasses")
        }
    }

    @Test func anotherKeyOpensTheSameExtras() throws {
        var store = try enrolled()
        let before = try fixture.rows("SELECT details, picture FROM enrolments")
        try store.rotateKey()
        #expect(try fixture.rows("SELECT details, picture FROM enrolments") != before)
        #expect(try store.extras(of: "anna", label: "default") == Self.extras)
    }

    @Test func givesAnOlderStoreRoom() throws {
        var store = try fixture.open()
        try store.enrol(template(), user: "anna", uid: 1000, replacing: false, at: 5)
        _ = consume store
        try fixture.tamper("ALTER TABLE enrolments DROP COLUMN details")
        try fixture.tamper("ALTER TABLE enrolments DROP COLUMN picture")
        try fixture.tamper("PRAGMA user_version=1")
        var later = try fixture.open()
        #expect(try fixture.rows("PRAGMA user_version") == [[.integer(Int64(Schema.version))]])
        #expect(areSame(try later.templates(of: "anna", uid: 1000).templates, [template()]))
        #expect(try later.extras(of: "anna", label: "default") == EnrolmentExtras())
        try later.enrol(template("new"), extras: Self.extras, user: "anna", uid: 1000, replacing: false, at: 7)
        #expect(try later.extras(of: "anna", label: "new") == Self.extras)
    }

    @Test func addsSamplesToAnEnrolment() throws {
        var store = try enrolled()
        let more = EnrolmentExtras(camera: "other", notes: [Self.note(.right, -20)])
        try store.extend(template(seeds: [9]), extras: more, user: "anna", uid: 1000)
        #expect(areSame(try store.templates(of: "anna", uid: 1000).templates, [template(seeds: [1, 2, 3, 9])]))
        let kept = try #require(try store.extras(of: "anna", label: "default"))
        #expect(kept.notes == Self.extras.notes + more.notes)
        #expect(kept.camera == "other" && kept.picture == Self.crop)
        #expect(try store.summaries(of: "anna").map(\.samples) == [4])
    }

    @Test func addsNothingToWhatIsNotThereOrOfAnotherRecogniser() throws {
        var store = try enrolled()
        for wrong in [template("none"), template(model: "bb")] {
            #expect(throws: StoreError.badTemplate(user: "anna", label: wrong.label)) {
                try store.extend(wrong, user: "anna", uid: 1000)
            }
        }
        #expect(throws: StoreError.tooMany("samples in an enrolment", limit: Store.mostSamples)) {
            try store.extend(template(seeds: Array(4...(Store.mostSamples + 1))), user: "anna", uid: 1000)
        }
        #expect(areSame(try store.templates(of: "anna", uid: 1000).templates, [template()]))
        #expect(try store.extras(of: "anna", label: "default") == Self.extras)
    }

    @Test(arguments: [
        [], [1], [2, 0], [1, 3, 65], [1, 0, 7], [1, 1, 0xFF], [1, 0] + [UInt8](repeating: 0xFF, count: 21),
    ])
    func refusesDetailsThatNobodyWrote(_ bytes: [UInt8]) {
        #expect(DetailsBlob.decode(bytes) == nil)
    }

    @Test func leavesOutACameraWithTooLongAName() {
        let long = EnrolmentExtras(camera: String(repeating: "x", count: 256), notes: [Self.note(.up, 1)])
        #expect(DetailsBlob.decode(DetailsBlob.encode(long)) == EnrolmentExtras(notes: long.notes))
    }
}
