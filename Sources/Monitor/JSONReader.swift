// SPDX-License-Identifier: Apache-2.0
// Reads the manifest of the models. A reader of its own, because the privileged program is to link no more than it needs; it refuses
// whatever JSON does not allow, and everything beyond a modest depth.

/// A value of JSON.
public enum JSONValue: Equatable, Sendable {
    /// null
    case null
    /// true or false
    case bool(Bool)
    /// A number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members by name; a name that stands twice is refused.
    case object([String: JSONValue])

    /// Reads a whole document; nil when it is not JSON.
    public init?(_ bytes: [UInt8]) {
        var reader = JSONReader(bytes)
        guard let value = reader.value(depth: 0), reader.isAtEnd else { return nil }
        self = value
    }

    /// A member of an object, or nil.
    public subscript(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }
    /// The text, or nil.
    public var text: String? { if case .string(let text) = self { text } else { nil } }
    /// The elements, or nil.
    public var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    /// The number if it is a whole one that fits, or nil.
    public var whole: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }
}

/// Takes values off a document.
private struct JSONReader {
    private static let deepest = 16
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool {
        mutating get {
            skipBlanks()
            return position == bytes.count
        }
    }

    mutating func value(depth: Int) -> JSONValue? {
        guard depth < JSONReader.deepest else { return nil }
        skipBlanks()
        guard position < bytes.count else { return nil }
        switch bytes[position] {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return take("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        position += 1
        var members: [String: JSONValue] = [:]
        if takeAfterBlanks("}") { return .object(members) }
        repeat {
            skipBlanks()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\""), let name = string(),
                members[name] == nil, takeAfterBlanks(":"), let value = value(depth: depth + 1)
            else { return nil }
            members[name] = value
        } while takeAfterBlanks(",")
        return takeAfterBlanks("}") ? .object(members) : nil
    }

    private mutating func array(depth: Int) -> JSONValue? {
        position += 1
        var elements: [JSONValue] = []
        if takeAfterBlanks("]") { return .array(elements) }
        repeat {
            guard let value = value(depth: depth + 1) else { return nil }
            elements.append(value)
        } while takeAfterBlanks(",")
        return takeAfterBlanks("]") ? .array(elements) : nil
    }

    private mutating func string() -> String? {
        position += 1
        var content: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = escape() else { return nil }
                content.append(contentsOf: escaped)
            case 0..<0x20: return nil
            default: content.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> [UInt8]? {
        guard position < bytes.count else { return nil }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "u"):
            guard let first = hexadecimal() else { return nil }
            if (0xD800..<0xDC00).contains(first) {
                guard take("\\u"), let second = hexadecimal(), (0xDC00..<0xE000).contains(second) else { return nil }
                let scalar = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
                return Unicode.Scalar(scalar).map { Array(String(Character($0)).utf8) }
            }
            return Unicode.Scalar(first).map { Array(String(Character($0)).utf8) }
        default: return nil
        }
    }

    private mutating func hexadecimal() -> UInt32? {
        guard bytes.count - position >= 4 else { return nil }
        let digits = bytes[position..<position + 4]
        position += 4
        let isHexadecimal = digits.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
        }
        return isHexadecimal ? UInt32(String(decoding: digits, as: UTF8.self), radix: 16) : nil
    }

    private mutating func number() -> JSONValue? {
        let start = position
        let allowed = Set("+-0123456789.eE".utf8)
        while position < bytes.count, allowed.contains(bytes[position]) { position += 1 }
        let text = bytes[start..<position]
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
        // Swift's reader takes what JSON does not: a plus, a leading zero or point, a trailing point.
        guard let first = digits.first, (0x30...0x39).contains(first), let last = digits.last, last >= 0x30,
            digits.count < 2 || first != 0x30 || !(0x30...0x39).contains(digits[digits.startIndex + 1]),
            let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
        else { return nil }
        return .number(value)
    }

    private mutating func skipBlanks() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private mutating func takeAfterBlanks(_ text: String) -> Bool {
        skipBlanks()
        return take(text)
    }

    private mutating func take(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard bytes.count - position >= wanted.count, Array(bytes[position..<position + wanted.count]) == wanted else {
            return false
        }
        position += wanted.count
        return true
    }
}
