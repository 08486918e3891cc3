// SPDX-License-Identifier: Apache-2.0
// What somebody who mistyped a word may have meant: for keys of the settings and for verbs of the command.

/// Compares words as they are spelt.
public enum Spelling {
    /// The longest word that is compared.
    static let longest = 40

    /// The name at the least edit distance from a word, when that is at most `within`; of several the first.
    public static func nearest(to word: String, among names: [String], within: Int) -> String? {
        guard word.count <= longest else { return nil }
        let ranked = names.map { (distance: distance($0, word), name: $0) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= within else { return nil }
        return best.name
    }

    /// Levenshtein's distance.
    private static func distance(_ a: String, _ b: String) -> Int {
        let other = Array(b)
        var row = Array(0...other.count)
        for (i, character) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for j in 0..<other.count {
                let substituted = diagonal + (character == other[j] ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[other.count]
    }
}
