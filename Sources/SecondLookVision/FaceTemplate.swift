// SPDX-License-Identifier: Apache-2.0
// The numbers that stand for a face, and what can be done with them without a picture.

import Biometrics
import Policy

/// How sure a comparison is to be: how often two different people are taken for one.
public enum FalseMatchRate: Sendable, Equatable, CaseIterable {
    /// One in 10,000.
    case oneInTenThousand
    /// One in 100,000, the default of a login.
    case oneInHundredThousand
    /// One in a million.
    case oneInMillion

    /// The similarity from which two faces count as one person.
    ///
    /// Measured for the mean of several pictures against the mean of several (docs/accuracy.md); a single poor picture is refused more often,
    /// not accepted more often.
    public var threshold: Float {
        switch self {
        case .oneInTenThousand: Calibration.threshold(for: .balanced)
        case .oneInHundredThousand: Calibration.threshold(for: .strict)
        case .oneInMillion: Calibration.threshold(for: .paranoid)
        }
    }
}

/// 128 numbers of unit length that stand for a face.
///
/// Those of different recognisers cannot be compared. They are personal data of the most lasting kind: whoever keeps them is to seal them.
public struct FaceTemplate: Sendable, Equatable {
    /// How many numbers there are.
    public static let count = Embedding.dimension

    let embedding: Embedding

    /// The numbers, together of unit Euclidean length.
    public var values: [Float] { embedding.values }

    init(_ embedding: Embedding) { self.embedding = embedding }

    /// Takes numbers that were kept; they are brought to unit length.
    ///
    /// - Throws: `template` when there are not `count` of them, one is not finite, or all are 0.
    public init(values: [Float]) throws(SecondLookVisionError) {
        guard let embedding = Embedding(values) else {
            throw .template("a template is \(FaceTemplate.count) finite numbers that are not all 0")
        }
        self.embedding = embedding
    }

    /// The normalised mean: one template of several pictures of one person, better than any of them.
    ///
    /// - Throws: `template` when there is none, or they cancel each other out.
    public static func mean(of templates: [FaceTemplate]) throws(SecondLookVisionError) -> FaceTemplate {
        guard let mean = Embedding.mean(of: templates.map(\.embedding)) else {
            throw .template("a mean needs at least one template")
        }
        return FaceTemplate(mean)
    }

    /// The cosine of the angle between the two, -1 to 1; higher is more alike.
    public func similarity(to other: FaceTemplate) -> Float { embedding.similarity(to: other.embedding) }

    /// Whether the two are one person, at the rate given.
    public func matches(_ other: FaceTemplate, at rate: FalseMatchRate = .oneInHundredThousand) -> Bool {
        similarity(to: other) >= rate.threshold
    }
}

/// Somebody who may be in a picture.
public struct KnownFace: Sendable, Equatable {
    /// Whatever the caller calls the person.
    public var name: String
    /// The person's template.
    public var template: FaceTemplate

    /// A name with its template.
    public init(name: String, template: FaceTemplate) {
        self.name = name
        self.template = template
    }
}

/// The answer to "who is this?".
public struct Identification: Sendable, Equatable {
    /// The name most like the face.
    public var name: String
    /// How like, -1 to 1.
    public var similarity: Float
    /// How much less like the next name is, 0 to 2; nil when there is no other name.
    public var margin: Float?
}

extension FaceTemplate {
    /// The best of many names, or nil when nobody is like enough.
    ///
    /// Among n people somebody is taken for another n times as often as in a single comparison, so the rate is to be chosen with n in mind.
    /// Several templates under one name count by the best of them.
    public func identify(
        among known: [KnownFace], at rate: FalseMatchRate = .oneInHundredThousand
    ) -> Identification? {
        guard let best = rank(among: known).first, best.similarity >= rate.threshold else { return nil }
        return best
    }

    /// All names by their similarity, the most like first, each with its margin to the next.
    public func rank(among known: [KnownFace]) -> [Identification] {
        var best: [String: Float] = [:]
        for face in known { best[face.name] = max(best[face.name] ?? -1, similarity(to: face.template)) }
        let sorted = best.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
        return sorted.indices.map { index in
            let next = index + 1 < sorted.count ? sorted[index + 1].value : nil
            return Identification(
                name: sorted[index].key, similarity: sorted[index].value, margin: next.map { sorted[index].value - $0 })
        }
    }
}
