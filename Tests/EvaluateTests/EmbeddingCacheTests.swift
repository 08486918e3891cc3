// SPDX-License-Identifier: Apache-2.0
// Work survives an interruption, and belongs to the models it was made with.

import FoundationEssentials
import Testing

@testable import secondlook_evaluate

@Suite struct EmbeddingCacheTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "cache-\(UUID().uuidString)").path
    private let numbers = (0..<128).map { Float($0) / 7 - 3 }

    @Test func keepsEverythingExactly() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let cache = try EmbeddingCache(path: path, key: "k")
        try cache.add("a", numbers)
        try cache.add("none", [])
        let again = try EmbeddingCache(path: path, key: "k")
        #expect(again["a"] == numbers && again["none"] == [] && again["b"] == nil && again.count == 2)
    }

    @Test func forgetsWhatOtherModelsMade() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try EmbeddingCache(path: path, key: "k").add("a", numbers)
        #expect(try EmbeddingCache(path: path, key: "other").count == 0)
    }

    @Test func leavesOutAHalfLine() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let cache = try EmbeddingCache(path: path, key: "k")
        try cache.add("a", numbers)
        try cache.add("b", numbers)
        let text = String(decoding: try Files.load(path), as: UTF8.self)
        for cut in [1, 2, 3, 40, 500] {
            try Files.save(String(text.dropLast(cut)), to: path)
            let again = try EmbeddingCache(path: path, key: "k")
            #expect(again["a"] == numbers)
            #expect(again["b"] == (cut == 1 ? numbers : nil))
            try again.add("c", numbers)
            #expect(try EmbeddingCache(path: path, key: "k")["c"] == numbers)
        }
    }
}
