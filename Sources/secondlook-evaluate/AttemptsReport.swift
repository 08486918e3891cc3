// SPDX-License-Identifier: Apache-2.0
// The figures of whole attempts: how often the right person is turned away, another let in, an attack let in.

import Foundation

/// Rates over attempts.
struct AttemptsReport {
    private let attempts: [AttemptsVerb.Attempt]

    init(_ attempts: [AttemptsVerb.Attempt]) { self.attempts = attempts }

    private func count(_ kind: AttemptsVerb.Kind, _ outcome: String? = nil) -> Int {
        attempts.count { $0.kind == kind && (outcome == nil || $0.outcome == outcome) }
    }

    /// A person who was asked or not decided about counts as neither matched nor turned away.
    private var rates: [(name: String, hits: Int, of: Int)] {
        [
            ("fnmr", count(.genuine, "refused"), count(.genuine)),
            ("fmr", count(.impostor, "accepted") + count(.impostor, "asked"), count(.impostor)),
            ("apcer", count(.attack, "accepted"), count(.attack)),
        ]
    }

    /// What the terminal shows.
    var text: String {
        var lines = attempts.filter { $0.kind != .impostor || $0.outcome == "accepted" || $0.outcome == "asked" }.map {
            "\($0.kind.rawValue) \($0.probe) as \($0.user): \($0.outcome) \($0.reason) similarity \($0.similarity ?? -1)"
        }
        for kind in AttemptsVerb.Kind.allCases {
            let outcomes = ["accepted", "asked", "refused", "undecided"].map { "\($0) \(count(kind, $0))" }
            lines.append("\(kind.rawValue): \(count(kind)) attempts, \(outcomes.joined(separator: ", "))")
        }
        for rate in rates {
            let interval = ExactInterval(hits: rate.hits, of: rate.of)
            lines.append(
                "\(rate.name): \(rate.hits) of \(rate.of)"
                    + String(format: " (95 %%: %.2f to %.2f %%)", interval.low * 100, interval.high * 100))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The JSON file.
    var json: Data {
        get throws {
            var object: [String: Any] = [:]
            for rate in rates {
                let interval = ExactInterval(hits: rate.hits, of: rate.of)
                object[rate.name] = rate.of > 0 ? Double(rate.hits) / Double(rate.of) : 0
                object["\(rate.name)_interval"] = [interval.low, interval.high]
            }
            for kind in AttemptsVerb.Kind.allCases {
                object[kind.rawValue] = Dictionary(
                    ["accepted", "asked", "refused", "undecided"].map { ($0, count(kind, $0)) },
                    uniquingKeysWith: { first, _ in first })
            }
            object["attempts"] = attempts.filter { $0.kind != .impostor }.map { attempt -> [String: Any] in
                [
                    "probe": attempt.probe, "as": attempt.user, "kind": attempt.kind.rawValue,
                    "outcome": attempt.outcome, "reason": attempt.reason,
                    "similarity": Double(attempt.similarity ?? -1),
                ]
            }
            return try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
        }
    }
}
