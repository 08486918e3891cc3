// SPDX-License-Identifier: Apache-2.0
// Every picture against every other. Millions of comparisons: rows are dealt out to all cores, numbers lie in one block.

import Biometrics

/// Comparing all with all.
enum AllPairs {
    /// Similarities of all pairs of pictures that have an embedding.
    static func compare(_ pictures: [PersonPicture], _ embeddings: [String: Embedding]) throws -> ScoreSet {
        let present = pictures.filter { embeddings[$0.name] != nil }
        let people = present.map(\.person)
        let block = present.flatMap { embeddings[$0.name]?.values ?? [] }
        // Long and short rows are mixed: the first has as many partners as there are pictures, the last none.
        let stripes = min(64, max(1, present.count))
        let parts = try Parallel.map(Array(0..<stripes), label: "pairs", makeState: {}) { _, stripe in
            var (genuine, impostor) = ([Float](), [Float]())
            for i in stride(from: stripe, to: present.count, by: stripes) {
                for j in (i + 1)..<max(i + 1, present.count) {
                    let score = similarity(block, i, j)
                    if people[i] == people[j] { genuine.append(score) } else { impostor.append(score) }
                }
            }
            return (genuine, impostor)
        }
        return ScoreSet(genuine: parts.flatMap(\.0), impostor: parts.flatMap(\.1))
    }

    /// The same product as `Embedding.similarity`, in eight lanes.
    private static func similarity(_ block: [Float], _ i: Int, _ j: Int) -> Float {
        let (a, b) = (i * Embedding.dimension, j * Embedding.dimension)
        var sums = SIMD8<Float>(repeating: 0)
        for k in stride(from: 0, to: Embedding.dimension, by: 8) {
            for lane in 0..<8 { sums[lane] += block[a + k + lane] * block[b + k + lane] }
        }
        return min(1, max(-1, sums.sum()))
    }
}
