// SPDX-License-Identifier: Apache-2.0
// 20,000 mutations with a fixed seed of what the helper reads: a manifest, a list of terminals. Nothing crashes, and nothing but a
// whole manifest passes.

import TemplateStore
import TestSupport
import Testing

@testable import Monitor

@Suite struct MutationTests {
    private static let manifest = Array(
        """
        {"models": [{"role": "detector", "file": "detector.onnx", "bytes": 231018, "licence": "MIT", "source": "sdist",
        "sha256": "a79fad45c47d91c4f633f1bd786886ecdd4df8c830cc4da87b8cd4d0c76012de", "name": "Yu\\u004eet \\ud83d\\ude00"},
        {"role": "recogniser", "file": "recogniser.onnx", "bytes": 38689265, "licence": "Apache-2.0", "source": "x", "other": [1, -2.5e3, null],
        "sha256": "7c260c3ad989bd7ca054b7d0c70dfad5117f6046d2a8eb6e0ce64736a2bb1b4a"}]}
        """.utf8)

    /// Flips, cuts, repeats and inserts.
    private static func mutate(_ bytes: [UInt8], _ state: inout UInt64) -> [UInt8] {
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(1, bound)
        }
        var bytes = bytes
        for _ in 0...next(3) {
            let at = next(bytes.count)
            switch next(5) {
            case 0: if !bytes.isEmpty { bytes[at] = UInt8(next(256)) }
            case 1: bytes.removeSubrange(at..<min(bytes.count, at + next(40)))
            case 2: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + next(40))], at: at)
            case 3: bytes = Array(bytes[..<at])
            default: bytes.insert(Array("{}[]\",:\\0eE".utf8)[next(11)], at: at)
            }
        }
        return bytes
    }

    @Test func aMutatedManifestIsRefusedOrWellFormed() throws {
        _ = try ModelManifest(Self.manifest, path: "m")
        var state: UInt64 = 20_261_130
        var passed = 0
        for _ in 0..<20_000 {
            let bytes = Self.mutate(Self.manifest, &state)
            guard let manifest = try? ModelManifest(bytes, path: "m") else { continue }
            passed += 1
            for entry in manifest.entries {
                #expect(entry.sha256.utf8.count == 64 && Hex.bytes(entry.sha256) != nil)
                #expect(!entry.file.contains("/") && !entry.file.hasPrefix(".") && entry.bytes > 0)
            }
        }
        #expect((1...15_000).contains(passed), "some mutations are harmless, most are not: \(passed)")
    }

    @Test func aMutatedListOfTerminalsNeverTraps() {
        var record = [UInt8](repeating: 0, count: 384)
        record[0] = 7
        for (index, byte) in "pts/3".utf8.enumerated() { record[8 + index] = byte }
        for (index, byte) in "far".utf8.enumerated() { record[76 + index] = byte }
        #expect(TerminalList.host(of: "pts/3", in: record) == "far")
        var state: UInt64 = 7
        for _ in 0..<20_000 { _ = TerminalList.host(of: "pts/3", in: Self.mutate(record + record, &state)) }
    }
}
