// SPDX-License-Identifier: Apache-2.0
// The command line of the measuring tool: `--name value` and `--flag`.

/// Options as they were given.
struct Arguments {
    private var values: [String: [String]] = [:]
    private static let flags: Set<String> = ["all-pairs"]

    /// Reads the words after the verb.
    init(_ words: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else { throw EvaluateError.usage("unexpected word '\(word)'") }
            let name = String(word.dropFirst(2))
            if Arguments.flags.contains(name) {
                values[name, default: []].append("yes")
                continue
            }
            guard let value = rest.popFirst() else { throw EvaluateError.usage("--\(name) needs a value") }
            values[name, default: []].append(value)
        }
    }

    /// All values of an option, in order.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The last value of an option.
    func optional(_ name: String) -> String? { values[name]?.last }

    /// Whether a flag was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The value of an option that must be there.
    func required(_ name: String) throws -> String {
        guard let value = optional(name) else { throw EvaluateError.usage("--\(name) is missing") }
        return value
    }

    /// A whole number, or `fallback`.
    func number(_ name: String, _ fallback: Int) throws -> Int {
        guard let text = optional(name) else { return fallback }
        guard let number = Int(text), number > 0 else {
            throw EvaluateError.usage("--\(name) '\(text)' is not a number above 0")
        }
        return number
    }

    /// Refuses options that the verb does not know.
    func only(_ names: Set<String>) throws {
        if let unknown = values.keys.sorted().first(where: { !names.contains($0) }) {
            throw EvaluateError.usage("unknown option --\(unknown)")
        }
    }
}
