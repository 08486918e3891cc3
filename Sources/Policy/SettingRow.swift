// SPDX-License-Identifier: Apache-2.0
// One row a key. The parser, `config show`, the sample file and the test of the man page all read this table, so they cannot disagree.

/// A key of the settings file: its name, what it may be, how it is read and shown.
public struct SettingRow: Sendable {
    /// The key as it is written.
    public let name: String
    /// What a value may be, in words for a person.
    public let range: String
    /// What the key does, in one or more plain sentences.
    public let help: String
    /// Whether a `[service]` section may give it another value.
    public let perService: Bool
    /// Puts a written value into settings; false when it cannot be one.
    let read: @Sendable (inout Settings, Substring) -> Bool
    /// The value in settings as it would be written.
    let write: @Sendable (Settings) -> String

    /// The default as it would be written; empty text is nothing after the equals sign.
    public var defaultValue: String { write(Settings()) }

    /// The value in `settings` as it would be written.
    public func value(in settings: Settings) -> String { write(settings) }
}

extension SettingRow {
    /// One of a few words.
    static func word<T: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Settings, T> & Sendable, perService: Bool = false, _ help: String
    ) -> SettingRow where T.RawValue == String {
        SettingRow(
            name: name, range: T.allCases.map(\.rawValue).joined(separator: " | "), help: help, perService: perService,
            read: { settings, text in
                guard let value = T(rawValue: String(text)) else { return false }
                settings[keyPath: path] = value
                return true
            },
            write: { $0[keyPath: path].rawValue })
    }

    /// Yes or no.
    static func flag(
        _ name: String, _ path: any WritableKeyPath<Settings, Bool> & Sendable, perService: Bool = false, _ help: String
    ) -> SettingRow {
        SettingRow(
            name: name, range: "yes | no", help: help, perService: perService,
            read: { settings, text in
                guard text == "yes" || text == "no" else { return false }
                settings[keyPath: path] = text == "yes"
                return true
            },
            write: { $0[keyPath: path] ? "yes" : "no" })
    }

    /// A whole number.
    static func number(
        _ name: String, _ path: any WritableKeyPath<Settings, UInt64> & Sendable, _ range: ClosedRange<UInt64>,
        perService: Bool = false, _ help: String
    ) -> SettingRow {
        SettingRow(
            name: name, range: "a whole number, \(range.lowerBound) to \(range.upperBound)", help: help,
            perService: perService,
            read: { settings, text in
                guard let value = wholeNumber(text), range.contains(value) else { return false }
                settings[keyPath: path] = value
                return true
            },
            write: { String($0[keyPath: path]) })
    }

    /// A time with its unit, in milliseconds inside.
    static func time(
        _ name: String, _ path: any WritableKeyPath<Settings, UInt64> & Sendable, _ range: ClosedRange<UInt64>,
        perService: Bool = false, _ help: String
    ) -> SettingRow {
        let bounds = "\(TimeText.text(range.lowerBound)) to \(TimeText.text(range.upperBound))"
        return SettingRow(
            name: name, range: "a whole number with its unit (ms, s or min), \(bounds)", help: help,
            perService: perService,
            read: { settings, text in
                guard let value = TimeText.milliseconds(text), range.contains(value) else { return false }
                settings[keyPath: path] = value
                return true
            },
            write: { TimeText.text($0[keyPath: path]) })
    }

    /// Text without control characters, at most `limit` bytes.
    static func text(
        _ name: String, _ path: any WritableKeyPath<Settings, String> & Sendable, limit: Int, emptyAllowed: Bool,
        perService: Bool = false, range: String, _ help: String
    ) -> SettingRow {
        SettingRow(
            name: name, range: range, help: help, perService: perService,
            read: { settings, text in
                guard text.utf8.count <= limit, emptyAllowed || !text.isEmpty else { return false }
                settings[keyPath: path] = String(text)
                return true
            },
            write: { $0[keyPath: path] })
    }

    /// Decimal digits only: no sign, no blank, no exponent.
    static func wholeNumber(_ text: Substring) -> UInt64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt64(text)
    }
}

/// Times as they are written.
enum TimeText {
    private static let units: [(name: String, milliseconds: UInt64)] = [("min", 60_000), ("ms", 1), ("s", 1_000)]

    /// Reads "500 ms", "5 s" or "15min"; nil for anything else, and for a time that does not fit.
    static func milliseconds(_ text: Substring) -> UInt64? {
        for unit in units where text.hasSuffix(unit.name) {
            var digits = text.dropLast(unit.name.count)
            while digits.last == " " { digits.removeLast() }
            guard let number = SettingRow.wholeNumber(digits) else { return nil }
            let (product, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
            return overflow ? nil : product
        }
        return nil
    }

    /// The shortest exact way to write it.
    static func text(_ milliseconds: UInt64) -> String {
        if milliseconds % 60_000 == 0, milliseconds > 0 { return "\(milliseconds / 60_000) min" }
        return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}
