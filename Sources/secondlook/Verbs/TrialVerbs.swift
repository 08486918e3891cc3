// SPDX-License-Identifier: Apache-2.0
// Looks without a login: what the judge sees, and what it would have said. `test` prints all that can be read from a face, `verify` the
// part that decides; both are one and the same attempt.

import Biometrics
import Monitor
import Platform
import Policy
import TemplateStore

extension Verbs {
    static let trialVerbs = [
        Verb(
            name: "verify", summary: "One whole look without a login: similarity, liveness, pose, and the reason.",
            operands: [Operand(name: "USER", isRequired: false)], options: [trialService]
        ) { typed, session throws(CommandError) in try attempt("verify", typed, &session) },
        Verb(
            name: "test", summary: "The same look with everything read from the face: box, angles, nearest label.",
            operands: [Operand(name: "USER", isRequired: false)], options: [trialService]
        ) { typed, session throws(CommandError) in try attempt("test", typed, &session) },
    ]

    static let trialService = Option(
        name: "service", values: .one("SERVICE"), help: "with the settings of this PAM service")

    private static func attempt(
        _ verb: String, _ typed: Invocation, _ session: inout Session
    ) throws(CommandError) {
        try session.requireRoot(verb)
        let account = try session.account(try session.user(typed.operands.first))
        let settings = try SettingsFile.read(session.paths.settings, service: typed.value("service") ?? "")
        let notEnrolled = CommandError.failed(
            "\(verb): '\(account.name)' is not enrolled; try: sudo secondlook enroll \(account.name)")
        guard session.hasStore else { throw notEnrolled }
        let isQuiet = typed.has("json")
        let environment = try session.environment()
        var viewer = TrialViewer(output: session.output, isQuiet: isQuiet)
        let result: TrialResult?
        do throws(MonitorError) {
            result = try TrialSession.run(user: account, environment: environment, settings: settings) {
                viewer.show($0)
            }
        } catch {
            throw .failed("\(verb): \(error.description)")
        }
        session.output.endProgress()
        guard let result else { throw notEnrolled }
        let report = TrialReport(user: account.name, result: result, glimpse: viewer.glimpse)
        if isQuiet {
            session.output.line(report.json.text)
        } else {
            for line in Shown.columns(report.rows(isFull: verb == "test")) { session.output.line(line) }
        }
        if result.verdict.outcome != .accepted { throw .answeredNo }
    }
}

/// Shows a trial while it runs, and keeps the last face that was seen.
struct TrialViewer {
    var output: any Output
    let isQuiet: Bool
    private(set) var glimpse: Glimpse?

    init(output: any Output, isQuiet: Bool) {
        self.output = output
        self.isQuiet = isQuiet
    }

    /// Always true: the person at the keyboard ends a trial by a signal.
    mutating func show(_ news: TrialProgress) -> Bool {
        switch news {
        case .notice(let notice): if !isQuiet { output.errorLine(Texts.text(notice)) }
        case .frame(let scores, let seen):
            if let seen { glimpse = seen }
            output.progress("similarity \(Decimal.text(scores.similarity, 2)), frame \(scores.frames)")
        }
        return true
    }
}

/// A finished trial in words and as JSON.
struct TrialReport {
    let user: String
    let result: TrialResult
    let glimpse: Glimpse?

    private static let missing = "not installed; see: secondlook models"

    /// Name and value a row; the full read-out adds to what decides where the face was and which label it is most like.
    func rows(isFull: Bool) -> [[String]] {
        let scores = result.scores
        let pose = glimpse?.pose
        let angle: (Float?) -> String = { Decimal.text($0, 0) }
        var rows = [["user", user]]
        if let camera = result.camera { rows.append(["camera", Shown.safe(camera)]) }
        if isFull {
            rows.append(["face", TrialReport.words(glimpse?.box)])
            rows.append(["yaw", "\(angle(pose?.yaw)) degrees"])
            rows.append(["roll", "\(angle(pose?.roll)) degrees"])
            rows.append(["pitch", "\(angle(pose?.pitch)) degrees"])
        }
        rows.append(
            ["similarity", "\(Decimal.text(scores.similarity, 3)) (needs \(Decimal.text(scores.threshold, 3)))"])
        if isFull {
            let label = result.label.map { "\(Shown.safe($0.name)), similarity \(Decimal.text($0.similarity, 3))" }
            rows.append(["nearest label", label ?? "-"])
        }
        rows += [
            ["liveness", result.hasPassive ? Decimal.text(scores.passive, 3) : TrialReport.missing],
            ["second opinion", result.hasSecondOpinion ? Decimal.text(scores.secondOpinion, 3) : TrialReport.missing],
            ["asked to turn", scores.challenged ? "yes, depth \(Decimal.text(scores.depth, 2))" : "no"],
        ]
        if !isFull { rows.append(["pose", "yaw \(angle(pose?.yaw)), pitch \(angle(pose?.pitch)) degrees"]) }
        rows += [
            ["frames", "\(scores.usableFrames) usable of \(scores.frames)"],
            ["outcome", TrialReport.words(result.verdict.outcome)],
            ["reason", result.verdict.reason.rawValue],
        ]
        return rows
    }

    /// `notJudged` as a person reads it.
    private static func words(_ outcome: Outcome) -> String {
        String("\(outcome)".flatMap { $0.isUppercase ? " \($0.lowercased())" : "\($0)" })
    }

    private static func words(_ box: Box?) -> String {
        guard let box else { return "none" }
        let number: (Float) -> String = { Decimal.text($0, 0) }
        return "\(number(box.width))x\(number(box.height)) pixels at \(number(box.x)),\(number(box.y))"
    }

    /// Every figure; what was not measured is null.
    var json: JSON {
        let scores = result.scores
        return .of([
            "user": .string(user), "outcome": .string("\(result.verdict.outcome)"),
            "reason": .string(result.verdict.reason.rawValue), "similarity": .number(scores.similarity),
            "threshold": .number(scores.threshold), "label": .optional(result.label?.name),
            "label_similarity": .number(result.label?.similarity), "liveness": .number(scores.passive),
            "liveness_installed": .bool(result.hasPassive), "second_opinion": .number(scores.secondOpinion),
            "second_opinion_installed": .bool(result.hasSecondOpinion), "challenged": .bool(scores.challenged),
            "depth": .number(scores.depth), "motion": .number(scores.motion), "screen": .number(scores.screen),
            "box": glimpse.map { TrialReport.json($0.box) } ?? .null, "yaw": .number(glimpse?.pose?.yaw),
            "roll": .number(glimpse?.pose?.roll), "pitch": .number(glimpse?.pose?.pitch),
            "frames": .integer(scores.frames), "usable_frames": .integer(scores.usableFrames),
            "camera": .optional(result.camera),
        ])
    }

    private static func json(_ box: Box) -> JSON {
        .of([
            "x": .number(box.x), "y": .number(box.y), "width": .number(box.width), "height": .number(box.height),
        ])
    }
}

extension JSON {
    /// A measured figure with four digits after the point, or null.
    static func number(_ value: Float?) -> JSON { value.map { .number(Double($0), decimals: 4) } ?? .null }
}

extension Decimal {
    /// A measured figure, or "-".
    static func text(_ value: Float?, _ decimals: Int) -> String {
        value.map { text(Double($0), decimals: decimals) } ?? "-"
    }
}
