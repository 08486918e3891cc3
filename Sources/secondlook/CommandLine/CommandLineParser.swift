// SPDX-License-Identifier: Apache-2.0
// Reads the words typed after `secondlook` against the verb table. Pure: it prints nothing and touches nothing.

import Policy

/// What the words ask for.
enum Request: Sendable {
    /// Do this.
    case run(Verb, Invocation)
    /// Show the help of one verb.
    case helpOf(Verb)
    /// Show the verbs that begin with one word, such as `config`.
    case helpOfGroup([Verb])
    /// Show the list of verbs.
    case help
    /// Show the version.
    case version
}

/// Reads command lines against a table.
struct CommandLineParser: Sendable {
    /// More words than this are refused before any is looked at.
    static let mostWords = 1024

    /// The table.
    let verbs: [Verb]

    /// Reads the words after the program's own name.
    func parse(_ words: [String]) throws(CommandError) -> Request {
        guard words.count <= CommandLineParser.mostWords else {
            throw .usage("more than \(CommandLineParser.mostWords) words on the command line")
        }
        guard let first = words.first else { throw .usage("no verb given; see: secondlook --help") }
        switch first {
        case "--help", "-h", "help": return try helpRequest(Array(words.dropFirst()))
        case "--version": return .version
        default: break
        }
        if words.dropFirst().first.map({ $0 == "--help" || $0 == "-h" }) == true, let group = group(first) {
            return .helpOfGroup(group)
        }
        let (verb, rest) = try verb(in: words)
        // Help is answered whatever else is on the line.
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) { return .helpOf(verb) }
        return .run(verb, try invocation(of: verb, rest))
    }

    private func helpRequest(_ words: [String]) throws(CommandError) -> Request {
        guard let first = words.first else { return .help }
        if words.count == 1, let group = group(first) { return .helpOfGroup(group) }
        return .helpOf(try verb(in: words).0)
    }

    /// The verbs of two words that begin with a word that is no verb alone.
    private func group(_ first: String) -> [Verb]? {
        let group = verbs.filter { $0.name.hasPrefix(first + " ") }
        return group.isEmpty || verbs.contains { $0.name == first } ? nil : group
    }

    /// The verb that the first one or two words name, and the words after it.
    private func verb(in words: [String]) throws(CommandError) -> (Verb, [String]) {
        for count in [2, 1] where words.count >= count {
            let name = words.prefix(count).joined(separator: " ")
            if let verb = verbs.first(where: { $0.name == name }) { return (verb, Array(words.dropFirst(count))) }
        }
        guard let group = group(words[0]) else {
            throw .usage("unknown verb '\(words[0])'; \(advice(on: words[0]))see: secondlook --help")
        }
        let seconds = group.map { String($0.name.dropFirst(words[0].count + 1)) }
        throw .usage("'\(words[0])' needs one of: \(seconds.joined(separator: ", "))")
    }

    /// What was meant, where one or two letters are wrong; a short word may have one.
    private func advice(on word: String) -> String {
        let firsts = verbs.map { String($0.name.prefix { $0 != " " }) }
        let nearest = Spelling.nearest(to: word, among: firsts, within: word.count < 6 ? 1 : 2)
        return nearest.map { "did you mean '\($0)'? " } ?? ""
    }

    private func invocation(of verb: Verb, _ words: [String]) throws(CommandError) -> Invocation {
        var found = Invocation()
        var rest = words[...]
        var onlyOperands = false
        while let word = rest.popFirst() {
            if onlyOperands || !word.hasPrefix("-") || word == "-" {
                found.operands.append(word)
            } else if word == "--" {
                onlyOperands = true
            } else {
                try take(option: word, of: verb, &rest, into: &found)
            }
        }
        try checkOperands(of: verb, found.operands)
        return found
    }

    private func take(
        option word: String, of verb: Verb, _ rest: inout ArraySlice<String>, into found: inout Invocation
    )
        throws(CommandError)
    {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts[0].hasPrefix("--"),
            let option = verb.allOptions.first(where: { $0.name == parts[0].dropFirst(2) })
        else { throw .usage("\(verb.name): unknown option '\(parts[0])'; see: secondlook \(verb.name) --help") }
        var values: [String] = parts.count == 2 ? [parts[1]] : []
        switch option.values {
        case .none:
            guard values.isEmpty else { throw .usage("\(verb.name): --\(option.name) takes no value") }
        case .one(let name):
            if found.has(option.name) { throw .usage("\(verb.name): --\(option.name) was given twice") }
            if values.isEmpty, let next = rest.first, !next.hasPrefix("--") {
                values = [next]
                rest.removeFirst()
            }
            if values.isEmpty || values == [""] {
                throw .usage("\(verb.name): --\(option.name) needs a value: \(name)")
            }
        case .many(let name):
            while let next = rest.first, !next.hasPrefix("--") {
                values.append(next)
                rest.removeFirst()
            }
            if values.isEmpty || values.contains("") {
                throw .usage("\(verb.name): --\(option.name) needs one value or more: \(name)")
            }
        }
        found.options[option.name, default: []] += values
    }

    private func checkOperands(of verb: Verb, _ operands: [String]) throws(CommandError) {
        if let missing = verb.operands.dropFirst(operands.count).first(where: \.isRequired) {
            throw .usage("\(verb.name): \(missing.name) is missing; see: secondlook \(verb.name) --help")
        }
        if operands.count > verb.operands.count {
            throw .usage(
                "\(verb.name): unexpected '\(operands[verb.operands.count])'; see: secondlook \(verb.name) --help")
        }
    }
}
