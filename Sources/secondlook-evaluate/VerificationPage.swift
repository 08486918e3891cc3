// SPDX-License-Identifier: Apache-2.0
// Verification as a page: the table, the detection error trade-off, and how the scores lie.

import Foundation

/// Rendering of verification results.
enum VerificationPage {
    static func render(_ listed: PairResult, _ all: ScoreSet?, _ missing: Rate, pictures: Int) -> String {
        var body = [
            Page.paragraph(
                "\(pictures) pictures; no face was found in \(missing.errors). Listed pairs: "
                    + "\(listed.scores.genuine.count) of one person, \(listed.scores.impostor.count) of two; accuracy "
                    + "\(percent(1 - listed.mistakes.value)) % by cross-validation."),
            table("Listed pairs", listed.scores),
        ]
        if let all { body.append(table("All pairs", all)) }
        var curves = [curve("listed pairs", "#b5541c", listed.scores)]
        if let all { curves.append(curve("all pairs", "#1c5fb5", all)) }
        body.append(
            Chart(
                title: "Detection error trade-off", x: ("false match rate", 1e-6...1, .decades),
                y: ("false non-match rate", 1e-4...1, .decades), series: curves
            ).svg)
        let shown = all ?? listed.scores
        body.append(
            Chart(
                title: "Scores, \(all == nil ? "listed" : "all") pairs", x: ("cosine similarity", -0.5...1, .linear),
                y: ("share of its kind per bin", 0...peak(shown), .linear),
                series: [
                    histogram("two people", "#b51c3a", shown.impostor),
                    histogram("one person", "#1c8f4e", shown.genuine),
                ]
            ).svg)
        return Page.render(title: "Verification", body: body)
    }

    private static func table(_ title: String, _ scores: ScoreSet) -> String {
        var rows = [["\(title): FMR at most", "threshold (cosine)", "FNMR", "95 % interval"]]
        for (name, rate) in ScoreSet.points {
            let threshold = scores.threshold(atFalseMatchRate: rate)
            let misses = scores.falseNonMatches(at: threshold)
            rows.append([
                name, fixed(Double(threshold), 4), percent(misses.value) + " %",
                "\(percent(misses.interval.low)) to \(percent(misses.interval.high)) %",
            ])
        }
        return Page.table(rows)
    }

    /// FNMR over FMR at 200 thresholds chosen evenly over the decades of FMR.
    private static func curve(_ name: String, _ colour: String, _ scores: ScoreSet) -> Chart.Series {
        let points = (0...200).map { step -> (x: Double, y: Double) in
            let rate = pow(10, -6 + 6 * Double(step) / 200)
            let threshold = scores.threshold(atFalseMatchRate: rate)
            return (rate, max(1e-4, scores.falseNonMatches(at: threshold).value))
        }
        return Chart.Series(name: name, colour: colour, points: points)
    }

    private static let bins = 75

    private static func histogram(_ name: String, _ colour: String, _ scores: [Float]) -> Chart.Series {
        let points = (0..<bins).map { bin -> (x: Double, y: Double) in
            let (low, high) = (-0.5 + 1.5 * Double(bin) / Double(bins), -0.5 + 1.5 * Double(bin + 1) / Double(bins))
            let count = ScoreSet.below(Float(high), scores) - ScoreSet.below(Float(low), scores)
            return (low, scores.isEmpty ? 0 : Double(count) / Double(scores.count))
        }
        return Chart.Series(name: name, colour: colour, points: points, areBars: true)
    }

    private static func peak(_ scores: ScoreSet) -> Double {
        let points = histogram("", "", scores.impostor).points + histogram("", "", scores.genuine).points
        return max(0.01, points.reduce(0) { max($0, $1.y) } * 1.1)
    }
}
