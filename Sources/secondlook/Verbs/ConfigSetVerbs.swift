// SPDX-License-Identifier: Apache-2.0
// Changes the settings file in place. The file is replaced in one step, and only by one that a login would accept: a change that would
// lock everybody out is refused here, where somebody can still read why.

import Platform
import Policy

extension Verbs {
    static let configSetVerbs = [
        Verb(
            name: "config set", summary: "Set a key, for all services or as SERVICE.KEY for one; the rest stays.",
            operands: [configKey, Operand(name: "VALUE", isRequired: true)], options: [configFile], run: setConfig),
        Verb(
            name: "config unset", summary: "Take a key out of the file, so that its default holds again.",
            operands: [configKey], options: [configFile], run: unsetConfig),
    ]

    private static let configKey = Operand(name: "KEY", isRequired: true)

    @Sendable private static func setConfig(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        let (place, value) = (SettingPlace(typed.operands[0]), typed.operands[1])
        try change("config set", place, typed, &session) { file throws(SettingsEditError) in
            try SettingsEdit.set(place, to: value, in: file)
        }
    }

    @Sendable private static func unsetConfig(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        let place = SettingPlace(typed.operands[0])
        try change("config unset", place, typed, &session) { file throws(SettingsEditError) in
            try SettingsEdit.unset(place, in: file)
        }
    }

    /// Reads, edits, checks and replaces the file under a lock; `edit` gives nil where there is nothing to change.
    private static func change(
        _ verb: String, _ place: SettingPlace, _ typed: Invocation, _ session: inout Session,
        edit: ([UInt8]) throws(SettingsEditError) -> [UInt8]?
    ) throws(CommandError) {
        if typed.value("conf") == nil { try session.requireRoot(verb) }
        let path = typed.value("conf") ?? session.paths.settings
        let before: [UInt8]
        let after: [UInt8]
        do {
            let lock = try SafeFile.lockFolder(of: path)
            defer { _ = lock.raw }
            // A file that is not there yet begins as the sample, so that it explains itself.
            let isThere = SafeFile.exists(path)
            before = isThere ? try SafeFile.read(path, limit: Settings.longestFile) : Array(Settings.sample.utf8)
            after = try edit(before) ?? before
            if after != before { try SafeFile.replaceKeeping(path, with: after, mode: 0o644) }
        } catch let error as SettingsEditError {
            var text = error.description
            if case .result(let inFile) = error, inFile.line != nil { text = "'\(path)' would be wrong: \(text)" }
            throw .failed("\(verb): \(text); nothing was changed")
        } catch let error as PlatformError where error.isUnsafe {
            throw .failed("\(verb): \(error.description); settings are taken from a file that root alone can change")
        } catch {
            throw .failed("\(verb): \(error)")
        }
        report(place, path, before, after, asJSON: typed.has("json"), &session)
    }

    private static func report(
        _ place: SettingPlace, _ path: String, _ before: [UInt8], _ after: [UInt8], asJSON: Bool,
        _ session: inout Session
    ) {
        let (old, new) = (SettingsEdit.value(place, in: before), SettingsEdit.value(place, in: after))
        if asJSON {
            session.output.line(
                JSON.of([
                    "file": .string(path), "section": .optional(place.section), "key": .string(place.key),
                    "before": .optional(old), "value": .optional(new), "changed": .bool(after != before),
                ]).text)
            return
        }
        let was = old.map { " (was \($0.isEmpty ? "empty" : $0))" } ?? ""
        switch (new, after != before) {
        case (.some(let value), true): session.output.line(Shown.safe("\(place.text) = \(value)\(was)"))
        case (.some(let value), false): session.output.line(Shown.safe("\(place.text) = \(value) already"))
        case (.none, true): session.output.line(Shown.safe("\(place.text) is not set any more\(was)"))
        case (.none, false): session.output.line(Shown.safe("\(place.text) is not set in '\(path)'"))
        }
    }
}
