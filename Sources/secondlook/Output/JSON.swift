// SPDX-License-Identifier: Apache-2.0
// JSON as the verbs print it: an order that is kept, and no library. It only writes.

/// A JSON value.
enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    /// Written with at most `decimals` digits after the point; a number that is not finite is written as null.
    case number(Double, decimals: Int)
    case string(String)
    case array([JSON])
    /// Members in the order in which they are written.
    case object([Member])

    /// A name with its value.
    struct Member: Sendable, Equatable {
        let name: String
        let value: JSON
    }

    /// An object, in the order of the pairs.
    static func of(_ pairs: KeyValuePairs<String, JSON>) -> JSON {
        .object(pairs.map { Member(name: $0.key, value: $0.value) })
    }

    /// A string, or null.
    static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

    /// The value on one line.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let value, let decimals): value.isFinite ? Decimal.text(value, decimals: decimals) : "null"
        case .string(let value): JSON.quoted(value)
        case .array(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { JSON.quoted($0.name) + ": " + $0.value.text }.joined(separator: ", ") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\t": out += "\\t"
            case "\r": out += "\\r"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}

/// Decimal numbers as people read them, without a formatting library.
enum Decimal {
    /// `value` rounded half away from zero to exactly `decimals` digits after the point, 0 to 6.
    static func text(_ value: Double, decimals: Int) -> String {
        let digits = min(6, max(0, decimals))
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = (value * scale).rounded()
        guard scaled.magnitude < 9e15 else { return String(value) }
        let whole = Int(scaled.magnitude)
        let sign = scaled < 0 ? "-" : ""
        guard digits > 0 else { return sign + String(whole) }
        let fraction = String(whole % Int(scale))
        return sign + String(whole / Int(scale)) + "." + String(repeating: "0", count: digits - fraction.count)
            + fraction
    }
}
