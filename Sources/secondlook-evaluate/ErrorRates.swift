// SPDX-License-Identifier: Apache-2.0
// Scores of both kinds, and what a threshold makes of them.

/// Scores of same-person and other-person comparisons.
struct ScoreSet {
    /// Ascending.
    let genuine: [Float]
    /// Ascending.
    let impostor: [Float]

    init(genuine: [Float], impostor: [Float]) {
        self.genuine = genuine.sorted()
        self.impostor = impostor.sorted()
    }

    /// The operating points that are always reported.
    static let points: [(name: String, rate: Double)] = [
        ("1e-3", 1e-3), ("1e-4", 1e-4), ("1e-5", 1e-5), ("1e-6", 1e-6),
    ]

    /// The lowest threshold at which at most the share `rate` of the impostors reach it.
    func threshold(atFalseMatchRate rate: Double) -> Float {
        let allowed = Int((Double(impostor.count) * rate).rounded(.down))
        guard allowed < impostor.count else { return -1 }
        // The best one that must not pass, and the next number above it.
        return impostor[impostor.count - 1 - allowed].nextUp
    }

    /// Genuine comparisons below the threshold.
    func falseNonMatches(at threshold: Float) -> Rate {
        Rate(errors: ScoreSet.below(threshold, genuine), trials: genuine.count)
    }

    /// Impostors that reach the threshold.
    func falseMatches(at threshold: Float) -> Rate {
        Rate(errors: impostor.count - ScoreSet.below(threshold, impostor), trials: impostor.count)
    }

    /// How many of ascending scores lie below the threshold.
    static func below(_ threshold: Float, _ scores: [Float]) -> Int {
        var (low, high) = (0, scores.count)
        while low < high {
            let middle = (low + high) / 2
            if scores[middle] < threshold { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Thresholds and false non-match rates at the reported points.
    var fnmrAtFmr: Json {
        .object(
            ScoreSet.points.map { name, rate in
                let threshold = threshold(atFalseMatchRate: rate)
                let misses = falseNonMatches(at: threshold)
                let passes = falseMatches(at: threshold)
                return (
                    name,
                    .object([
                        ("threshold", .real(Double(threshold))), ("fnmr", .real(misses.value)),
                        ("interval", misses.intervalJson), ("fmr", .real(passes.value)),
                        ("fmr_interval", passes.intervalJson),
                    ])
                )
            })
    }
}
