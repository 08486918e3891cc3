// SPDX-License-Identifier: Apache-2.0
// Where a verb writes. Nothing that came from outside reaches a terminal with its control characters.

/// Why the answer did not reach its reader.
enum OutputFault: Equatable {
    /// Who read it went away: nothing more to say.
    case readerLeft
    /// It could not be written.
    case failed(String)
}

/// The two streams of a command; tests put an array in their place.
protocol Output {
    /// Whether a person reads the answer.
    var isTerminal: Bool { get }
    /// What kept a line of the answer from being written; nil as long as all were.
    var fault: OutputFault? { get }
    /// One line of the answer.
    mutating func line(_ text: String)
    /// Many lines of the answer.
    mutating func lines(_ texts: [String])
    /// One line for the error stream: what went wrong, or what to do.
    mutating func errorLine(_ text: String)
    /// Replaces the line of progress on a terminal; does nothing when the error stream is none.
    mutating func progress(_ text: String)
    /// Removes the line of progress.
    mutating func endProgress()
}

extension Output {
    /// One after the other.
    mutating func lines(_ texts: [String]) {
        for text in texts { line(text) }
    }
}

/// Text that a terminal may be given.
enum Shown {
    /// The text with control characters, and what may turn the direction of writing, shown as `?`.
    static func safe(_ text: String) -> String {
        // Nearly every name is of such letters only, and there may be ten thousand of them.
        if isPlain(text) { return text }
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let hidden =
                switch scalar.properties.generalCategory {
                case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator, .unassigned: true
                default: false
                }
            out.append(hidden ? "?" : scalar)
        }
        return String(out)
    }

    /// Printable ASCII only.
    private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

    /// Characters of a cell.
    private static func width(_ text: String) -> Int { isPlain(text) ? text.utf8.count : text.count }

    /// Rows as columns: each as wide as its widest cell, the last without trailing spaces.
    ///
    /// Where a line would be wider than a plain terminal, the widest of the columns named in `shrinking` are narrowed, and what does not fit is
    /// cut with `..`; JSON has it whole.
    static func table(_ header: [String], _ rows: [[String]], shrinking: [Int] = []) -> [String] {
        var widths = header.indices.map { column in
            ([header] + rows).map { $0.indices.contains(column) ? width($0[column]) : 0 }.max() ?? 0
        }
        let gaps = 2 * max(0, header.count - 1)
        while widths.reduce(gaps, +) > Help.columns,
            let widest = shrinking.max(by: { widths[$0] < widths[$1] }), widths[widest] > narrowest
        {
            widths[widest] -= 1
        }
        return columns(
            ([header] + rows).map { row in
                row.enumerated().map { column, cell in
                    width(cell) <= widths[column] ? cell : cell.prefix(widths[column] - 2) + ".."
                }
            })
    }

    /// No column becomes narrower.
    private static let narrowest = 6

    /// The same without a header.
    static func columns(_ all: [[String]]) -> [String] {
        let widths = (all.first ?? []).indices.map { column in
            all.map { $0.indices.contains(column) ? width($0[column]) : 0 }.max() ?? 0
        }
        return all.map { row in
            let cells = row.indices.map { column -> String in
                let isLast = column == row.count - 1
                return isLast
                    ? row[column] : row[column] + String(repeating: " ", count: widths[column] - width(row[column]) + 2)
            }
            let line = cells.joined()
            return String(line.prefix(upTo: line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex))
        }
    }
}
