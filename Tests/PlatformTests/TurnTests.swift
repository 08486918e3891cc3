// SPDX-License-Identifier: Apache-2.0
// One at a time and in order; whoever leaves the line, waiting or not, holds nobody up; and nobody else can stand in it.

import TestSupport
import Testing

@testable import Platform

@Suite struct TurnTests {
    let temporary = TemporaryFolder()
    private var path: String { temporary.file("line") }

    private func problem(_ path: String) -> String? {
        do throws(PlatformError) {
            _ = try Turn(at: path)
            return nil
        } catch {
            if case .unsafeFile(_, let problem) = error { return problem }
            return error.description
        }
    }

    @Test func comesAtOnceWhereNobodyWaits() throws {
        for _ in 0..<3 {
            var turn = try Turn(at: path)
            #expect(try turn.hasCome())
            #expect(try turn.hasCome())
        }
    }

    @Test func isOnesAloneAndComesInOrder() throws {
        var first: Turn? = try Turn(at: path)
        var second: Turn? = try Turn(at: path)
        var third = try Turn(at: path)
        #expect(try third.hasCome() == false)
        #expect(try second?.hasCome() == false)
        #expect(try first?.hasCome() == true)
        #expect(try second?.hasCome() == false)
        first = nil
        #expect(try third.hasCome() == false)
        #expect(try second?.hasCome() == true)
        #expect(try third.hasCome() == false)
        second = nil
        #expect(try third.hasCome())
    }

    @Test func whoLeavesWhileWaitingHoldsNobodyUp() throws {
        var first: Turn? = try Turn(at: path)
        #expect(try first?.hasCome() == true)
        var second: Turn? = try Turn(at: path)
        var third = try Turn(at: path)
        #expect(try second?.hasCome() == false)
        second = nil
        #expect(try third.hasCome() == false)
        first = nil
        #expect(try third.hasCome())
    }

    @Test func theExclusionDoesNotRestOnWhatIsInTheFile() throws {
        var first = try Turn(at: path)
        #expect(try first.hasCome())
        TemporaryFolder.empty(path)
        // The numbers begin anew, so this one's is as low as the first one's.
        #expect(throws: PlatformError.system(action: "lock", subject: path, code: 11)) { _ = try Turn(at: path) }
        var third = try Turn(at: path)
        #expect(try third.hasCome() == false)
    }

    @Test func makesTheFileForTheOwnerAlone() throws {
        _ = try Turn(at: temporary.file("made/line"))
        let status = try SafeFile.open(temporary.file("made/line"), as: .privateFile).status()
        #expect(status.mode == 0o600)
        #expect(try SafeFile.openFolder(temporary.file("made")).status().mode == 0o755)
    }

    @Test(arguments: [0o644 as UInt32, 0o660, 0o606]) func refusesAFileThatOthersCouldLock(mode: UInt32) {
        temporary.write("line", text: "", mode: mode)
        TemporaryFolder.setMode(path, mode)
        #expect(problem(path)?.contains("by others") == true)
    }

    @Test func refusesALinkAndAFolder() {
        TemporaryFolder.link(path, to: temporary.file("elsewhere"))
        #expect(problem(path) == "is a symbolic link")
        #expect(problem(temporary.path) != nil)
    }

    @Test(.enabled(if: TemporaryFolder.isRoot)) func refusesAFolderOfOthers() {
        let folder = temporary.file("open")
        TemporaryFolder.makeFolder(folder, mode: 0o777)
        TemporaryFolder.setMode(folder, 0o777)
        #expect(problem(folder + "/line") == "can be written by others")
    }
}
