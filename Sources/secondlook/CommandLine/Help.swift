// SPDX-License-Identifier: Apache-2.0
// The help texts, made from the verb table alone, for a plain terminal of 80 columns.

/// Help texts of a verb table.
enum Help {
    /// No line is longer.
    static let columns = 80

    /// The list of verbs.
    static func overview(of verbs: [Verb]) -> String {
        let width = (verbs.map(\.name.count).max() ?? 0) + 2
        var lines = ["usage: secondlook VERB [OPERANDS] [OPTIONS]", ""]
        lines += verbs.flatMap { row($0.name, $0.summary, width: width) }
        lines += ["", "`secondlook VERB --help` tells more. Every verb takes --json."]
        lines += ["Exit codes: 0 done, 1 refused or failed, 2 wrong usage."]
        return lines.joined(separator: "\n")
    }

    /// The help of one verb.
    static func details(of verb: Verb) -> String {
        var lines = ["usage: secondlook \(usage(of: verb))", "", "  \(verb.summary)", ""]
        let rows = verb.allOptions.map { (words(of: $0), $0.help) }
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        lines += rows.flatMap { row($0.0, $0.1, width: width) }
        return lines.joined(separator: "\n")
    }

    /// One line: the verb with its operands and options.
    static func usage(of verb: Verb) -> String {
        let operands = verb.operands.map { $0.isRequired ? $0.name : "[\($0.name)]" }
        let options = verb.options.map { "[\(words(of: $0))]" }
        return ([verb.name] + operands + options).joined(separator: " ")
    }

    private static func words(of option: Option) -> String {
        switch option.values {
        case .none: "--\(option.name)"
        case .one(let name): "--\(option.name) \(name)"
        case .many(let name): "--\(option.name) \(name)..."
        }
    }

    /// A name and its text, the text broken at words and indented under itself.
    static func row(_ name: String, _ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = "  " + name + String(repeating: " ", count: max(1, width - name.count))
        let indent = String(repeating: " ", count: width + 2)
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
