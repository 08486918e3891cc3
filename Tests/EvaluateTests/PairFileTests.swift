// SPDX-License-Identifier: Apache-2.0
// Pair files of both views of Labeled Faces in the Wild, and files that are none.

import FoundationEssentials
import Testing

@testable import secondlook_evaluate

@Suite struct PairFileTests {
    private func pairs(_ text: String) throws -> [Pair] {
        let path = FileManager.default.temporaryDirectory.appending(path: "pairs-\(UUID().uuidString)").path
        try Files.save(text, to: path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try PairFile.read(path)
    }

    @Test func readsAFileOfOnePart() throws {
        let found = try pairs("1\nAnna_B\t1\t12\nAnna_B\t3\tCarl\t1\n")
        #expect(found.map(\.first) == ["Anna_B_0001", "Anna_B_0003"])
        #expect(found.map(\.second) == ["Anna_B_0012", "Carl_0001"])
        #expect(found.map(\.isSame) == [true, false])
        #expect(found.map(\.fold) == [0, 1])
    }

    @Test func readsAFileOfManyParts() throws {
        let found = try pairs("2\t1\nA 1 2\nA 1 B 1\nC 1 2\nC 1 D 1\n")
        #expect(found.map(\.fold) == [0, 0, 1, 1])
        #expect(found.map(\.isSame) == [true, false, true, false])
    }

    @Test(arguments: ["", "x\n", "0\n", "1\nA 1 2\n", "1\nA 1 2\nA 1 B\n", "1\nA 1 2\nA x B 1\n", "1 2 3\n"])
    func refusesWhatIsNoPairFile(text: String) {
        #expect(throws: EvaluateError.self) { try pairs(text) }
    }

    @Test func namesTheLine() {
        #expect {
            try pairs("1\nA 1 2\nA 1 B x\n")
        } throws: { "\($0)".hasSuffix("line 3: not a pair") }
    }
}
