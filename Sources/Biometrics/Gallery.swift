// SPDX-License-Identifier: Apache-2.0
// Many templates, searched for the ones nearest to a probe. The rows lie one behind the other in memory and are compared sixteen numbers at a
// time; what comes out is what comparing one after the other would give, to the last bit, ties included.

/// Embeddings that one probe is compared with.
public struct Gallery: Sendable {
    /// One of the gallery's rows and how near it is.
    public struct Match: Sendable, Equatable {
        /// The place of the row: rows count from 0 in the order in which they were added.
        public let index: Int
        /// The cosine, exactly `Embedding.similarity(to:)`.
        public let similarity: Float

        /// A match.
        public init(index: Int, similarity: Float) {
            self.index = index
            self.similarity = similarity
        }
    }

    private typealias Lane = SIMD16<Float>
    private static let lanes = Embedding.dimension / Lane.scalarCount
    /// How far a sum of 128 products of numbers of unit length may lie from another that adds in another order, twice: at most
    /// 128 x 2^-24 for each of the two orders of each of the two rows compared, 3.1e-5 together (Higham, "Accuracy and stability of
    /// numerical algorithms", section 3.1, with Cauchy and Schwarz for the sum of the products' amounts).
    private static let slack: Float = 1e-4

    private var storage: [Lane] = []

    /// An empty gallery with room for so many rows.
    public init(capacity: Int = 0) { storage.reserveCapacity(capacity * Gallery.lanes) }

    /// A gallery of these, in their order.
    public init(_ embeddings: some Collection<Embedding>) {
        self.init(capacity: embeddings.count)
        for embedding in embeddings { append(embedding) }
    }

    /// How many rows there are.
    public var count: Int { storage.count / Gallery.lanes }

    /// Adds a row at the end.
    public mutating func append(_ embedding: Embedding) {
        storage.append(contentsOf: Gallery.split(embedding))
    }

    /// The rows nearest to a probe, the nearest first and, of rows equally near, the one that was added first; all of them when there are
    /// no more than `most`.
    public func nearest(to probe: Embedding, most: Int = 1) -> [Match] {
        guard most > 0, count > 0 else { return [] }
        let rough = products(with: probe)
        let bound = Gallery.largest(most, of: rough) - Gallery.slack
        var matches: [Match] = []
        for (index, product) in rough.enumerated() where product >= bound {
            matches.append(Match(index: index, similarity: similarity(of: index, to: probe)))
        }
        matches.sort { ($1.similarity, $0.index) < ($0.similarity, $1.index) }
        return Array(matches.prefix(most))
    }

    /// The inner product of each row with the probe, added up lane by lane: near the similarity, not equal to it.
    private func products(with probe: Embedding) -> [Float] {
        let wanted = Gallery.split(probe)
        let (a, b, c, d) = (wanted[0], wanted[1], wanted[2], wanted[3])
        let (e, f, g, h) = (wanted[4], wanted[5], wanted[6], wanted[7])
        let rows = storage.span
        var products: [Float] = []
        products.reserveCapacity(count)
        for at in stride(from: 0, to: rows.count, by: 8) {
            let first = rows[at] * a + rows[at + 1] * b
            let second = rows[at + 2] * c + rows[at + 3] * d
            let third = rows[at + 4] * e + rows[at + 5] * f
            let fourth = rows[at + 6] * g + rows[at + 7] * h
            products.append(((first + second) + (third + fourth)).sum())
        }
        return products
    }

    /// The similarity as `Embedding` adds it up: number by number.
    private func similarity(of index: Int, to probe: Embedding) -> Float {
        var sum: Float = 0
        for i in 0..<Embedding.dimension {
            sum += storage[index * Gallery.lanes + i / Lane.scalarCount][i % Lane.scalarCount] * probe.values[i]
        }
        return min(1, max(-1, sum))
    }

    /// The `most`-th largest number; the least when there are fewer.
    private static func largest(_ most: Int, of numbers: [Float]) -> Float {
        guard most < numbers.count else { return numbers.min() ?? 0 }
        guard most > 1 else { return numbers.max() ?? 0 }
        // Ascending; the first is the one to beat.
        var best = numbers[..<most].sorted()
        for number in numbers[most...] where number > best[0] {
            let place = best.firstIndex { $0 >= number } ?? most
            best.insert(number, at: place)
            best.removeFirst()
        }
        return best[0]
    }

    private static func split(_ embedding: Embedding) -> [Lane] {
        (0..<lanes).map { lane in
            Lane(embedding.values[lane * Lane.scalarCount..<(lane + 1) * Lane.scalarCount])
        }
    }
}
