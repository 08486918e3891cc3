// SPDX-License-Identifier: Apache-2.0
// Reads a settings file. The whole file must be right, also the sections of other services: a slip is told at once, not when that
// service is first used. A byte order mark and CRLF line ends are taken as an editor's habit; an empty file means the defaults.

extension Settings {
    /// The settings in force for `service`, from the bytes of a settings file.
    ///
    /// - Throws: the first fault in the file, with its line and a remedy.
    public static func parse(_ bytes: [UInt8], service: String) throws(SettingsError) -> Settings {
        guard bytes.count <= longestFile else { throw .tooLong(bytes: bytes.count) }
        var parser = SettingsParser()
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        var number = 0
        for line in content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            try parser.take(line, number: number)
        }
        return try parser.settings(for: service)
    }

    /// Checks that the deadlines nest.
    func checkDeadlines(section: String?) throws(SettingsError) {
        let chain: [(String, UInt64)] = [
            ("camera_timeout", cameraTimeout), ("dark_timeout", darkTimeout), ("no_face_timeout", noFaceTimeout),
            ("usable_timeout", usableTimeout), ("timeout", timeout),
        ]
        for (inner, outer) in zip(chain, chain.dropFirst()) where inner.1 >= outer.1 {
            throw .deadlines(
                inner: inner.0, innerValue: TimeText.text(inner.1), outer: outer.0, outerValue: TimeText.text(outer.1),
                section: section)
        }
        try check("challenge_after", challengeAfter, below: "no_face_timeout", noFaceTimeout, section)
        try check(
            "usable_timeout and challenge_timeout", usableTimeout + challengeTimeout, below: "timeout", timeout, section
        )
        guard lockoutTime > lockoutMax else { return }
        throw .deadlines(
            inner: "lockout_time", innerValue: TimeText.text(lockoutTime), outer: "lockout_max",
            outerValue: TimeText.text(lockoutMax), section: section)
    }

    private func check(
        _ inner: String, _ innerValue: UInt64, below outer: String, _ outerValue: UInt64, _ section: String?
    ) throws(SettingsError) {
        guard innerValue >= outerValue else { return }
        throw .deadlines(
            inner: inner, innerValue: TimeText.text(innerValue), outer: outer, outerValue: TimeText.text(outerValue),
            section: section)
    }
}

/// The lines so far.
private struct SettingsParser {
    private struct Assignment {
        var row: SettingRow
        var value: Substring
        var line: Int
    }

    private var common: [String: Assignment] = [:]
    private var sections: [(name: String, line: Int, assignments: [String: Assignment])] = []

    mutating func take(_ raw: ArraySlice<UInt8>, number: Int) throws(SettingsError) {
        let bytes = raw.last == 0x0D ? raw.dropLast() : raw
        guard let text = String(validating: bytes, as: UTF8.self),
            bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
        else { throw .encoding(line: number) }
        let line = text[...].trimmed
        if line.isEmpty || line.hasPrefix("#") { return }
        if line.hasPrefix("[") {
            try begin(line, number)
        } else {
            try assign(line, number)
        }
    }

    private mutating func begin(_ line: Substring, _ number: Int) throws(SettingsError) {
        guard line.hasSuffix("]"), line.count > 1 else { throw .syntax(line: number, text: Settings.shortened(line)) }
        let name = String(line.dropFirst().dropLast())
        guard Settings.isServiceName(name) else {
            throw .section(line: number, name: Settings.shortened(name))
        }
        if let first = sections.first(where: { $0.name == name }) {
            throw .duplicateSection(line: number, name: name, first: first.line)
        }
        sections.append((name, number, [:]))
    }

    private mutating func assign(_ line: Substring, _ number: Int) throws(SettingsError) {
        guard let equals = line.firstIndex(of: "=") else { throw .syntax(line: number, text: Settings.shortened(line)) }
        let key = String(line[..<equals].trimmed)
        let value = line[line.index(after: equals)...].trimmed
        guard !key.isEmpty else { throw .syntax(line: number, text: Settings.shortened(line)) }
        guard let row = Settings.table.first(where: { $0.name == key }) else {
            throw .unknownKey(line: number, key: Settings.shortened(key), nearest: Settings.nearestKey(to: key))
        }
        guard row.perService || sections.isEmpty else { throw .notPerService(line: number, key: key) }
        let present = sections.isEmpty ? common[key] : sections[sections.count - 1].assignments[key]
        if let present { throw .duplicateKey(line: number, key: key, first: present.line) }
        var trial = Settings()
        guard row.read(&trial, value) else {
            throw .value(line: number, key: key, value: Settings.shortened(value), remedy: remedy(row, value))
        }
        let assignment = Assignment(row: row, value: value, line: number)
        if sections.isEmpty {
            common[key] = assignment
        } else {
            sections[sections.count - 1].assignments[key] = assignment
        }
    }

    /// All sections are checked; the one of `service` is returned.
    func settings(for service: String) throws(SettingsError) -> Settings {
        var settings = Settings()
        for assignment in common.values { _ = assignment.row.read(&settings, assignment.value) }
        try settings.checkDeadlines(section: nil)
        var result = settings
        for section in sections {
            var own = settings
            for assignment in section.assignments.values { _ = assignment.row.read(&own, assignment.value) }
            try own.checkDeadlines(section: section.name)
            if section.name == service { result = own }
        }
        return result
    }

    private func remedy(_ row: SettingRow, _ value: Substring) -> String {
        if value.contains(",") { return "write a point, not a comma; allowed: \(row.range)" }
        if value.contains("#") { return "a comment needs a line of its own; allowed: \(row.range)" }
        return "allowed: \(row.range)"
    }
}

extension Substring {
    /// Without blanks and tabs at both ends.
    var trimmed: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

extension Settings {
    /// Whether a PAM service can have this name.
    static func isServiceName(_ name: String) -> Bool {
        let allowed = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || [0x2D, 0x2E, 0x40, 0x5F].contains(byte)
        }
        return allowed && (1...64).contains(name.utf8.count)
    }

    /// Text short enough for a line that names it.
    static func shortened(_ text: some StringProtocol) -> String {
        text.count > 60 ? "\(text.prefix(57))..." : String(text)
    }

    /// The key at the least edit distance, when that is at most 3.
    static func nearestKey(to key: String) -> String? {
        Spelling.nearest(to: key, among: Settings.table.map(\.name), within: 3)
    }
}
