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

    /// How often the right person is missed by one look, as it was measured on other people.
    public struct FalseNonMatch: Sendable, Equatable {
        /// The part of genuine comparisons below the threshold, 0 to 1.
        public let rate: Double
        /// How many enrolled pictures it was measured with.
        public let enrolled: Int
    }

    /// The estimated false non-match rate of one look at somebody with so many enrolled samples; nil where nothing was measured.
    ///
    /// The figures are those of the table "Calibration" in docs/accuracy.md (lfw-dev, one probe): one picture enrolled, 94 and 201 of 4,930
    /// comparisons missed at one false match in 10,000 and in 100,000; the mean of three, 1 and 3 of 984; `paranoid` has the 1.6 % that the
    /// text below that table gives for the mean of three. Two samples count as one, and more than three as three, since nothing between or
    /// beyond was measured: so it is an upper estimate in the number of samples. It knows nothing of these samples themselves, and pictures
    /// of one sitting gain less than the pictures of different days that were measured.
    public static func falseNonMatch(samples: Int, level: MatchLevel) -> FalseNonMatch? {
        guard samples >= 1 else { return nil }
        let isMean = samples >= 3
        let rate: Double? =
            switch level {
            case .balanced: isMean ? 1.0 / 984 : 94.0 / 4930
            case .strict: isMean ? 3.0 / 984 : 201.0 / 4930
            case .paranoid: isMean ? 0.016 : nil
            case .cosine: nil
            }
        return rate.map { FalseNonMatch(rate: $0, enrolled: isMean ? 3 : 1) }
    }
}
