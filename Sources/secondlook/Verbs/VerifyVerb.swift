// SPDX-License-Identifier: Apache-2.0
// One whole look without a login: what the judge sees, and what it would have said.

import Monitor
import Platform
import Policy
import TemplateStore

extension Verbs {
    static let verifyVerbs = [
        Verb(
            name: "verify", summary: "One whole look without a login: similarity, liveness, pose, and the reason.",
            operands: [Operand(name: "USER", isRequired: false)],
            options: [Option(name: "service", values: .one("SERVICE"), help: "with the settings of this PAM service")],
            run: verify)
    ]

    /// The angles of the face in the last frame that had one.
    private struct Angles {
        var yaw: Float?
        var pitch: Float?
    }

    @Sendable private static func verify(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("verify")
        let account = try session.account(try session.user(typed.operands.first))
        let settings = try SettingsFile.read(session.paths.settings, service: typed.value("service") ?? "")
        guard session.hasStore else { throw notEnrolled(account.name) }
        let isQuiet = typed.has("json")
        let environment = try session.environment()
        var output = session.output
        var angles = Angles()
        let result: TrialResult?
        do throws(MonitorError) {
            result = try TrialSession.run(user: account, environment: environment, settings: settings) { news in
                switch news {
                case .notice(let notice): if !isQuiet { output.errorLine(Texts.text(notice)) }
                case .frame(let scores, let yaw, let pitch):
                    if let yaw { angles = Angles(yaw: yaw, pitch: pitch) }
                    output.progress("similarity \(text(scores.similarity, 2)), frame \(scores.frames)")
                }
                return true
            }
        } catch {
            throw .failed("verify: \(error.description)")
        }
        output.endProgress()
        guard let result else { throw notEnrolled(account.name) }
        if isQuiet {
            session.output.line(json(result, angles, account.name).text)
        } else {
            show(result, angles, account.name, &session)
        }
        if result.verdict.outcome != .accepted { throw .answeredNo }
    }

    private static func notEnrolled(_ user: String) -> CommandError {
        .failed("verify: '\(user)' is not enrolled; try: sudo secondlook enroll \(user)")
    }

    private static func show(_ result: TrialResult, _ angles: Angles, _ user: String, _ session: inout Session) {
        let scores = result.scores
        let missing = "not installed; see: secondlook models"
        var rows = [
            ["user", user],
            ["similarity", "\(text(scores.similarity, 3)) (needs \(text(scores.threshold, 3)))"],
            ["liveness", result.hasPassive ? text(scores.passive, 3) : missing],
            ["second opinion", result.hasSecondOpinion ? text(scores.secondOpinion, 3) : missing],
            ["asked to turn", scores.challenged ? "yes, depth \(text(scores.depth, 2))" : "no"],
            ["pose", "yaw \(text(angles.yaw, 0)), pitch \(text(angles.pitch, 0)) degrees"],
            ["frames", "\(scores.usableFrames) usable of \(scores.frames)"],
            ["outcome", "\(result.verdict.outcome)"],
            ["reason", result.verdict.reason.rawValue],
        ]
        if let camera = result.camera { rows.insert(["camera", Shown.safe(camera)], at: 1) }
        for line in Shown.columns(rows) { session.output.line(line) }
    }

    private static func json(_ result: TrialResult, _ angles: Angles, _ user: String) -> JSON {
        let scores = result.scores
        let number: (Float?) -> JSON = { $0.map { .number(Double($0), decimals: 4) } ?? .null }
        return .of([
            "user": .string(user), "outcome": .string("\(result.verdict.outcome)"),
            "reason": .string(result.verdict.reason.rawValue), "similarity": number(scores.similarity),
            "threshold": number(scores.threshold), "liveness": number(scores.passive),
            "liveness_installed": .bool(result.hasPassive), "second_opinion": number(scores.secondOpinion),
            "second_opinion_installed": .bool(result.hasSecondOpinion), "challenged": .bool(scores.challenged),
            "depth": number(scores.depth), "motion": number(scores.motion), "screen": number(scores.screen),
            "yaw": number(angles.yaw), "pitch": number(angles.pitch), "frames": .integer(scores.frames),
            "usable_frames": .integer(scores.usableFrames), "camera": .optional(result.camera),
        ])
    }

    private static func text(_ value: Float?, _ decimals: Int) -> String {
        value.map { Decimal.text(Double($0), decimals: decimals) } ?? "-"
    }
}
