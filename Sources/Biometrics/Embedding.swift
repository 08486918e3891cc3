// SPDX-License-Identifier: Apache-2.0
// The 128 numbers that stand for a face. A value of this type is always finite and of unit length, so that no comparison can meet a NaN.

/// A face as SFace describes it: 128 numbers of unit Euclidean length.
public struct Embedding: Sendable, Equatable {
    /// How many numbers there are.
    public static let dimension = 128

    /// The numbers, of unit length together.
    public let values: [Float]

    /// Normalises `raw`; nil when it has another length, a number that is not finite, or (nearly) no length.
    public init?(_ raw: [Float]) {
        guard raw.count == Embedding.dimension, raw.allSatisfy(\.isFinite) else { return nil }
        let squares = raw.reduce(Float(0)) { $0 + $1 * $1 }
        guard squares.isFinite, squares > 1e-12 else { return nil }
        let scale = 1 / squares.squareRoot()
        guard scale.isFinite else { return nil }
        values = raw.map { $0 * scale }
    }

    /// The cosine of the angle between the two, -1 (opposite) to 1 (same direction).
    public func similarity(to other: Embedding) -> Float {
        var sum: Float = 0
        for i in 0..<Embedding.dimension { sum += values[i] * other.values[i] }
        return min(1, max(-1, sum))
    }

    /// The normalised mean of several embeddings; nil when there is none or they cancel out.
    public static func mean(of embeddings: [Embedding]) -> Embedding? {
        var sum = [Float](repeating: 0, count: dimension)
        for embedding in embeddings {
            for i in 0..<dimension { sum[i] += embedding.values[i] }
        }
        return Embedding(sum)
    }
}
