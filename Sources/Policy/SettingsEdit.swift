// SPDX-License-Identifier: Apache-2.0
// Changes one key in a settings file and leaves every other byte as it is: comments, order, blank lines, line ends. Pure: the file is read
// and replaced elsewhere, and only after the result was read by the same parser as a login reads it.

/// A key of the settings file, where it is meant to stand.
public struct SettingPlace: Sendable, Equatable {
    /// The `[service]` it stands in; nil above all sections.
    public let section: String?
    /// The key.
    public let key: String

    /// Reads `key` or `section.key`; the name of a section may have points of its own.
    public init(_ text: String) {
        if let point = text.lastIndex(of: ".") {
            section = String(text[..<point])
            key = String(text[text.index(after: point)...])
        } else {
            section = nil
            key = text
        }
    }

    /// As it was read.
    public var text: String { section.map { "\($0).\(key)" } ?? key }
}

/// Why a change was not made; about what was typed, so there is no line.
public enum SettingsEditError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A key that does not exist; with the nearest one that does.
    case unknownKey(String, nearest: String?)
    /// A section that no PAM service can have.
    case section(String)
    /// A key that holds for all services was given a section.
    case notPerService(SettingPlace)
    /// A value the key cannot have.
    case value(key: String, value: String, range: String)
    /// The file with the change would not be accepted.
    case result(SettingsError)

    /// One line without a full stop: what, and the remedy.
    public var description: String {
        switch self {
        case .unknownKey(let key, let nearest):
            "there is no key '\(key)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "; see: secondlook config show")
        case .section(let name):
            "'\(name)' is not a service name; use letters, digits, '-', '_', '.' or '@', such as sudo.match"
        case .notPerService(let place): "'\(place.key)' holds for all services; leave out '\(place.section ?? "")'"
        case .value(let key, let value, let range): "\(key) = '\(value)' is not allowed; allowed: \(range)"
        case .result(let error): error.description
        }
    }
}

/// Changes in a settings file.
public enum SettingsEdit {
    /// The file with `key = value` at its place.
    ///
    /// A line that sets the key already gets the new value; else a line is added: after the commented-out line of the same key, else after the
    /// last key of the section, which is made at the end of the file where it is missing.
    ///
    /// - Throws: what is wrong with place or value, or with the file as it would be.
    public static func set(
        _ place: SettingPlace, to value: String, in file: [UInt8]
    ) throws(SettingsEditError) -> [UInt8] {
        let row = try row(of: place)
        try check(value, row)
        var text = SettingsText(file)
        if let line = text.assignment(of: place) {
            text.replaceValue(at: line, with: value)
        } else {
            text.insert("\(place.key) = \(value)", for: place)
        }
        return try checked(text.bytes, place, row, expecting: value)
    }

    /// The file without the key at its place, so that its default (or, in a section, the value above all sections) holds; nil when it is not
    /// there.
    public static func unset(_ place: SettingPlace, in file: [UInt8]) throws(SettingsEditError) -> [UInt8]? {
        _ = try row(of: place)
        var text = SettingsText(file)
        guard let line = text.assignment(of: place) else { return nil }
        text.remove(at: line)
        do throws(SettingsError) { _ = try Settings.parse(text.bytes, service: "") } catch { throw .result(error) }
        return text.bytes
    }

    /// The value at the place as it is written in the file; nil when it is not set there.
    public static func value(_ place: SettingPlace, in file: [UInt8]) -> String? {
        let text = SettingsText(file)
        return text.assignment(of: place).map { text.value(at: $0) }
    }

    private static func row(of place: SettingPlace) throws(SettingsEditError) -> SettingRow {
        guard let row = Settings.table.first(where: { $0.name == place.key }) else {
            throw .unknownKey(Settings.shortened(place.key), nearest: Settings.nearestKey(to: place.key))
        }
        guard let section = place.section else { return row }
        guard Settings.isServiceName(section) else { throw .section(Settings.shortened(section)) }
        guard row.perService else { throw .notPerService(place) }
        return row
    }

    /// A value must come back from the file as it was typed: blanks at its ends and line breaks would not.
    private static func check(_ value: String, _ row: SettingRow) throws(SettingsEditError) {
        var trial = Settings()
        let isPlain = value.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        let isTrimmed = value.first != " " && value.last != " "
        guard isPlain, isTrimmed, row.read(&trial, value[...]) else {
            throw .value(key: row.name, value: Settings.shortened(value), range: row.range)
        }
    }

    private static func checked(
        _ bytes: [UInt8], _ place: SettingPlace, _ row: SettingRow, expecting value: String
    ) throws(SettingsEditError) -> [UInt8] {
        let settings: Settings
        do throws(SettingsError) { settings = try Settings.parse(bytes, service: place.section ?? "") } catch {
            throw .result(error)
        }
        var expected = settings
        guard row.read(&expected, value[...]), expected == settings else {
            throw .value(key: row.name, value: value, range: row.range)
        }
        return bytes
    }
}

