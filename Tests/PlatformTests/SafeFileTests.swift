// SPDX-License-Identifier: Apache-2.0
// What is opened and what is not: owners, modes, links, kinds, sizes; and that replacing is one step.

import TestSupport
import Testing

@testable import Platform

@Suite struct SafeFileTests {
    let temporary = TemporaryFolder()

    private func problem(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? PlatformError).map {
                if case .unsafeFile(_, let problem) = $0 { problem } else { "\($0)" }
            }
        }
    }

    @Test(arguments: [
        (0o644 as UInt32, SafeFile.Purpose.publicFile, nil as String?), (0o600, .publicFile, nil),
        (0o664, .publicFile, "can be written by others"), (0o646, .publicFile, "can be written by others"),
        (0o600, .privateFile, nil), (0o400, .privateFile, nil),
        (0o640, .privateFile, "can be read by others, its mode must be 0600"),
        (0o604, .privateFile, "can be read by others, its mode must be 0600"),
    ])
    func judgesModes(mode: UInt32, purpose: SafeFile.Purpose, expected: String?) {
        let path = temporary.write("file", text: "x", mode: mode)
        #expect(problem { _ = try SafeFile.read(path, limit: 10, as: purpose) } == expected)
    }

    @Test(.enabled(if: TemporaryFolder.isRoot)) func judgesOwners() {
        let path = temporary.write("file", text: "x")
        TemporaryFolder.setOwner(path, 12)
        #expect(problem { _ = try SafeFile.read(path, limit: 10) } == "is not owned by root")
        let folder = temporary.file("folder")
        TemporaryFolder.makeFolder(folder, mode: 0o755)
        temporary.write("folder/file", text: "x")
        TemporaryFolder.setOwner(folder, 12)
        #expect(problem { _ = try SafeFile.read(folder + "/file", limit: 10) } == "is not owned by root")
        #expect(
            problem { _ = try SafeFile.read(folder + "/file", limit: 10, checking: .lastFolder) }
                == "is not owned by root")
    }

    @Test func judgesFolders() {
        TemporaryFolder.makeFolder(temporary.file("loose"), mode: 0o777)
        TemporaryFolder.makeFolder(temporary.file("loose/tight"), mode: 0o755)
        let path = temporary.write("loose/tight/file", text: "x")
        #expect(problem { _ = try SafeFile.read(path, limit: 10) } == "can be written by others")
        #expect(problem { _ = try SafeFile.read(path, limit: 10, checking: .lastFolder) } == nil)
    }

    @Test func followsNoLinks() {
        let path = temporary.write("file", text: "x")
        TemporaryFolder.link(temporary.file("link"), to: path)
        #expect(problem { _ = try SafeFile.read(temporary.file("link"), limit: 10) } == "is a symbolic link")
        TemporaryFolder.makeFolder(temporary.file("folder"), mode: 0o755)
        temporary.write("folder/file", text: "x")
        TemporaryFolder.link(temporary.file("way"), to: temporary.file("folder"))
        #expect(problem { _ = try SafeFile.read(temporary.file("way/file"), limit: 10) } != nil)
    }

    @Test func opensRegularFilesOnly() {
        #expect(problem { _ = try SafeFile.open("/dev/null").raw } == "is not a regular file")
        #expect(problem { _ = try SafeFile.open(temporary.path).raw } == "is not a regular file")
    }

    @Test(arguments: ["", "relative", "/a/../b", "/./a", "/a\0b", "/"])
    func refusesOddPaths(path: String) {
        #expect(problem { _ = try SafeFile.read(path, limit: 10) } != nil)
    }

    @Test func readsUpToTheLimit() throws {
        let path = temporary.write("file", [UInt8](repeating: 7, count: 100_000))
        #expect(try SafeFile.read(path, limit: 100_000).count == 100_000)
        #expect(throws: PlatformError.tooLarge(path: path, limit: 99_999)) { try SafeFile.read(path, limit: 99_999) }
        let file = try SafeFile.open(path)
        #expect(try SafeFile.readPiece(file, at: 99_990, length: 64, path: path).count == 10)
        #expect(try SafeFile.readPiece(file, at: 100_000, length: 64, path: path).isEmpty)
        #expect(try SafeFile.read(temporary.write("empty", []), limit: 0).isEmpty)
    }

    @Test func replacesInOneStep() throws {
        let path = temporary.write("file", text: "old", mode: 0o644)
        try SafeFile.replace(path, with: Array("new".utf8), mode: 0o600)
        #expect(TemporaryFolder.read(path) == Array("new".utf8))
        #expect(try SafeFile.open(path, as: .privateFile).status().mode == 0o600)
        #expect(try SafeFile.names(in: temporary.path) == ["file"], "nothing is left beside it")
        #expect(throws: PlatformError.self) {
            try SafeFile.replace(temporary.file("missing/file"), with: [1], mode: 0o600)
        }
    }

    @Test func aMissingFileSaysSo() {
        do throws(PlatformError) {
            _ = try SafeFile.read(temporary.file("missing"), limit: 1)
        } catch {
            #expect(error.isMissing)
            #expect(error.description == "cannot open '\(temporary.file("missing"))': no such file or directory")
        }
    }

    @Test func aFingerprintChangesWithTheFile() throws {
        let path = temporary.write("file", text: "one")
        let before = try SafeFile.open(path).status().fingerprint
        #expect(try SafeFile.open(path).status().fingerprint == before)
        temporary.write("file", text: "two")
        #expect(try SafeFile.open(path).status().fingerprint != before)
    }
}

