// SPDX-License-Identifier: Apache-2.0
// Embeddings that an earlier, perhaps interrupted run has made. One line a picture, appended as it is done: whatever the end, all whole
// lines count. The first line names the models and settings; under others the file is begun anew.

import Biometrics
import Foundation
import Synchronization

/// A file of embeddings.
final class EmbeddingCache: Sendable {
    private let path: String
    private let state: Mutex<[String: [Float]]>

    /// Opens or begins the file.
    ///
    /// An entry of no numbers says that no face was found.
    init(path: String, key: String) throws {
        self.path = path
        let head = "secondlook-embeddings 1 \(key)\n"
        var known: [String: [Float]] = [:]
        if FileManager.default.fileExists(atPath: path) {
            let text = String(decoding: try Files.load(path), as: UTF8.self)
            if text.hasPrefix(head) {
                for line in text.dropFirst(head.count).split(separator: "\n", omittingEmptySubsequences: true) {
                    guard let entry = EmbeddingCache.parse(line) else { continue }
                    known[entry.name] = entry.values
                }
                // Written again without the half line an interruption may have left.
                let lines = known.sorted { $0.key < $1.key }.map { EmbeddingCache.line($0.key, $0.value) }
                try Files.save(head + lines.joined(), to: path)
                state = Mutex(known)
                return
            }
        }
        try Files.save(head, to: path)
        state = Mutex(known)
    }

    var count: Int { state.withLock { $0.count } }

    subscript(_ name: String) -> [Float]? { state.withLock { $0[name] } }

    /// Remembers a picture's embedding, in memory and in the file.
    func add(_ name: String, _ values: [Float]) throws {
        try state.withLock { known in
            known[name] = values
            try Files.append(EmbeddingCache.line(name, values), to: path)
        }
    }

    private static func line(_ name: String, _ values: [Float]) -> String {
        name + " " + values.map { String($0.bitPattern, radix: 36) }.joined(separator: ",") + " .\n"
    }

    private static func parse(_ line: Substring) -> (name: String, values: [Float])? {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2] == "." else { return nil }
        let numbers = parts[1].split(separator: ",").map { UInt32($0, radix: 36) }
        guard numbers.isEmpty || numbers.count == Embedding.dimension else { return nil }
        var values: [Float] = []
        for number in numbers {
            guard let number else { return nil }
            values.append(Float(bitPattern: number))
        }
        return (String(parts[0]), values)
    }
}
