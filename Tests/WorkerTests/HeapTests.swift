// SPDX-License-Identifier: Apache-2.0
// What a login needs of the heap is made at once, before the first frame: later each page of it would be a fault of its own.

import Foundation
import Platform
import Testing
import Vision

@Suite(.enabled(if: SpawnedWorker.isPossible, "needs SECONDLOOK_MODELS, and root")) struct HeapTests {
    /// A folder with the models prepared for this processor, as an installation has them.
    private func preparedModels() throws -> URL {
        let source = try #require(SpawnedWorker.models)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("prepared-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let library = folder.appendingPathComponent("libonnxruntime.so")
        try FileManager.default.copyItem(atPath: "\(source)/libonnxruntime.so", toPath: library.path)
        let runtime = try InferenceRuntime(path: library.path)
        for role in [ModelRole.detector, .recogniser] {
            let target = folder.appendingPathComponent("\(role.rawValue).onnx").path
            try runtime.prepare(role, .path("\(source)/\(role.rawValue).onnx"), into: target)
        }
        return folder
    }

    /// Kilobytes of the heap: laid out, and with pages.
    private func heap(of process: Int32) throws -> (size: Int, present: Int) {
        let text = String(decoding: try SafeFile.readUnchecked("/proc/\(process)/smaps", limit: 8 << 20), as: UTF8.self)
        let lines = text.split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasSuffix("[heap]") })
        func number(_ name: String) throws -> Int {
            let line = try #require(lines[start...].first { $0.hasPrefix("\(name):") })
            return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        }
        return (try number("Size"), try number("Rss"))
    }

    @Test func whatALoginNeedsIsThereBeforeTheFirstFrame() throws {
        let folder = try preparedModels()
        defer { try? FileManager.default.removeItem(at: folder) }
        var worker = try SpawnedWorker(
            try SpawnedWorker.programs() + "/secondlook-vision", modelsIn: folder.path)
        #expect(try worker.reply() != nil)
        let heap = try heap(of: worker.child.process)
        #expect(heap.size >= 24 << 10, "\(heap)")
        #expect(heap.present >= heap.size - (1 << 10), "\(heap)")
        try worker.endSending()
        #expect(try worker.child.wait(until: SystemTime().now() + 10_000) == .exited(0))
    }
}
