// SPDX-License-Identifier: Apache-2.0
// JSON in a fixed order of keys, so that two results can be compared by eye and by diff.

/// A JSON value.
indirect enum Json {
    case null
    case flag(Bool)
    case whole(Int)
    case real(Double)
    case text(String)
    case list([Json])
    case object([(String, Json)])

    /// Rendered; objects and lists of objects on lines of their own when `indent` is not nil.
    func rendered(indent: Int? = 0) -> String {
        switch self {
        case .null: return "null"
        case .flag(let value): return value ? "true" : "false"
        case .whole(let value): return String(value)
        case .real(let value): return value.isFinite ? Json.number(value) : "null"
        case .text(let value): return Json.quoted(value)
        case .list(let values):
            let isFlat = !values.contains { if case .object = $0 { true } else { false } }
            guard let indent, !isFlat else {
                return "[" + values.map { $0.rendered(indent: nil) }.joined(separator: ", ") + "]"
            }
            return Json.block("[", values.map { $0.rendered(indent: indent + 2) }, "]", indent)
        case .object(let pairs):
            guard let indent else {
                let parts = pairs.map { Json.quoted($0.0) + ": " + $0.1.rendered(indent: nil) }
                return "{" + parts.joined(separator: ", ") + "}"
            }
            return Json.block(
                "{", pairs.map { Json.quoted($0.0) + ": " + $0.1.rendered(indent: indent + 2) }, "}", indent)
        }
    }

    private static func block(_ open: String, _ parts: [String], _ close: String, _ indent: Int) -> String {
        guard !parts.isEmpty else { return open + close }
        let margin = String(repeating: " ", count: indent + 2)
        return open + "\n" + margin + parts.joined(separator: ",\n" + margin) + "\n"
            + String(repeating: " ", count: indent) + close
    }

    /// Seven significant digits: more than any of it is exact to.
    private static func number(_ value: Double) -> String {
        guard value != 0 else { return "0.0" }
        var scale = 1.0
        while abs(value) * scale < 1e6, scale < 1e12 { scale *= 10 }
        return String((value * scale).rounded() / scale)
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
