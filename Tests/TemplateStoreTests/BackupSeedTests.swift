// SPDX-License-Identifier: Apache-2.0
// Makes the seeds of Tests/Fuzz for backups and holds the files to them, so that a seed is never a riddle and a layout that changes is seen.
// After a change of the layout `SECONDLOOK_WRITE_SEEDS=1 swift test --filter BackupSeedTests` writes them anew.

import Biometrics
import Foundation
import Policy
import Testing

@testable import TemplateStore

@Suite struct BackupSeedTests {
    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Tests/Fuzz/seeds/backup"

    /// A sample that no machine rounds.
    private static func embedding(_ place: Int) throws -> Embedding {
        var values = [Float](repeating: 0, count: Embedding.dimension)
        for index in 0..<4 { values[(place + index * 32) % Embedding.dimension] = 0.5 }
        return try #require(Embedding(values))
    }

    private static func saved(
        _ user: String = "anna", label: String = "default", model: String = String(repeating: "a", count: 64),
        samples: Int = 1, created: Int64 = 1_700_000_000_000, extras: EnrolmentExtras = .init()
    ) throws -> SavedEnrolment {
        let embeddings = try (0..<samples).map(embedding)
        return SavedEnrolment(
            user: user, uid: 1000, created: created,
            template: Template(label: label, embeddings: embeddings, model: model), extras: extras)
    }

    private static func extras(yaw: Float = 20, isPictured: Bool = false) -> EnrolmentExtras {
        let quality = SampleQuality(yaw: yaw, pitch: -3, sharpness: 200, brightness: 120, eyeDistance: 70)
        return EnrolmentExtras(
            camera: "usb-1/-/-/0.0",
            notes: [SampleNote(pose: .left, quality: quality), SampleNote(pose: nil, quality: quality)],
            picture: isPictured ? FaceCrop([UInt8](repeating: 200, count: FaceCrop.byteCount)) : nil)
    }

    /// The bytes with others in one place.
    private static func changed(_ bytes: [UInt8], _ at: Int, _ others: [UInt8]) -> [UInt8] {
        Array(bytes[..<at] + others + bytes[(at + others.count)...])
    }

    /// Headers with what follows them; the byte before says so to the target.
    private static func headers() -> [String: [UInt8]] {
        func file(_ passes: UInt32, _ kibibytes: UInt32, rest: Int = 60) -> [UInt8] {
            let header = Backup.Header(
                cost: Backup.Cost(passes: passes, kibibytes: kibibytes), salt: Array(1...16), rest: rest)
            return header.bytes + [UInt8](repeating: 7, count: rest)
        }
        let usual = file(3, 256 << 10)
        let length = Backup.Header.length - 8
        return [
            "good-header-usual": usual, "good-header-cheapest": file(1, 8 << 10, rest: 44),
            "good-header-dearest": file(16, 1 << 20),
            "bad-header-words": Array("secondlook wrote this".utf8),
            "bad-header-newer": changed(usual, 18, [2]),
            "bad-header-only": Array(usual[..<Backup.Header.length]), "bad-header-cut": Array(usual.dropLast()),
            "bad-header-cut-in-salt": Array(usual[..<30]), "bad-header-too-long": usual + [0],
            "bad-header-no-passes": file(0, 256 << 10), "bad-header-too-many-passes": file(17, 256 << 10),
            "bad-header-too-little-memory": file(3, 1), "bad-header-all-memory": file(3, .max),
            "bad-header-longest-length": changed(usual, length, [UInt8](repeating: 0xFF, count: 8)),
            "bad-header-length-beyond-signed": changed(usual, length, [0, 0, 0, 0, 0, 0, 0, 0x80]),
            "bad-header-no-room-for-a-seal": file(3, 256 << 10, rest: 43),
            "bad-header-nothing-sealed": file(3, 256 << 10, rest: 0),
        ]
    }

