// SPDX-License-Identifier: Apache-2.0
// The pair files of Labeled Faces in the Wild, of both views.

/// A pair of pictures and whether they show one person.
struct Pair: Sendable {
    var first: String
    var second: String
    var isSame: Bool
    /// The part of a cross-validation it belongs to.
    var fold: Int
}

/// Reading them.
enum PairFile {
    /// A first line "N" (one part) or "F N" (F parts), then for each part N lines "NAME I J" and N lines "NAME1 I NAME2 J".
    ///
    /// A file of one part is dealt out over ten, pair by pair, so that a threshold is never judged by the pairs it was chosen on.
    static func read(_ path: String) throws -> [Pair] {
        let text = String(decoding: try Files.load(path), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline)
        guard let head = lines.first else { throw EvaluateError.file(path, "is empty") }
        let counts = head.split(whereSeparator: \.isWhitespace).map { Int($0) }
        guard (1...2).contains(counts.count), let last = counts.last, let size = last, size > 0 else {
            throw EvaluateError.line(path, 1, "not a count")
        }
        let folds = counts.count == 2 ? (counts[0] ?? 0) : 1
        guard folds > 0, lines.count == 1 + folds * size * 2 else {
            throw EvaluateError.line(path, 1, "announces \(folds * size * 2) pairs, the file has \(lines.count - 1)")
        }
        return try lines.dropFirst().enumerated().map { index, line in
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            let fold = folds > 1 ? index / (2 * size) : index % 10
            if words.count == 3, let i = Int(words[1]), let j = Int(words[2]) {
                let (a, b) = (PersonPicture.name(words[0], i), PersonPicture.name(words[0], j))
                return Pair(first: a, second: b, isSame: true, fold: fold)
            }
            if words.count == 4, let i = Int(words[1]), let j = Int(words[3]) {
                let (a, b) = (PersonPicture.name(words[0], i), PersonPicture.name(words[2], j))
                return Pair(first: a, second: b, isSame: false, fold: fold)
            }
            throw EvaluateError.line(path, index + 2, "not a pair")
        }
    }
}
