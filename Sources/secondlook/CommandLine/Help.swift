// SPDX-License-Identifier: Apache-2.0
// The help texts, made from the verb table alone, for a plain terminal of 80 columns.

/// Help texts of a verb table.
enum Help {
    /// No line is longer.
    static let columns = 80

    /// The list of verbs.
    static func overview(of verbs: [Verb]) -> String {
        var lines = ["usage: secondlook VERB [OPERANDS] [OPTIONS]", ""]
        lines += rows(verbs)
        lines += ["", "`secondlook VERB --help` tells more, `man secondlook` all."]
        lines += ["Every verb takes --json; `secondlook --version` tells the version."]
        lines += ["Exit codes: 0 done, 1 refused or failed, 2 wrong usage."]
        return lines.joined(separator: "\n")
    }

    /// The list of the verbs that begin with one word.
    static func overview(ofGroup verbs: [Verb]) -> String {
        var lines = ["usage: secondlook VERB [OPERANDS] [OPTIONS]", ""]
        lines += rows(verbs)
        lines += ["", "`secondlook VERB --help` tells more."]
        return lines.joined(separator: "\n")
    }

    private static func rows(_ verbs: [Verb]) -> [String] {
        let width = (verbs.map(\.name.count).max() ?? 0) + 2
        return verbs.flatMap { row($0.name, $0.summary, width: width) }
    }

    /// The help of one verb.
    static func details(of verb: Verb) -> String {
        var lines = wrapped(usage(of: verb), after: "usage: secondlook ") + ["", "  \(verb.summary)", ""]
        let rows = verb.allOptions.map { (words(of: $0), $0.help) }
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        lines += rows.flatMap { row($0.0, $0.1, width: width) }
        return lines.joined(separator: "\n")
    }

    /// The verb with its operands and options, each whole.
    private static func usage(of verb: Verb) -> [String] {
        let operands = verb.operands.map { $0.isRequired ? $0.name : "[\($0.name)]" }
        let options = verb.options.map { $0.isRequired ? words(of: $0) : "[\(words(of: $0))]" }
        return [verb.name] + operands + options
    }

    /// Pieces after each other, a line as long as a terminal is wide, the lines that follow indented.
    private static func wrapped(_ pieces: [String], after start: String) -> [String] {
        var lines: [String] = []
        var line = start + (pieces.first ?? "")
        for piece in pieces.dropFirst() {
            if line.count + 1 + piece.count > columns {
                lines.append(line)
                line = String(repeating: " ", count: start.count - 1)
            }
            line += " " + piece
        }
        return lines + [line]
    }

    private static func words(of option: Option) -> String {
        switch option.values {
        case .none: "--\(option.name)"
        case .one(let name): "--\(option.name) \(name)"
        case .many(let name): "--\(option.name) \(name)..."
        }
    }

    /// A name and its text, the text broken at words and indented under itself.
    static func row(_ name: String, _ text: String, width: Int, indent before: Int = 2) -> [String] {
        var lines: [String] = []
        var line =
            String(repeating: " ", count: before) + name + String(repeating: " ", count: max(1, width - name.count))
        let indent = String(repeating: " ", count: width + before)
        var isFirst = true
        for word in text.split(separator: " ") {
            if !isFirst, line.count + 1 + word.count > columns {
                lines.append(line)
                line = indent
                isFirst = true
            }
            line += (isFirst ? "" : " ") + word
            isFirst = false
        }
        return lines + [line]
    }
}
