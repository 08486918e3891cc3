// SPDX-License-Identifier: Apache-2.0
// Gathers a support report. Whatever cannot be read is itself worth a line, so nothing that is broken keeps the report from being made.

import Monitor
import Platform
import Policy
import TemplateStore

extension Verbs {
    static let supportVerbs = [
        Verb(
            name: "support-report",
            summary: "Write what somebody who helps needs, without names, serials or templates.",
            operands: [],
            options: [Option(name: "output", values: .one("FILE"), help: "into this new file, not on the screen")],
            run: supportReport)
    ]

    /// The newest attempts that are counted.
    private static let mostAttempts = 10_000

    @Sendable private static func supportReport(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("support-report")
        let report = report(session)
        let text = typed.has("json") ? report.json.text : report.text
        guard let file = typed.value("output") else { return session.output.line(text) }
        do throws(PlatformError) { try SafeFile.writeNew(file, with: Array((text + "\n").utf8)) } catch {
            throw .failed("support-report: \(error.description)\(error.code == 17 ? "; name a new file" : "")")
        }
        if typed.has("json") {
            session.output.line(JSON.of(["file": .string(file)]).text)
        } else {
            session.output.line("wrote '\(Shown.safe(file))'; read it before you send it")
        }
    }

    private static func report(_ session: Session) -> SupportReport {
        let nodes = session.cameras.list()
        let file = try? SafeFile.read(session.paths.settings, limit: Settings.longestFile)
        let settings = (try? Settings.parse(file ?? [], service: "")) ?? Settings()
        let stored = Stored(session, most: mostAttempts)
        let host = try? SafeFile.readUnchecked("/proc/sys/kernel/hostname", limit: 256)
        let names =
            [session.caller.sudoUser, session.caller.ownUser].compactMap { $0 }
            + [String(decoding: (host ?? []).prefix { $0 > 0x20 }, as: UTF8.self)]
        let fromCameras = nodes.flatMap { [$0.serial, $0.card, $0.name, $0.bus] }
        var report = SupportReport(
            scrubber: Scrubber(
                (names + stored.names + fromCameras + SupportFacts.names(in: settings)).filter {
                    $0 != "root" && $0 != "localhost"
                }))
        report.add("secondlook", [Command.version, "made \(TimeText.text(session.clock.wall()))"])
        report.add(
            "system",
            SupportFacts.system(
                release: try? SafeFile.readUnchecked(SafeFile.resolved("/etc/os-release"), limit: 65_536),
                kernel: try? SafeFile.readUnchecked("/proc/sys/kernel/osrelease", limit: 256)))
        report.add("doctor", DoctorFindings.all(settings, nodes).map(DoctorFindings.lineWithoutDetail))
        report.add("settings", file.map(SupportFacts.settings) ?? ["no file that can be read"])
        report.add("cameras", SupportFacts.cameras(nodes, allowVirtual: settings.allowVirtualCameras))
        let models = models(session)
        report.add("models", models.lines)
        report.add(
            "enrolments", stored.fault ?? SupportFacts.enrolments(stored.enrolments, recogniser: models.recogniser))
        report.add("attempts", stored.fault ?? SupportFacts.attempts(stored.attempts))
        return report
    }

    private static func models(_ session: Session) -> (lines: [String], recogniser: String?) {
        do throws(MonitorError) {
            let set = try ModelSet(session.paths.installation)
            let lines = NetworkRole.allCases.map { role in
                "\(role.rawValue): " + (set.model(role).map { "sha256 \($0.entry.sha256)" } ?? "not installed")
            }
            return (lines, set.recogniserHash)
        } catch {
            return ([error.description], nil)
        }
    }
}

/// What the store has to say; a fault in its place where it cannot be read.
private struct Stored {
    var enrolments: [EnrolmentSummary] = []
    var attempts: [Attempt] = []
    var fault: [String]?

    init(_ session: Session, most: Int) {
        guard session.hasStore else {
            fault = ["nothing was stored yet"]
            return
        }
        do throws(CommandError) {
            let store = try session.openStore()
            enrolments = try inStore { () throws(StoreError) in try store.summaries() }
            attempts = try inStore { () throws(StoreError) in try store.attempts(limit: most) }
        } catch {
            fault = [error.description]
        }
    }

    /// Everybody and everything that has a name in it.
    var names: [String] {
        enrolments.flatMap { [$0.user, $0.label].filter { $0 != "default" } }
            + attempts.flatMap { [$0.record.user, $0.record.tty, $0.record.rhost] }
    }
}
