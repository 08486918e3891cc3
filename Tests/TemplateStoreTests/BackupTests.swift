// SPDX-License-Identifier: Apache-2.0
// A backup comes back whole or not at all: each way in which a file or passphrase can be wrong is refused, and named where it can be.

import Biometrics
import Platform
import Policy
import TestSupport
import Testing

@testable import TemplateStore

@Suite struct BackupTests {
    static let cheap = Backup.Cost(passes: 1, kibibytes: 8 << 10)
    static let extras = EnrolmentExtras(
        camera: "usb-1/-/-/0.0",
        notes: [
            SampleNote(
                pose: .left,
                quality: SampleQuality(yaw: 20, pitch: -3, sharpness: 200, brightness: 120, eyeDistance: 70))
        ], picture: FaceCrop([UInt8](repeating: 200, count: FaceCrop.byteCount)))
    static let list = [
        SavedEnrolment(user: "anna", uid: 1000, created: 1_700_000_000_000, template: template("default")),
        SavedEnrolment(
            user: "anna", uid: 1000, created: -5, template: template("glasses", seeds: [7]), extras: extras),
        SavedEnrolment(user: "jörg", uid: 4_294_967_295, created: 0, template: template("día", seeds: [9, 10])),
    ]

    static func secret(_ text: String) throws -> SecretBytes {
        var bytes = Array(text.utf8)
        return try SecretBytes(wiping: &bytes)
    }

    static func sealed(_ passphrase: String = "correct horse") throws -> [UInt8] {
        try Backup.seal(list, passphrase: try secret(passphrase), cost: cheap)
    }

    static func fault(_ file: [UInt8], _ passphrase: String = "correct horse") throws -> BackupFault? {
        let secret = try secret(passphrase)
        do throws(StoreError) {
            _ = try Backup.open(file, passphrase: secret)
            return nil
        } catch {
            guard case .backup(let fault) = error else { throw error }
            return fault
        }
    }

    static func areSame(_ one: [SavedEnrolment], _ other: [SavedEnrolment]) -> Bool {
        one.map(\.user) == other.map(\.user) && one.map(\.uid) == other.map(\.uid)
            && one.map(\.created) == other.map(\.created) && one.map(\.extras) == other.map(\.extras)
            && TemplateStoreTests.areSame(one.map(\.template), other.map(\.template))
    }

    @Test func comesBackAsItWas() throws {
        let opened = try Backup.open(try Self.sealed(), passphrase: try Self.secret("correct horse"))
        #expect(Self.areSame(opened, Self.list))
    }

    @Test(arguments: [Int64.min, .max, -62_167_219_200_001, 253_402_300_800_000])
    func refusesATimeThatNobodyEnrolledAt(_ created: Int64) throws {
        var list = Self.list
        list[1].created = created
        let file = try Backup.seal(list, passphrase: try Self.secret("correct horse"), cost: Self.cheap)
        #expect(try Self.fault(file) == .content)
    }

    @Test func showsNeitherNamesNorSamples() throws {
        let file = try Self.sealed()
        let samples = TemplateBlob.encode(Self.list[0].template.embeddings)
        for part in [Array("anna".utf8), Array("default".utf8), Array(samples[..<16])] {
            #expect(!file.indices.contains { file[$0...].starts(with: part) })
        }
        // The same list under the same passphrase never gives the same bytes.
        #expect(try Self.sealed().suffix(64) != file.suffix(64))
    }

    @Test(arguments: ["", "correct hors", "correct horse ", "Correct horse"])
    func refusesAnotherPassphrase(_ passphrase: String) throws {
        #expect(try Self.fault(try Self.sealed(), passphrase) == .passphraseOrChanged)
    }

    @Test func refusesEveryCut() throws {
        let file = try Self.sealed()
        for count in Array(stride(from: 0, to: file.count, by: 997)) + [file.count - 1, 18, 19, 51] {
            let fault = try #require(try Self.fault(Array(file[..<count])), "\(count)")
            switch fault {
            case .notABackup: #expect(count <= 18)
            case .cutShort(let bytes, _): #expect(bytes == count)
            default: Issue.record("\(count): \(fault)")
            }
        }
    }

    @Test func refusesBytesThatWereAdded() throws {
        let file = try Self.sealed()
        #expect(try Self.fault(file + [0]) == .tooLong(bytes: file.count + 1, of: file.count))
    }

    /// One bit in each byte of the header and in many of the rest.
    @Test func refusesEveryChangedBit() throws {
        let file = try Self.sealed()
        for index in Array(0..<75) + Array(stride(from: 75, to: file.count, by: 2011)) {
            var changed = file
            changed[index] ^= index.isMultiple(of: 2) ? 1 : 0x10
            #expect(try Self.fault(changed) != nil, "byte \(index)")
        }
    }

    @Test func refusesToWorkHarderThanAnExport() throws {
        var file = try Self.sealed()
        for (index, value) in [(19, UInt8(200)), (26, 0xFF)] {
            let before = file[index]
            file[index] = value
            #expect(try Self.fault(file) == .cost, "byte \(index)")
            file[index] = before
        }
    }

    /// No key is made for what cannot even hold a seal.
    @Test(arguments: [0, 1, 43])
    func refusesALengthWithoutRoomForASeal(_ rest: Int) throws {
        let header = Backup.Header(cost: Self.cheap, salt: Array(1...16), rest: rest)
        let file = header.bytes + [UInt8](repeating: 0, count: rest)
        #expect(throws: StoreError.backup(.notABackup)) { try Backup.check(file) }
    }

    @Test func namesANewerVersion() throws {
        var file = try Self.sealed()
        file[18] = 2
        #expect(try Self.fault(file) == .newerVersion(2))
    }

    @Test func refusesWhatOpensButIsNoList() throws {
        for plain in [
            [], [1, 0, 0, 0], SavedList.encode(Self.list) + [0], Array(SavedList.encode(Self.list).dropLast()),
        ] {
            #expect(SavedList.decode(plain) == nil)
        }
        #expect(SavedList.decode([0, 0, 0, 0]) == [])
        // A number that is not finite; the details with their length and the picture's length come after it.
        let whole = SavedList.encode([Self.list[0]])
        let details = DetailsBlob.encode(.init()).count + 8
        var broken = whole
        broken[broken.count - details - 1] = 0x7F
        broken[broken.count - details - 2] = 0xFF
        #expect(SavedList.decode(broken) == nil)
        // A picture of another size.
        #expect(SavedList.decode(whole) != nil)
        #expect(SavedList.decode(whole.dropLast(4) + [1, 0, 0, 0, 9]) == nil)
    }
}
