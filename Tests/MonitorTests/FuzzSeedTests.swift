// SPDX-License-Identifier: Apache-2.0
// The seeds of Tests/Fuzz for settings, template bytes, manifest, user names and backups: each is taken or refused as its name says, and of
// 20,000 mutations with a fixed seed whatever is taken keeps the rules. `make fuzz` searches on from the same seeds.

import Biometrics
import Foundation
import TestSupport
import Testing

@testable import Monitor
@testable import Platform
@testable import Policy
@testable import TemplateStore

/// A reader of foreign bytes: true when it takes them.
private struct FuzzTarget: Sendable, CustomTestStringConvertible {
    let name: String
    /// Bytes that mutations insert: those that mean something to the reader.
    let odd: [UInt8]
    /// How many of 20,000 mutations it takes: neither all nor none, or the mutations would prove nothing.
    let taken: ClosedRange<Int>
    /// Reads, and checks the rules for whatever it takes.
    let read: @Sendable ([UInt8]) throws -> Bool
    var testDescription: String { name }

    var seeds: [(name: String, bytes: [UInt8])] {
        let folder =
            "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Tests/Fuzz/seeds/\(name)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
        return names.compactMap { name in
            FileManager.default.contents(atPath: "\(folder)/\(name)").map { (name, [UInt8]($0)) }
        }
    }

    func mutate(_ bytes: inout [UInt8], _ chance: inout SeededGenerator) {
        let at = Int(chance.next() % UInt64(max(1, bytes.count)))
        let some = Int(chance.next() % 40)
        let place = min(at, bytes.count)
        switch chance.next() % 5 {
        case 0: if !bytes.isEmpty { bytes[at] ^= 1 << UInt8(chance.next() % 8) }
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + some))
        case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + some)], at: place)
        case 3: if !bytes.isEmpty { bytes[at] = UInt8(truncatingIfNeeded: chance.next()) }
        default: bytes.insert(odd[Int(chance.next() % UInt64(odd.count))], at: place)
        }
    }

    static let all: [FuzzTarget] = [
        FuzzTarget(name: "settings", odd: Array("=\n\r[]#-.,e0\u{FEFF}".utf8), taken: 500...19_500) { bytes in
            guard let settings = try? Settings.parse(bytes, service: "sudo") else { return false }
            if case .cosine(let cosine) = settings.match { #expect((0.3...0.95).contains(cosine)) }
            #expect(settings.lockoutMisses >= 1 && settings.lockoutTime <= settings.lockoutMax)
            #expect(settings.cameraTimeout < settings.timeout)
            return true
        },
        FuzzTarget(name: "template", odd: [0, 1, 0x3F, 0x7F, 0x80, 0xC0, 0xFF], taken: 20...15_000) { bytes in
            guard let found = TemplateBlob.decode(bytes) else { return false }
            #expect(found.count * 512 == bytes.count && (1...64).contains(found.count))
            for embedding in found {
                #expect(abs(embedding.values.reduce(Float(0)) { $0 + $1 * $1 } - 1) < 1e-3)
            }
            return true
        },
        FuzzTarget(name: "manifest", odd: Array("{}[]\",:\\/.0eE".utf8), taken: 100...15_000) { bytes in
            guard let manifest = try? ModelManifest(bytes, path: "m") else { return false }
            #expect(Set(manifest.entries.map(\.role)).count == manifest.entries.count)
            for entry in manifest.entries {
                #expect(entry.sha256.utf8.count == 64 && Hex.bytes(entry.sha256) != nil)
                #expect(!entry.file.contains("/") && !entry.file.hasPrefix(".") && entry.bytes > 0)
            }
            return true
        },
        FuzzTarget(name: "names", odd: Array("/.-:@\\ \n\u{7F}\u{E9}".utf8) + [0, 0xFF], taken: 500...19_000) { bytes in
            guard let name = String(validating: bytes, as: UTF8.self), AccountName.isPlausible(name) else {
                return false
            }
            #expect((1...256).contains(bytes.count) && bytes[0] != UInt8(ascii: "-") && name != "." && name != "..")
            #expect(!bytes.contains { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") })
            return true
        },
        FuzzTarget(name: "backup", odd: [0, 1, 4, 0x10, 0x3F, 0x7F, 0x80, 0xFF], taken: 100...15_000) { bytes in
            guard let choice = bytes.first else { return false }
            let bytes = Array(bytes.dropFirst())
            return choice.isMultiple(of: 2) ? isHeader(bytes) : isList(bytes)
        },
    ]

    private static func isHeader(_ file: [UInt8]) -> Bool {
        guard let header = try? Backup.Header(of: file) else { return false }
        #expect(header.cost.isAllowed && header.bytes == Array(file[..<51]))
        #expect(header.rest >= 44 && file.count == 51 + header.rest)
        return true
    }

    /// Only samples are rounded when a list is read.
    private static func isList(_ bytes: [UInt8]) -> Bool {
        guard let found = SavedList.decode(bytes) else { return false }
        #expect(SavedList.encode(found).count == bytes.count)
        for enrolment in found {
            let template = enrolment.template
            #expect((1...256).contains(enrolment.user.utf8.count) && (1...64).contains(template.label.utf8.count))
            #expect((1...64).contains(template.model.utf8.count) && SavedList.times.contains(enrolment.created))
            #expect((1...64).contains(template.embeddings.count) && enrolment.extras.notes.count <= 64)
        }
        return true
    }
}

@Suite struct FuzzSeedTests {
    @Test(arguments: FuzzTarget.all)
    fileprivate func everySeedIsTakenOrRefusedAsItsNameSays(target: FuzzTarget) throws {
        let seeds = target.seeds
        #expect(seeds.count >= 10)
        for seed in seeds {
            let isTaken = try target.read(seed.bytes)
            #expect(isTaken == seed.name.hasPrefix("good-"), "\(seed.name)")
        }
    }

    @Test(arguments: FuzzTarget.all)
    fileprivate func twentyThousandMutationsKeepTheRules(target: FuzzTarget) throws {
        let seeds = target.seeds
        try #require(!seeds.isEmpty)
        var chance = SeededGenerator(seed: 20_261_130)
        var taken = 0
        for _ in 0..<20_000 {
            var bytes = seeds[Int(chance.next() % UInt64(seeds.count))].bytes
            for _ in 0...(chance.next() % 3) { target.mutate(&bytes, &chance) }
            if try target.read(bytes) { taken += 1 }
        }
        #expect(target.taken.contains(taken), "\(taken) were taken")
    }
}
