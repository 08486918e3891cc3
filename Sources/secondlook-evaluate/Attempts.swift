// SPDX-License-Identifier: Apache-2.0
// Whole attempts by a rule: what is enrolled of one person against what is seen of the same or of another.

import Biometrics

/// How several enrolled pictures and several probes become one score.
struct Rule: Sendable {
    /// How scores or embeddings are joined.
    enum Joining: Sendable {
        /// The normalised mean of the embeddings.
        case mean
        /// The best of all scores.
        case best
        /// The mean of the two best scores.
        case bestTwo
    }

    var name: String
    var enrolled: Int
    var probes: Int
    var enrolment: Joining
    var seen: Joining
    /// Whether an attempt of the product may be one of this kind.
    var isInUse: Bool { enrolment == .mean && seen == .mean }

    /// The rules that are compared.
    static func all(enrolled count: Int) -> [Rule] {
        [
            Rule(name: "one picture, one probe", enrolled: 1, probes: 1, enrolment: .mean, seen: .mean),
            Rule(name: "mean of \(count), one probe", enrolled: count, probes: 1, enrolment: .mean, seen: .mean),
            Rule(name: "best of \(count), one probe", enrolled: count, probes: 1, enrolment: .best, seen: .mean),
            Rule(
                name: "mean of the best two of \(count), one probe", enrolled: count, probes: 1, enrolment: .bestTwo,
                seen: .mean),
            Rule(name: "mean of \(count), mean of 2 probes", enrolled: count, probes: 2, enrolment: .mean, seen: .mean),
            Rule(name: "mean of \(count), mean of 3 probes", enrolled: count, probes: 3, enrolment: .mean, seen: .mean),
            Rule(name: "mean of \(count), best of 3 probes", enrolled: count, probes: 3, enrolment: .mean, seen: .best),
            Rule(name: "best of \(count), best of 3 probes", enrolled: count, probes: 3, enrolment: .best, seen: .best),
        ]
    }

    /// What is kept of an enrolment or of what was seen: one mean, or all.
    static func kept(_ embeddings: [Embedding], _ joining: Joining) -> [Embedding] {
        guard joining == .mean else { return embeddings }
        return Embedding.mean(of: embeddings).map { [$0] } ?? []
    }

    /// The score of an attempt.
    func score(_ template: [Embedding], _ probe: [Embedding]) -> Float {
        let scores = probe.map { seen -> Float in
            let each = template.map { $0.similarity(to: seen) }.sorted(by: >)
            guard enrolment == .bestTwo, each.count >= 2 else { return each.first ?? -1 }
            return (each[0] + each[1]) / 2
        }
        return scores.max() ?? -1
    }
}

/// Making all attempts.
enum Attempts {
    /// Enrols everybody who has more pictures than the rule takes for it, several times, and looks at everybody's other pictures.
    ///
    /// Each time other pictures are enrolled: a person's pictures are turned round like a wheel, by an equal part of it for each draw, and
    /// the first ones are enrolled. Of another person all pictures are probes: nothing of them is enrolled in the comparison.
    static func compare(_ people: [[Embedding]], _ rule: Rule, draws: Int = 1) -> ScoreSet {
        let probes = people.map { Attempts.probes(of: $0[...], rule) }
        var (genuine, impostor) = ([Float](), [Float]())
        for (index, person) in people.enumerated() where person.count > rule.enrolled {
            for draw in 0..<min(draws, person.count) {
                let start = draw * max(1, person.count / draws)
                let turned = Array(person[start...] + person[..<start])
                let template = Rule.kept(Array(turned.prefix(rule.enrolled)), rule.enrolment)
                for probe in Attempts.probes(of: turned.dropFirst(rule.enrolled), rule) {
                    genuine.append(rule.score(template, probe))
                }
                for (other, list) in probes.enumerated() where other != index {
                    for probe in list { impostor.append(rule.score(template, probe)) }
                }
            }
        }
        return ScoreSet(genuine: genuine, impostor: impostor)
    }

    /// Every run of neighbouring pictures as long as the rule sees.
    private static func probes(of pictures: ArraySlice<Embedding>, _ rule: Rule) -> [[Embedding]] {
        guard pictures.count >= rule.probes else { return [] }
        return (pictures.startIndex...(pictures.endIndex - rule.probes)).map { start in
            Rule.kept(Array(pictures[start..<(start + rule.probes)]), rule.seen)
        }
    }
}
