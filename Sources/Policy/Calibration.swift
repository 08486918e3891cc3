// SPDX-License-Identifier: Apache-2.0
// The thresholds of comparison, as data, for the rule in use: the mean of what is enrolled against the mean of what was seen. Measured on
// `lfw-dev` with SFace as Models/prepare.py makes it (docs/accuracy.md has the figures) by
//
//     secondlook-evaluate calibrate --images lfw-dev/images --json calibration.json

/// The cosine from which two faces count as one person.
public enum Calibration {
    /// The threshold of a level; for a hand-written cosine that number.
    ///
    /// `balanced` stands for one false match in 10,000 attempts, `strict` for one in 100,000, both measured; `paranoid` for one in a
    /// million, continued from the three decades before, since the folder's few best impostors are one person under two names.
    public static func threshold(for level: MatchLevel) -> Float {
        switch level {
        case .balanced: 0.453
        case .strict: 0.501
        case .paranoid: 0.567
        case .cosine(let cosine): cosine
        }
    }
}
