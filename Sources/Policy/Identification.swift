// SPDX-License-Identifier: Apache-2.0
// Who of many is nearest to a face. The comparison alone: whether the nearest is near enough is for the caller's threshold, and whether
// somebody living was seen is for the judge.

public import Biometrics

/// Someone, or one of someone's enrolments, with how like the face is.
public struct Candidate: Sendable, Equatable {
    /// The name that was given with the reference.
    public let name: String
    /// Cosine against the reference, -1 to 1.
    public let similarity: Float

    /// A candidate.
    public init(name: String, similarity: Float) {
        self.name = name
        self.similarity = similarity
    }
}

/// People, or the labels of one of them, whom a face is compared with.
public struct Identification: Sendable {
    private let names: [String]
    private let references: [Embedding]
    private let gallery: Gallery

    /// The comparison with these, one reference a name.
    public init(_ people: [(name: String, reference: Embedding)]) {
        names = people.map(\.name)
        references = people.map(\.reference)
        gallery = Gallery(references)
    }

    /// With how many a face is compared.
    public var count: Int { names.count }

    /// The nearest to a probe, the nearest first, at most `most` of them; equal ones in the order in which they were given.
    public func nearest(to probe: Embedding, most: Int) -> [Candidate] {
        gallery.nearest(to: probe, most: most).map { Candidate(name: names[$0.index], similarity: $0.similarity) }
    }

    /// What stands for the first of them; nil when there is none.
    public var first: Embedding? { references.first }

    /// What stands for a name, byte for byte; nil for a name that was not given.
    public func reference(of name: String) -> Embedding? {
        names.firstIndex { $0.utf8.elementsEqual(name.utf8) }.map { references[$0] }
    }
}

extension EnrolledUser {
    /// The label whose samples are nearest to a probe; nil when nothing was enrolled with the recogniser `model`.
    public func nearestLabel(to probe: Embedding, model: String) -> Candidate? {
        let means = templates.filter { $0.model == model }.compactMap { template in
            Embedding.mean(of: template.embeddings).map { (name: template.label, reference: $0) }
        }
        return Identification(means).nearest(to: probe, most: 1).first
    }
}

extension Calibration {
    /// The threshold where a face is compared with `count` people at once; with one of them it is `threshold(for:)`.
    ///
    /// Each comparison is a chance of a false match of its own, so each may have only the count's part of the level's rate. Between and
    /// beyond the three measured rates the threshold is continued by its slope a decade; a hand-written cosine stays as it is.
    public static func threshold(for level: MatchLevel, among count: Int) -> Float {
        let measured = [MatchLevel.balanced, .strict, .paranoid].map { threshold(for: $0) }
        let first: Float
        switch level {
        case .balanced: first = 0
        case .strict: first = 1
        case .paranoid: first = 2
        case .cosine(let cosine): return cosine
        }
        let place = first + decades(count)
        let lower = min(1, max(0, Int(place)))
        let slope = measured[lower + 1] - measured[lower]
        return min(0.95, measured[lower] + (place - Float(lower)) * slope)
    }

    /// The decimal logarithm of a count of at least one: exact at the powers of two, and by the tangents there a little above it between them,
    /// so that the threshold errs upwards.
    private static func decades(_ count: Int) -> Float {
        let number = Float(max(1, count))
        let binary = min(1.4427 * (number.significand - 1), 1 - 0.7213 * (2 - number.significand))
        return 0.30103 * (Float(number.exponent) + binary)
    }
}
