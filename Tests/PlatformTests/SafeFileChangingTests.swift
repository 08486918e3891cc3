// SPDX-License-Identifier: Apache-2.0
// A replaced file keeps whose it is; a new file never takes another's place.

import TestSupport
import Testing

@testable import Platform

@Suite struct SafeFileChangingTests {
    let temporary = TemporaryFolder()

    @Test(arguments: [0o600 as UInt32, 0o640, 0o644])
    func keepsTheMode(_ mode: UInt32) throws {
        let path = temporary.write("file", text: "old", mode: mode)
        try SafeFile.replaceKeeping(path, with: Array("new".utf8), mode: 0o600)
        #expect(TemporaryFolder.read(path) == Array("new".utf8))
        #expect(try SafeFile.open(path).status().mode == mode)
    }

    @Test(.enabled(if: TemporaryFolder.isRoot)) func refusesAFileOfSomebodyElse() throws {
        let path = temporary.write("file", text: "old")
        TemporaryFolder.setOwner(path, 12)
        #expect(throws: PlatformError.unsafeFile(path: path, problem: "is not owned by root")) {
            try SafeFile.replaceKeeping(path, with: [1], mode: 0o600)
        }
    }

    @Test func waitsForNoLockWithoutAnEnd() throws {
        let path = temporary.write("file", text: "old")
        do {
            let held = try SafeFile.lockFolder(of: path)
            defer { _ = held.raw }
            #expect(
                throws: PlatformError.timedOut("waiting for another program that has the folder of '\(path)' locked")
            ) { _ = try SafeFile.lockFolder(of: path, patience: 30).raw }
        }
        _ = try SafeFile.lockFolder(of: path, patience: 30).raw
    }

    @Test func makesAFileForItsOwnerAlone() throws {
        let path = temporary.file("new")
        try SafeFile.writeNew(path, with: [1, 2, 3])
        #expect(TemporaryFolder.read(path) == [1, 2, 3])
        #expect(try SafeFile.open(path).status().mode == 0o600)
    }

    @Test func takesNobodysPlace() throws {
        let path = temporary.write("file", text: "old")
        TemporaryFolder.link(temporary.file("link"), to: temporary.file("target"))
        for taken in [path, temporary.file("link"), temporary.path] {
            #expect(throws: PlatformError.system(action: "open", subject: taken, code: 17)) {
                try SafeFile.writeNew(taken, with: [1])
            }
        }
        #expect(TemporaryFolder.read(path) == Array("old".utf8))
        #expect(!SafeFile.exists(temporary.file("target")))
    }
}
