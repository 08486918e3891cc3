// SPDX-License-Identifier: Apache-2.0
// What an administrator does when something went wrong: unlock, the record of attempts, recovery codes, a new key.

import Platform
import Policy
import TemplateStore

extension Verbs {
    static let adminVerbs = [
        Verb(
            name: "unlock", summary: "Forget a user's failed attempts, so that the next one may begin.",
            operands: [Operand(name: "USER", isRequired: false)], options: [], run: unlock),
        Verb(
            name: "log", summary: "Show the newest attempts, or check that none was changed.",
            operands: [Operand(name: "USER", isRequired: false)],
            options: [
                Option(name: "verify", values: .none, help: "go through the whole chain; exit code 1 if it is broken"),
                Option(name: "limit", values: .one("N"), help: "at most N attempts, 1 to 10000; 20 if not given"),
            ], run: log),
        Verb(
            name: "recovery new", summary: "Make ten one-time codes for a user; older ones end.",
            operands: [Operand(name: "USER", isRequired: false)], options: [], run: newCodes),
        Verb(
            name: "recovery list", summary: "Tell how many codes a user has, and which were used.",
            operands: [Operand(name: "USER", isRequired: false)], options: [], run: listCodes),
        Verb(
            name: "recovery revoke", summary: "End all codes of a user.",
            operands: [Operand(name: "USER", isRequired: false)], options: [], run: revokeCodes),
        Verb(
            name: "key rotate", summary: "Seal all templates by a new key.", operands: [], options: [], run: rotateKey),
    ]

    @Sendable private static func unlock(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("unlock")
        let user = try session.user(typed.operands.first)
        let settings = try SettingsFile.read(session.paths.settings, service: "")
        var changed = false
        if session.hasStore {
            var store = try session.openStore()
            changed = try inStore { () throws(StoreError) in try store.unlock(user, lockout: Lockout(settings)) }
        }
        if !changed { try session.requireKnown(user) }
        if typed.has("json") {
            session.output.line(JSON.of(["user": .string(user), "changed": .bool(changed)]).text)
        } else {
            session.output.line(changed ? "'\(user)' may try again" : "'\(user)' has no failed attempts")
        }
    }

    @Sendable private static func log(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("log")
        var user: String?
        if let named = typed.operands.first { user = try UserName.checked(named) }
        guard let limit = Int(typed.value("limit") ?? "20"), (1...10_000).contains(limit) else {
            throw .usage("log: --limit needs a number from 1 to 10000")
        }
        if typed.has("verify"), user != nil || typed.has("limit") {
            throw .usage("log: --verify goes through the whole record; leave out USER and --limit")
        }
        guard session.hasStore else {
            throw .failed("log: nothing was recorded yet; '\(session.paths.state)' has no store")
        }
        var store = try session.openStore()
        if typed.has("verify") {
            let report = try inStore { () throws(StoreError) in try store.verifyChain() }
            try show(report, asJSON: typed.has("json"), &session)
            return
        }
        let attempts = try inStore { () throws(StoreError) in try store.attempts(of: user, limit: limit) }
        if typed.has("json") {
            session.output.line(JSON.array(attempts.map(json)).text)
            return
        }
        let rows = attempts.map { attempt -> [String] in
            let record = attempt.record
            return [
                String(attempt.number), TimeText.text(record.time), Shown.safe(record.user), Shown.safe(record.service),
                // The reason tells the outcome as well, but for the word of success.
                record.verdict == Verdict(.accepted, .matched) ? "accepted" : record.verdict.reason.rawValue,
                decimal(record.similarity), "\(record.milliseconds) ms",
            ]
        }
        let header = ["NO", "TIME", "USER", "SERVICE", "RESULT", "COSINE", "TOOK"]
        for line in Shown.table(header, rows, shrinking: [2, 3, 4]) { session.output.line(line) }
    }

    private static func show(_ report: ChainReport, asJSON: Bool, _ session: inout Session) throws(CommandError) {
        if asJSON {
            let faults = report.faults.map { JSON.string($0.description) }
            session.output.line(JSON.of(["attempts": .integer(report.rows), "faults": .array(faults)]).text)
        } else if report.faults.isEmpty {
            session.output.line("\(report.rows) attempts, none changed or missing")
        } else {
            for fault in report.faults { session.output.line(fault.description) }
        }
        if !report.faults.isEmpty { throw .answeredNo }
    }