    private static func lists() throws -> [String: [UInt8]] {
        let one = SavedList.encode([try saved()])
        let noted = SavedList.encode([try saved(samples: 2, extras: extras())])
        // Count, the name's length, name, user number, the label's length, label.
        let created = 4 + 4 + 4 + 4 + 4 + 7
        let samples = created + 8 + 4 + 64
        let details = samples + 4 + 2 * TemplateBlob.bytesPerSample + 4
        return [
            "good-list-empty": SavedList.encode([]), "good-list-usual": one, "good-list-noted": noted,
            "good-list-pictured": SavedList.encode([try saved(extras: extras(isPictured: true))]),
            "good-list-of-three": SavedList.encode([
                try saved(model: "m"), try saved("j\u{F6}rg", label: "d\u{ED}a", model: "m", created: -5),
                try saved("b", label: "l", model: "m", samples: 3, created: SavedList.times.lowerBound),
            ]),
            "good-list-longest-texts": SavedList.encode([
                try saved(
                    String(repeating: "u", count: 256), label: String(repeating: "l", count: 64),
                    created: SavedList.times.upperBound)
            ]),
            "bad-list-nothing": [], "bad-list-count-of-4-billion": changed(one, 0, [0xFF, 0xFF, 0xFF, 0xFF]),
            "bad-list-name-of-4-billion": changed(one, 4, [0xFF, 0xFF, 0xFF, 0xFF]),
            "bad-list-samples-of-4-billion": changed(one, samples, [0xFF, 0xFF, 0xFF, 0xFF]),
            "bad-list-cut": Array(one.dropLast()), "bad-list-trailing": one + [0],
            "bad-list-name-too-long": SavedList.encode([try saved(String(repeating: "u", count: 257))]),
            "bad-list-label-too-long": SavedList.encode([try saved(label: String(repeating: "l", count: 65))]),
            "bad-list-model-too-long": SavedList.encode([try saved(model: String(repeating: "a", count: 65))]),
            "bad-list-no-name": SavedList.encode([try saved("")]), "bad-list-not-utf8": changed(one, 8, [0xFF]),
            "bad-list-year-10000": SavedList.encode([try saved(created: SavedList.times.upperBound + 1)]),
            "bad-list-no-samples": SavedList.encode([try saved(samples: 0)]),
            "bad-list-too-many-samples": SavedList.encode([try saved(samples: 65)]),
            "bad-list-nan": changed(one, samples + 4, [0, 0, 0xC0, 0x7F]),
            "bad-list-other-details": changed(noted, details, [2]),
            "bad-list-camera-beyond-the-end": changed(noted, details + 1, [0xFF]),
            "bad-list-no-such-pose": changed(noted, details + 2 + 13, [5]),
            "bad-list-infinite-angle": SavedList.encode([try saved(extras: extras(yaw: .infinity))]),
            "bad-list-picture-of-another-size": one.dropLast(4) + [1, 0, 0, 0, 9],
        ]
    }

    @Test func everySeedIsAsItIsMade() throws {
        var seeds = Self.headers().mapValues { [0] + $0 }
        seeds.merge(try Self.lists().mapValues { [1] + $0 }) { one, _ in one }
        seeds["bad-empty"] = []
        if ProcessInfo.processInfo.environment["SECONDLOOK_WRITE_SEEDS"] != nil {
            for (name, bytes) in seeds {
                try Data(bytes).write(to: URL(fileURLWithPath: "\(Self.folder)/\(name)"))
            }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        #expect(names.sorted() == seeds.keys.sorted())
        for (name, bytes) in seeds {
            #expect(FileManager.default.contents(atPath: "\(Self.folder)/\(name)") == Data(bytes), "\(name)")
        }
    }

    /// The header and the list state their limits without the library and the store, so that they can be fuzzed by themselves.
    @Test func limitsAreThoseOfTheLibraryAndTheStore() {
        #expect(Backup.Header.saltLength == Cryptography.saltLength)
        #expect(
            Backup.Header.shortestRest
                == Cryptography.nonceLength + SavedList.encode([]).count + Cryptography.tagLength)
        #expect(SavedList.longestLabel == Store.longestLabel)
    }
}
