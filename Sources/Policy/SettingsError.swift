// SPDX-License-Identifier: Apache-2.0
// Why a settings file was not accepted. Each case names the line and says what to write instead; a bad file is a refusal.

/// A fault in a settings file.
public enum SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A file longer than `Settings.longestFile`.
    case tooLong(bytes: Int)
    /// Bytes that are not UTF-8, or a NUL or other control character.
    case encoding(line: Int)
    /// Neither a comment, a `[section]` nor a `key = value`.
    case syntax(line: Int, text: String)
    /// A section name that no PAM service can have.
    case section(line: Int, name: String)
    /// A section that was already there.
    case duplicateSection(line: Int, name: String, first: Int)
    /// A key that does not exist; with the nearest one that does.
    case unknownKey(line: Int, key: String, nearest: String?)
    /// A key that was already given in the same section.
    case duplicateKey(line: Int, key: String, first: Int)
    /// A key that holds for all services and stands in a section.
    case notPerService(line: Int, key: String)
    /// A value that the key cannot have.
    case value(line: Int, key: String, value: String, remedy: String)
    /// Two deadlines in the wrong order, in the section named (nil: above all sections).
    case deadlines(inner: String, innerValue: String, outer: String, outerValue: String, section: String?)

    /// The line the fault is in; nil when it lies between lines.
    public var line: Int? {
        switch self {
        case .tooLong, .deadlines: nil
        case .encoding(let line), .syntax(let line, _), .section(let line, _), .duplicateSection(let line, _, _),
            .unknownKey(let line, _, _), .duplicateKey(let line, _, _), .notPerService(let line, _),
            .value(let line, _, _, _):
            line
        }
    }

    /// One line without a full stop: where, what, and the remedy.
    public var description: String {
        switch self {
        case .tooLong(let bytes): "settings of \(bytes) bytes exceed \(Settings.longestFile)"
        case .encoding(let line): "line \(line): not plain UTF-8 text; remove the control or binary characters"
        case .syntax(let line, let text):
            "line \(line): '\(text)' is not 'key = value', '[service]' or a comment that begins with '#'"
        case .section(let line, let name):
            "line \(line): '[\(name)]' is not a service name; use letters, digits, '-', '_', '.' or '@', such as [sudo]"
        case .duplicateSection(let line, let name, let first):
            "line \(line): section '[\(name)]' was begun on line \(first); join the two"
        case .unknownKey(let line, let key, let nearest):
            "line \(line): unknown key '\(key)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "; remove the line")
        case .duplicateKey(let line, let key, let first):
            "line \(line): '\(key)' was set on line \(first); remove one of the two"
        case .notPerService(let line, let key):
            "line \(line): '\(key)' holds for all services; move it above the first section"
        case .value(let line, let key, let value, let remedy):
            "line \(line): \(key) = '\(value)' is not allowed; \(remedy)"
        case .deadlines(let inner, let innerValue, let outer, let outerValue, let section):
            (section.map { "section [\($0)]: " } ?? "")
                + "\(inner) (\(innerValue)) must be shorter than \(outer) (\(outerValue)); shorten the first or lengthen the second"
        }
    }
}