extension Settings {
    /// The services that have a section in a settings file, in their order.
    public static func sections(in file: [UInt8]) -> [String] { SettingsText(file).sections }
}

/// The lines of a settings file, with their ends.
private struct SettingsText {
    private var lines: [[UInt8]] = []
    private let mark: ArraySlice<UInt8>
    private let end: [UInt8]

    init(_ file: [UInt8]) {
        mark = file.starts(with: [0xEF, 0xBB, 0xBF]) ? file[..<3] : []
        var line: [UInt8] = []
        for byte in file.dropFirst(mark.count) {
            line.append(byte)
            if byte == 0x0A {
                lines.append(line)
                line = []
            }
        }
        if !line.isEmpty { lines.append(line) }
        end = lines.first?.suffix(2) == [0x0D, 0x0A] ? [0x0D, 0x0A] : [0x0A]
    }

    var bytes: [UInt8] { Array(mark) + lines.joined() }

    var sections: [String] { lines.indices.compactMap { sectionName(at: $0) } }

    /// The line that gives the key a value at its place.
    func assignment(of place: SettingPlace) -> Int? {
        range(of: place.section)?.first { key(at: $0) == place.key }
    }

    func value(at line: Int) -> String { String(parts(line).value.trimmed) }

    mutating func replaceValue(at line: Int, with value: String) {
        var left = String(parts(line).left)
        if !left.hasSuffix(" "), !left.hasSuffix("\t") { left += " " }
        lines[line] = Array((left + value).utf8) + lineEnd(line)
    }

    mutating func remove(at line: Int) { lines.remove(at: line) }

    /// Adds a line to the section of the place.
    mutating func insert(_ line: String, for place: SettingPlace) {
        let added = Array(line.utf8) + end
        guard let range = range(of: place.section) else {
            closeLastLine()
            if let last = lines.indices.last, !content(last).trimmed.isEmpty { lines.append(end) }
            lines.append(Array("[\(place.section ?? "")]".utf8) + end)
            lines.append(added)
            return
        }
        let sample = range.last { commentedKey(at: $0) == place.key }
        let after = sample ?? range.last { key(at: $0) != nil } ?? (place.section == nil ? nil : range.lowerBound - 1)
        if let after {
            if after == lines.count - 1 { closeLastLine() }
            lines.insert(added, at: after + 1)
        } else {
            // Above all sections: below the comments at the head of the file, but above those that belong to the first section.
            var at = range.upperBound
            if at < lines.count { while at > 0, content(at - 1).trimmed.hasPrefix("#") { at -= 1 } }
            if at == lines.count { closeLastLine() }
            lines.insert(added, at: at)
        }
    }

    private mutating func closeLastLine() {
        guard let last = lines.indices.last, lines[last].last != 0x0A else { return }
        lines[last] += end
    }

    /// The lines of a section without its head; nil when there is none of the name.
    private func range(of section: String?) -> Range<Int>? {
        var start = section == nil ? 0 : nil
        for line in lines.indices {
            guard let name = sectionName(at: line) else { continue }
            if let start { return start..<line }
            if name == section { start = line + 1 }
        }
        return start.map { $0..<lines.count }
    }

    private func content(_ line: Int) -> Substring {
        var bytes = lines[line][...]
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)[...]
    }

    private func lineEnd(_ line: Int) -> [UInt8] {
        let bytes = lines[line]
        if bytes.suffix(2) == [0x0D, 0x0A] { return [0x0D, 0x0A] }
        return bytes.last == 0x0A ? [0x0A] : []
    }

    private func sectionName(at line: Int) -> String? {
        let text = content(line).trimmed
        return text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : nil
    }

    private func key(at line: Int) -> String? { SettingsText.key(content(line).trimmed) }

    /// The key of a line such as `#match = strict`, as the sample file has them.
    private func commentedKey(at line: Int) -> String? {
        let text = content(line).trimmed
        return text.hasPrefix("#") ? SettingsText.key(text.dropFirst().trimmed) : nil
    }

    private static func key(_ text: Substring) -> String? {
        guard !text.hasPrefix("#"), !text.hasPrefix("["), let equals = text.firstIndex(of: "=") else { return nil }
        return String(text[..<equals].trimmed)
    }

    /// What stands up to the value, blanks and all, and the value.
    private func parts(_ line: Int) -> (left: Substring, value: Substring) {
        let text = content(line)
        guard let equals = text.firstIndex(of: "=") else { return (text, "") }
        let start = text[text.index(after: equals)...].firstIndex { $0 != " " && $0 != "\t" } ?? text.endIndex
        return (text[..<start], text[start...])
    }
}
