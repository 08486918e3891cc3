// SPDX-License-Identifier: Apache-2.0
// Who is in front of the camera, of all who are enrolled.

import Monitor
import Policy

extension Verbs {
    static let identifyVerbs = [
        Verb(
            name: "identify", summary: "Tell who of all enrolled is in front of the camera; exit code 1 for nobody.",
            operands: [], options: [trialService], run: identify)
    ]

    @Sendable private static func identify(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("identify")
        let settings = try SettingsFile.read(session.paths.settings, service: typed.value("service") ?? "")
        let nobodyEnrolled = CommandError.failed("identify: nobody is enrolled; try: sudo secondlook enroll USER")
        guard session.hasStore else { throw nobodyEnrolled }
        let environment = try session.environment()
        var viewer = TrialViewer(output: session.output, isQuiet: typed.has("json"))
        let result: IdentifyResult?
        do throws(MonitorError) {
            result = try IdentifySession.run(environment: environment, settings: settings) { viewer.show($0) }
        } catch {
            throw .failed("identify: \(error.description)")
        }
        session.output.endProgress()
        guard let result else { throw nobodyEnrolled }
        let report = IdentifyReport(result: result)
        if typed.has("json") {
            session.output.line(report.json.text)
        } else {
            for line in Shown.columns(report.rows) { session.output.line(line) }
        }
        if result.name == nil { throw .answeredNo }
    }
}

/// A finished identification in words and as JSON.
struct IdentifyReport {
    let result: IdentifyResult

    private var nearest: Candidate? { result.candidates.first }

    /// How much the nearest is nearer than the next; nil where there is no next.
    private var margin: Float? {
        guard let nearest, result.candidates.count > 1 else { return nil }
        return nearest.similarity - result.candidates[1].similarity
    }

    /// Name and value a row.
    var rows: [[String]] {
        var rows = [["name", result.name.map(Shown.safe) ?? "nobody"]]
        if let nearest {
            rows.append([
                "similarity",
                "\(Decimal.text(nearest.similarity, 3)) (needs \(Decimal.text(result.threshold, 3)) among \(result.people))",
            ])
            if result.name == nil { rows.append(["nearest", Shown.safe(nearest.name)]) }
            rows.append(["margin", margin.map { "\(Decimal.text($0, 3)) to the next" } ?? "nobody else is enrolled"])
        }
        let liveness = Decimal.text(result.scores.passive, 3)
        rows.append(["liveness", result.hasPassive ? liveness : "not installed; see: secondlook models"])
        rows.append(["reason", result.verdict.reason.rawValue])
        return rows
    }

    /// Every figure; what was not measured is null.
    var json: JSON {
        .of([
            "name": .optional(result.name), "nearest": .optional(nearest?.name),
            "similarity": .number(nearest?.similarity), "threshold": .number(result.threshold),
            "margin": .number(margin), "people": .integer(result.people),
            "outcome": .string("\(result.verdict.outcome)"), "reason": .string(result.verdict.reason.rawValue),
            "liveness": .number(result.scores.passive), "liveness_installed": .bool(result.hasPassive),
            "challenged": .bool(result.scores.challenged), "camera": .optional(result.camera),
        ])
    }
}