    private static func decimal(_ value: Double?) -> String { value.map { Decimal.text($0, decimals: 3) } ?? "-" }

    private static func json(_ attempt: Attempt) -> JSON {
        let record = attempt.record
        let number: (Double?) -> JSON = { $0.map { .number($0, decimals: 4) } ?? .null }
        return .of([
            "number": .integer(Int(attempt.number)), "time": .string(TimeText.text(record.time)),
            "user": .string(record.user), "service": .string(record.service), "tty": .string(record.tty),
            "rhost": .string(record.rhost), "outcome": .string("\(record.verdict.outcome)"),
            "reason": .string(record.verdict.reason.rawValue), "similarity": number(record.similarity),
            "liveness": number(record.liveness), "milliseconds": .integer(record.milliseconds),
            "detail": .string(record.detail),
        ])
    }

    @Sendable private static func newCodes(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("recovery new")
        let account = try session.account(try session.user(typed.operands.first))
        var store = try session.openStore(creating: true)
        let now = session.clock.wall()
        let codes = try inStore { () throws(StoreError) in try Store.drawRecoveryCodes() }
        show(codes, of: account.name, asJSON: typed.has("json"), &session)
        // The old codes are given up only for new ones that somebody can read.
        if let fault = session.output.fault {
            let why = if case .failed(let what) = fault { ": \(what)" } else { "" }
            throw .failed("recovery new: the new codes could not be written\(why); the old ones stay")
        }
        do throws(StoreError) {
            try store.replaceRecoveryCodes(by: codes, user: account.name, uid: account.user, at: now)
        } catch {
            throw .failed("recovery new: \(error.description); the codes shown are void, the old ones stay")
        }
    }

    private static func show(_ codes: [String], of user: String, asJSON: Bool, _ session: inout Session) {
        if asJSON {
            session.output.line(JSON.of(["user": .string(user), "codes": .array(codes.map(JSON.string))]).text)
            return
        }
        session.output.line("Codes of '\(user)', each good for one login after the right password.")
        session.output.line("They are shown once: write them down.")
        for code in codes { session.output.line("  \(code)") }
    }

    @Sendable private static func listCodes(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("recovery list")
        let user = try session.user(typed.operands.first)
        var codes: [RecoveryCodeSummary] = []
        if session.hasStore {
            let store = try session.openStore()
            codes = try inStore { () throws(StoreError) in try store.recoveryCodes(of: user) }
        }
        if codes.isEmpty { try session.requireKnown(user) }
        if typed.has("json") {
            let list = codes.map { code in
                JSON.of([
                    "number": .integer(Int(code.number)), "made": .string(TimeText.text(code.created)),
                    "used": .optional(code.used.map(TimeText.text)),
                ])
            }
            session.output.line(JSON.of(["user": .string(user), "codes": .array(list)]).text)
            return
        }
        let left = codes.filter { $0.used == nil }.count
        session.output.line("'\(user)' has \(left) of \(codes.count) codes left")
        for code in codes {
            session.output.line("  \(code.number): \(code.used.map { "used \(TimeText.text($0))" } ?? "not used")")
        }
    }

    @Sendable private static func revokeCodes(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("recovery revoke")
        let user = try session.user(typed.operands.first)
        var count = 0
        if session.hasStore {
            var store = try session.openStore()
            count = try inStore { () throws(StoreError) in try store.revokeRecoveryCodes(of: user) }
        }
        if count == 0 { try session.requireKnown(user) }
        if typed.has("json") {
            session.output.line(JSON.of(["user": .string(user), "revoked": .integer(count)]).text)
        } else {
            session.output.line("\(count) codes of '\(user)' ended")
        }
    }

    @Sendable private static func rotateKey(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("key rotate")
        guard session.hasStore else { throw .failed("key rotate: '\(session.paths.state)' has no store yet") }
        var store = try session.openStore()
        let count = try inStore { () throws(StoreError) in try store.rotateKey() }
        if typed.has("json") {
            session.output.line(JSON.of(["sealed": .integer(count)]).text)
        } else {
            session.output.line("\(count) templates are sealed by a new key")
        }
    }
}
