// SPDX-License-Identifier: Apache-2.0
// Calibration as a page: one line a rule, and their trade-offs in one plot.

import Foundation

/// Rendering of calibration results.
enum CalibrationPage {
    private static let colours = [
        "#1c5fb5", "#b5541c", "#1c8f4e", "#b51c3a", "#6b3fb0", "#0d8a8a", "#8a7a0d", "#555f6b",
    ]

    static func render(_ results: [(Rule, ScoreSet)], _ thresholds: Thresholds) -> String {
        var rows = [["rule", "impostor attempts", "FNMR at 1e-4", "FNMR at 1e-5", "cosine at 1e-5"]]
        for (rule, scores) in results {
            let (low, strict) = (
                scores.threshold(atFalseMatchRate: 1e-4), scores.threshold(atFalseMatchRate: 1e-5)
            )
            rows.append([
                rule.name, String(scores.impostor.count), scores.falseNonMatches(at: low).words,
                scores.falseNonMatches(at: strict).words, fixed(Double(strict), 3),
            ])
        }
        let levels =
            [["level", "FMR of an attempt", "cosine"]]
            + thresholds.levels.map {
                [$0.name, "1e\(Int(log10($0.rate).rounded()))", fixed(Double($0.cosine), 3)]
            }
        let curves = results.enumerated().map { index, result in
            let points = (0...160).map { step -> (x: Double, y: Double) in
                let rate = pow(10, -6 + 4 * Double(step) / 160)
                let threshold = result.1.threshold(atFalseMatchRate: rate)
                return (rate, max(1e-4, result.1.falseNonMatches(at: threshold).value))
            }
            return Chart.Series(name: result.0.name, colour: colours[index % colours.count], points: points)
        }
        let chart = Chart(
            title: "Detection error trade-off of attempts",
            x: ("false match rate of an attempt", 1e-6...1e-2, .decades),
            y: ("false non-match rate", 1e-4...1, .decades), series: curves)
        return Page.render(title: "Calibration", body: [Page.table(rows), Page.table(levels), chart.svg])
    }
}
