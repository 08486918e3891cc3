// SPDX-License-Identifier: Apache-2.0
// Says whether this machine can do what the settings demand of the process that sees: the kernel's walls, the worker's user, a camera.

import Platform
import Policy

/// One thing that was looked at.
struct Finding: Equatable {
    /// What it is.
    var name: String
    /// Nil when it is as it should be, else what is wrong.
    var problem: String?
    /// More about it.
    var detail: String
    /// Whether a login fails for it.
    var isNeeded: Bool
}

/// The walls as findings; pure, so that a kernel without them can be played.
enum Walls {
    static func findings(_ layers: Sandbox.Layers, landlock: Int, rule: SandboxRule) -> [Finding] {
        let rows: [(String, Sandbox.Layers, String)] = [
            ("no new privileges", .noNewPrivileges, ""),
            ("system-call filter", .seccomp, ""),
            ("Landlock", .landlock, landlock > 0 ? "version \(landlock)" : ""),
            ("resource limits", .resourceLimits, ""),
        ]
        return rows.map { name, layer, detail in
            let missing = !layers.contains(layer)
            return Finding(
                name: name, problem: missing ? "this kernel does not offer it" : nil, detail: detail,
                isNeeded: rule == .require)
        }
    }

    static func worker(_ name: String, exists: Bool, rule: SandboxRule) -> Finding {
        Finding(
            name: "user \(name)", problem: exists ? nil : "does not exist; 'make install' or systemd-sysusers makes it",
            detail: "",
            isNeeded: rule == .require)
    }
}

extension Verbs {
    static let doctorVerbs = [
        Verb(
            name: "doctor", summary: "Tell what this machine lacks for the settings to hold.", operands: [],
            options: [],
            run: doctor)
    ]

    @Sendable private static func doctor(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        let settings = try SettingsFile.read(session.paths.settings, service: "")
        let checkup = Checkup(session: session)
        let findings =
            checkup.installation + DoctorFindings.all(settings, session.cameras.list()) + checkup.store + checkup.pam
            + [checkup.service]
        if typed.has("json") {
            session.output.line(JSON.array(findings.map(json)).text)
        } else {
            for finding in findings { session.output.lines(DoctorFindings.lines(finding)) }
        }
        let fatal = findings.filter { $0.isNeeded && $0.problem != nil }
        guard fatal.isEmpty else {
            throw .failed("doctor: logins are refused for want of: \(fatal.map(\.name).joined(separator: ", "))")
        }
    }

    private static func json(_ finding: Finding) -> JSON {
        .of([
            "name": .string(finding.name), "ok": .bool(finding.problem == nil),
            "needed": .bool(finding.isNeeded), "problem": .optional(finding.problem),
            "detail": .string(finding.detail),
        ])
    }
}

/// Everything that is looked at, for the doctor and for a report to others.
enum DoctorFindings {
    static func all(_ settings: Settings, _ nodes: [CameraNode]) -> [Finding] {
        let name = "_secondlook"
        let account = try? Account.find(name: name)
        var findings = Walls.findings(
            Sandbox.available(), landlock: Sandbox.landlockVersion, rule: settings.sandbox)
        findings.append(Walls.worker(name, exists: account != nil, rule: settings.sandbox))
        findings.append(camera(settings, nodes))
        return findings
    }

    private static func camera(_ settings: Settings, _ nodes: [CameraNode]) -> Finding {
        do throws(CameraChoiceError) {
            let chosen = try CameraNodes.choose(
                settings.camera, among: nodes, allowVirtual: settings.allowVirtualCameras)
            return Finding(name: "camera", problem: nil, detail: Shown.safe(chosen.name), isNeeded: true)
        } catch {
            return Finding(
                name: "camera", problem: Shown.safe(error.description) + "; see: secondlook devices", detail: "",
                isNeeded: true)
        }
    }

    /// A line that says nothing of what is in order but that it is.
    static func lineWithoutDetail(_ finding: Finding) -> String {
        var finding = finding
        if finding.problem == nil { finding.detail = "" }
        return line(finding)
    }

    /// One line.
    static func line(_ finding: Finding) -> String {
        let state = state(finding)
        return state + String(repeating: " ", count: stateWidth - state.count) + text(finding)
    }

    /// The same for a plain terminal: what does not fit the line goes on under itself.
    static func lines(_ finding: Finding) -> [String] {
        Help.row(state(finding), text(finding), width: stateWidth, indent: 0)
    }

    /// Columns of the first word.
    private static let stateWidth = 9

    /// A want and a remark differ by more than capitals, which a screen reader does not say.
    private static func state(_ finding: Finding) -> String {
        finding.problem == nil ? "ok" : finding.isNeeded ? "MISSING" : "note"
    }

    private static func text(_ finding: Finding) -> String {
        let words = finding.problem ?? finding.detail
        return words.isEmpty ? finding.name : "\(finding.name): \(words)"
    }
}
