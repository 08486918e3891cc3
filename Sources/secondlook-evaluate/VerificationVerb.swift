// SPDX-License-Identifier: Apache-2.0
// One picture against one picture, by the protocols of Labeled Faces in the Wild: the listed pairs, and every pair there is.

import Biometrics

/// `secondlook-evaluate verification`.
enum VerificationVerb {
    static let usage = "--images DIR --pairs FILE [--all-pairs] --json OUT [--html OUT] " + PictureEmbedder.usage

    static func run(_ arguments: Arguments) throws {
        try arguments.only(PictureEmbedder.options.union(["images", "pairs", "all-pairs", "json", "html"]))
        let out = try arguments.required("json")
        let pairs = try PairFile.read(try arguments.required("pairs"))
        let pictures = try PictureFolder.pictures(in: try arguments.required("images"))
        let known = Set(pictures.map(\.name))
        for pair in pairs {
            for name in [pair.first, pair.second] where !known.contains(name) {
                throw EvaluateError.file(name, "named by the pairs, but not among the images")
            }
        }
        // Without --all-pairs only the pictures of the pairs matter.
        let wanted = Set(pairs.flatMap { [$0.first, $0.second] })
        let used = arguments.has("all-pairs") ? pictures : pictures.filter { wanted.contains($0.name) }
        let embedder = try PictureEmbedder(arguments)
        let embeddings = try embedder.embeddings(
            of: used, cache: arguments.optional("cache") ?? out + ".embeddings")

        let listed = PairResult(pairs, embeddings)
        let all = arguments.has("all-pairs") ? try AllPairs.compare(used, embeddings) : nil
        let missing = Rate(errors: used.count - embeddings.count, trials: used.count)
        try Files.save(report(listed, all, missing, used, embeddings).rendered() + "\n", to: out)
        if let page = arguments.optional("html") {
            try Files.save(VerificationPage.render(listed, all, missing, pictures: used.count), to: page)
        }
        summarise(listed, all, missing)
    }

    private static func report(
        _ listed: PairResult, _ all: ScoreSet?, _ missing: Rate, _ pictures: [PersonPicture],
        _ embeddings: [String: Embedding]
    ) -> Json {
        var parts: [(String, Json)] = [
            ("pictures", .whole(pictures.count)), ("not_detected", .whole(missing.errors)),
            ("not_detected_rate", missing.json),
            ("not_detected_pictures", .list(pictures.map(\.name).filter { embeddings[$0] == nil }.map { .text($0) })),
            (
                "pairs",
                .object([
                    ("accuracy", .real(1 - listed.mistakes.value)),
                    ("accuracy_interval", listed.accuracyInterval), ("threshold", .real(Double(listed.threshold))),
                    ("genuine", .whole(listed.scores.genuine.count)),
                    ("impostor", .whole(listed.scores.impostor.count)),
                    ("skipped", .whole(listed.skipped)), ("fnmr_at_fmr", listed.scores.fnmrAtFmr),
                ])
            ),
        ]
        if let all {
            parts.append(
                (
                    "all_pairs",
                    .object([
                        ("genuine", .whole(all.genuine.count)), ("impostor", .whole(all.impostor.count)),
                        ("fnmr_at_fmr", all.fnmrAtFmr),
                    ])
                ))
        }
        return .object(parts)
    }

    private static func summarise(_ listed: PairResult, _ all: ScoreSet?, _ missing: Rate) {
        print("not detected: \(missing.errors) of \(missing.trials) pictures")
        print("pairs: accuracy \(percent(1 - listed.mistakes.value)) %, \(listed.skipped) skipped")
        guard let all else { return }
        print("all pairs: \(all.genuine.count) genuine, \(all.impostor.count) impostor")
        for (name, rate) in ScoreSet.points {
            let threshold = all.threshold(atFalseMatchRate: rate)
            print(
                "  FMR \(name): cosine \(fixed(Double(threshold), 3)), FNMR \(all.falseNonMatches(at: threshold).words)"
            )
        }
    }
}

/// The listed pairs, judged by cross-validation.
struct PairResult {
    let scores: ScoreSet
    /// Wrong answers, each pair judged by the threshold that served the other parts best.
    let mistakes: Rate
    /// The threshold that serves all of them best.
    let threshold: Float
    /// Pairs with a picture in which no face was found; they are in no rate.
    let skipped: Int

    var accuracyInterval: Json {
        let (low, high) = (mistakes.interval.low, mistakes.interval.high)
        return .list([.real(1 - high), .real(1 - low)])
    }

    init(_ pairs: [Pair], _ embeddings: [String: Embedding]) {
        var scored: [(score: Float, isSame: Bool, fold: Int)] = []
        for pair in pairs {
            guard let a = embeddings[pair.first], let b = embeddings[pair.second] else { continue }
            scored.append((a.similarity(to: b), pair.isSame, pair.fold))
        }
        skipped = pairs.count - scored.count
        scores = ScoreSet(
            genuine: scored.filter(\.isSame).map(\.score), impostor: scored.filter { !$0.isSame }.map(\.score))
        threshold = PairResult.best(scored.map { ($0.score, $0.isSame) })
        var errors = 0
        for fold in Set(scored.map(\.fold)) {
            let limit = PairResult.best(scored.filter { $0.fold != fold }.map { ($0.score, $0.isSame) })
            errors += scored.count { $0.fold == fold && ($0.score >= limit) != $0.isSame }
        }
        mistakes = Rate(errors: errors, trials: scored.count)
    }

    /// The threshold of fewest mistakes.
    private static func best(_ scored: [(score: Float, isSame: Bool)]) -> Float {
        // From the highest score down: each genuine pair that comes within is one mistake less, each impostor one more.
        var mistakes = scored.count(where: \.isSame)
        var (fewest, threshold) = (mistakes, Float(1).nextUp)
        for pair in scored.sorted(by: { $0.score > $1.score }) {
            mistakes += pair.isSame ? -1 : 1
            if mistakes < fewest { (fewest, threshold) = (mistakes, pair.score) }
        }
        return threshold
    }
}
