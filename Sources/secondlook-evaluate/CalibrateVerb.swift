// SPDX-License-Identifier: Apache-2.0
// The thresholds of the product, measured for the rule it uses: several enrolled pictures, several probes, one decision. What counts is the
// false-match rate of an attempt, not of a comparison.

import Biometrics

/// `secondlook-evaluate calibrate`.
enum CalibrateVerb {
    static let usage = "--images DIR --json OUT [--html OUT] [--enrol K] [--draws N] " + PictureEmbedder.usage

    static func run(_ arguments: Arguments) throws {
        try arguments.only(PictureEmbedder.options.union(["images", "json", "html", "enrol", "draws"]))
        let out = try arguments.required("json")
        let count = try arguments.number("enrol", 3)
        let draws = try arguments.number("draws", 3)
        let pictures = try PictureFolder.pictures(in: try arguments.required("images"))
        let embeddings = try PictureEmbedder(arguments).embeddings(
            of: pictures, cache: arguments.optional("cache") ?? out + ".embeddings")
        let people = CalibrateVerb.people(pictures, embeddings)
        let rules = Rule.all(enrolled: count)
        let scores = try Parallel.map(rules, label: "rules", makeState: {}) { _, rule in
            Attempts.compare(people, rule, draws: draws)
        }
        let results = Array(zip(rules, scores))
        let thresholds = Thresholds(results)
        try Files.save(report(results, thresholds, pictures.count, embeddings.count).rendered() + "\n", to: out)
        if let page = arguments.optional("html") {
            try Files.save(CalibrationPage.render(results, thresholds), to: page)
        }
        summarise(results, thresholds)
    }

    /// The embeddings of each person, in the pictures' order.
    static func people(_ pictures: [PersonPicture], _ embeddings: [String: Embedding]) -> [[Embedding]] {
        var order: [String] = []
        var byPerson: [String: [Embedding]] = [:]
        for picture in pictures {
            guard let embedding = embeddings[picture.name] else { continue }
            if byPerson[picture.person] == nil { order.append(picture.person) }
            byPerson[picture.person, default: []].append(embedding)
        }
        return order.compactMap { byPerson[$0] }
    }

    private static func report(
        _ results: [(Rule, ScoreSet)], _ thresholds: Thresholds, _ pictures: Int, _ described: Int
    ) -> Json {
        .object([
            ("pictures", .whole(pictures)), ("not_detected", .whole(pictures - described)),
            (
                "rules",
                .list(
                    results.map { rule, scores in
                        .object([
                            ("rule", .text(rule.name)), ("enrolled", .whole(rule.enrolled)),
                            ("probes", .whole(rule.probes)),
                            ("genuine", .whole(scores.genuine.count)), ("impostor", .whole(scores.impostor.count)),
                            ("fnmr_at_fmr", scores.fnmrAtFmr),
                        ])
                    })
            ),
            ("thresholds", .object(thresholds.levels.map { ($0.name, .real(Double($0.cosine))) })),
        ])
    }

    private static func summarise(_ results: [(Rule, ScoreSet)], _ thresholds: Thresholds) {
        for (rule, scores) in results {
            print("\(rule.name): \(scores.genuine.count) genuine, \(scores.impostor.count) impostor attempts")
            for (name, rate) in ScoreSet.points where Double(scores.impostor.count) * rate >= 1 {
                let threshold = scores.threshold(atFalseMatchRate: rate)
                let misses = scores.falseNonMatches(at: threshold)
                print("  FMR \(name): cosine \(fixed(Double(threshold), 3)), FNMR \(misses.words)")
            }
        }
        for level in thresholds.levels { print("\(level.name): \(fixed(Double(level.cosine), 3))") }
    }
}

/// The levels' thresholds.
struct Thresholds {
    /// Name of the level, the false-match rate of an attempt it stands for, and the cosine.
    let levels: [(name: String, rate: Double, cosine: Float)]

    /// For each level the highest threshold among the rules that may apply to an attempt, rounded up to three digits.
    ///
    /// The product compares the mean of what is enrolled with the mean of what was seen. How much such means differ from single pictures
    /// depends on how much the pictures differ, which a login does not choose: so one picture and several both bound it. Rules with fewer
    /// than ten false matches at 1e-5 are not asked. One in a million is beyond what such folders measure: the few best impostors of them
    /// are one person under two names. That level continues the last three decades by a parabola.
    init(_ results: [(Rule, ScoreSet)]) {
        let asked = results.filter { $0.0.isInUse && Double($0.1.impostor.count) * 1e-5 >= 10 }.map(\.1)
        func highest(_ threshold: (ScoreSet) -> Float) -> Float {
            ((asked.map(threshold).max() ?? 1) * 1000).rounded(.up) / 1000
        }
        levels = [
            ("balanced", 1e-4, highest { $0.threshold(atFalseMatchRate: 1e-4) }),
            ("strict", 1e-5, highest { $0.threshold(atFalseMatchRate: 1e-5) }),
            (
                "paranoid", 1e-6,
                highest { scores in
                    let (a, b, c) = (
                        scores.threshold(atFalseMatchRate: 1e-3), scores.threshold(atFalseMatchRate: 1e-4),
                        scores.threshold(atFalseMatchRate: 1e-5)
                    )
                    return max(c, 3 * c - 3 * b + a)
                }
            ),
        ]
    }
}