@Suite struct AccountTests {
    @Test(arguments: [
        "", ".", "..", "../x", "a/b", "/", "-U", "a:b", "a b", "a\nb", "a\0", "\u{7F}",
        String(repeating: "x", count: 257),
    ])
    func implausibleNamesAreNotLookedUp(name: String) throws {
        #expect(!AccountName.isPlausible(name))
        #expect(try Account.find(name: name) == nil)
    }

    @Test(arguments: ["DOM\\user", "user@realm", "jürgen", "no-such-user-x", String(repeating: "x", count: 256)])
    func plausibleNamesThatDoNotExistAreNil(name: String) throws {
        #expect(AccountName.isPlausible(name))
        #expect(try Account.find(name: name) == nil)
    }

    @Test func rootIsFoundByNameAndNumber() throws {
        #expect(try Account.find(name: "root")?.user == 0)
        #expect(try Account.find(user: 0)?.name == "root")
        #expect(try Account.find(user: 4_294_967_290) == nil)
    }
}

@Suite struct SecretBytesTests {
    @Test func takesOverAndWipesEveryHolderOfTheArray() throws {
        var bytes: [UInt8] = Array("correct horse battery staple".utf8)
        let other = bytes
        let secret = try SecretBytes(wiping: &bytes)
        #expect(bytes.isEmpty)
        #expect(other.allSatisfy { $0 == 0 }, "also where the storage was shared")
        let content = unsafe secret.withBytes { unsafe Array($0) }
        #expect(content == Array("correct horse battery staple".utf8))
    }

    @Test func emptyAndRandomSecrets() throws {
        var none: [UInt8] = []
        let isEmpty = try SecretBytes(wiping: &none).isEmpty
        #expect(isEmpty)
        let one = try SecretBytes(random: 32)
        let other = try SecretBytes(random: 32)
        let differ = unsafe one.withBytes { one in unsafe other.withBytes { unsafe Array(one) != Array($0) } }
        #expect(differ)
    }
}

@Suite struct TimeSourceTests {
    @Test func clocksRun() throws {
        let time = SystemTime()
        let before = time.now()
        try Readiness.pause(until: before + 20)
        #expect(time.now() >= before + 20)
        #expect(time.wall() > 1_700_000_000_000)
        #expect(time.sinceBoot() >= time.now() || time.now() - time.sinceBoot() < 5)
    }

    @Test func theBootHasANumber() throws {
        #expect(try Machine.bootIdentifier() == Machine.bootIdentifier())
        #expect(try Machine.bootIdentifier().utf8.count == 36)
    }
}
