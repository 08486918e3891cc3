// SPDX-License-Identifier: Apache-2.0
// The thresholds of comparison, as data. Derived by `secondlook-evaluate verification` (docs/accuracy.md has the command and the
// figures) for the rule in use: mean template against mean probe.

/// The cosine from which two faces count as one person.
public enum Calibration {
    /// The threshold of a level; for a hand-written cosine that number.
    public static func threshold(for level: MatchLevel) -> Float {
        switch level {
        case .balanced: 0.424
        case .strict: 0.491
        case .paranoid: 0.593
        case .cosine(let cosine): cosine
        }
    }
}
