// SPDX-License-Identifier: Apache-2.0
// Samples as bytes: what is inside the seal. The seal tells whether someone changed them; this tells whether they ever made sense.

import Biometrics

/// The bytes of samples: per sample 128 little-endian singles.
enum TemplateBlob {
    static let bytesPerSample = Embedding.dimension * 4
    /// The most samples in one enrolment.
    static let mostSamples = 64

    static func encode(_ embeddings: [Embedding]) -> [UInt8] {
        embeddings.flatMap(\.values).flatMap { value in
            (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt32($0 * 8)) }
        }
    }

    /// Nil for another length, no samples, a number that is not finite, or a sample that is not of unit length.
    static func decode(_ bytes: [UInt8]) -> [Embedding]? {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: bytesPerSample),
            bytes.count / bytesPerSample <= mostSamples
        else { return nil }
        var embeddings: [Embedding] = []
        for start in stride(from: 0, to: bytes.count, by: bytesPerSample) {
            let values = (0..<Embedding.dimension).map { index in
                let at = start + index * 4
                let bits =
                    UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16
                    | UInt32(bytes[at + 3]) << 24
                return Float(bitPattern: bits)
            }
            let squares = values.reduce(Float(0)) { $0 + $1 * $1 }
            guard squares.isFinite, (0.98...1.02).contains(squares), let embedding = Embedding(values) else {
                return nil
            }
            embeddings.append(embedding)
        }
        return embeddings
    }
}
