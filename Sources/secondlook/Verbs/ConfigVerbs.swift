// SPDX-License-Identifier: Apache-2.0
// Shows the settings in force, and tells whether the file would be accepted. It reads the file by the same rules as the helper.

import Platform
import Policy

extension Verbs {
    static let configVerbs = [
        Verb(
            name: "config show", summary: "Show the settings in force, those changed marked with '*'.", operands: [],
            options: [configService, configFile], run: showConfig),
        Verb(
            name: "config check", summary: "Check the settings file; a mistake is named with its line.", operands: [],
            options: [configFile], run: checkConfig),
    ]

    private static let configService = Option(
        name: "service", values: .one("SERVICE"), help: "as this PAM service sees them")
    static let configFile = Option(
        name: "conf", values: .one("FILE"), help: "another file than /etc/secondlook/secondlook.conf")

    @Sendable private static func showConfig(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        let named = typed.value("conf")
        let path = named ?? session.paths.settings
        let settings = try SettingsFile.read(path, service: typed.value("service") ?? "", mayBeMissing: named == nil)
        let defaults = Settings()
        if typed.has("json") {
            let members = Settings.table.map { JSON.Member(name: $0.name, value: .string($0.value(in: settings))) }
            session.output.line(JSON.object(members).text)
            return
        }
        for row in Settings.table {
            let isChanged = row.value(in: settings) != row.value(in: defaults)
            session.output.line("\(isChanged ? "*" : " ") \(row.name) = \(row.value(in: settings))")
        }
    }

    @Sendable private static func checkConfig(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        let named = typed.value("conf")
        let path = named ?? session.paths.settings
        _ = try SettingsFile.read(path, service: "", mayBeMissing: named == nil)
        let isThere = try SettingsFile.isThere(path)
        if typed.has("json") {
            session.output.line(JSON.of(["file": .string(path), "exists": .bool(isThere), "ok": .bool(true)]).text)
        } else {
            session.output.line(
                isThere ? "'\(Shown.safe(path))' is good" : "'\(Shown.safe(path))' does not exist: defaults")
        }
    }
}

/// The settings file as the helper reads it.
enum SettingsFile {
    /// The settings for a service.
    ///
    /// Without a file they are the defaults, unless somebody named it: then it must be there, as for the
    /// module's `conf=`.
    static func read(
        _ path: String, service: String, mayBeMissing: Bool = true
    ) throws(CommandError) -> Settings {
        do {
            let bytes = try SafeFile.read(path, limit: Settings.longestFile)
            return try Settings.parse(bytes, service: service)
        } catch let error as PlatformError where mayBeMissing && error.isMissing {
            return Settings()
        } catch let error as SettingsError {
            throw .failed("'\(path)': \(error.description)")
        } catch let error as PlatformError where error.isUnsafe {
            throw .failed("\(error.description); settings are taken from a file that root alone can change")
        } catch {
            throw .failed("\(error)")
        }
    }

    /// Whether the file exists.
    static func isThere(_ path: String) throws(CommandError) -> Bool {
        do throws(PlatformError) {
            _ = try SafeFile.open(path)
            return true
        } catch  where error.isMissing {
            return false
        } catch {
            throw .failed(error.description)
        }
    }
}
