// SPDX-License-Identifier: Apache-2.0
// What is enrolled: list, remove, is-enrolled.

import TemplateStore

extension Verbs {
    static let storeVerbs = [
        Verb(
            name: "list", summary: "List what is enrolled, of one user or of all.",
            operands: [Operand(name: "USER", isRequired: false)], options: [], run: list),
        Verb(
            name: "remove", summary: "Remove a user's templates, or the one of a label.",
            operands: [Operand(name: "USER", isRequired: true)],
            options: [Option(name: "label", values: .one("L"), help: "only the template of this label")], run: remove),
        Verb(
            name: "is-enrolled", summary: "Tell by the exit code whether a user is enrolled: 0 yes, 1 no.",
            operands: [Operand(name: "USER", isRequired: false)], options: [], answersByExitCode: true,
            run: isEnrolled),
    ]

    @Sendable private static func list(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("list")
        var user: String?
        if let named = typed.operands.first { user = try UserName.checked(named) }
        let found: [EnrolmentSummary]
        if session.hasStore {
            let store = try session.openStore()
            found = try inStore { () throws(StoreError) in try store.summaries(of: user) }
        } else {
            found = []
        }
        if typed.has("json") {
            session.output.line(JSON.array(found.map(json)).text)
        } else if found.isEmpty {
            session.output.line(user.map { "'\($0)' is not enrolled" } ?? "nobody is enrolled")
        } else {
            let header = ["USER", "LABEL", "SAMPLES", "ENROLLED", "RECOGNISER"]
            let rows = found.map {
                [
                    Shown.safe($0.user), Shown.safe($0.label), String($0.samples), TimeText.text($0.created),
                    String($0.model.prefix(12)),
                ]
            }
            session.output.lines(Shown.table(header, rows, shrinking: [0, 1]))
        }
    }

    private static func json(_ summary: EnrolmentSummary) -> JSON {
        .of([
            "user": .string(summary.user), "label": .string(summary.label), "samples": .integer(summary.samples),
            "enrolled": .string(TimeText.text(summary.created)), "recogniser": .string(summary.model),
        ])
    }

    @Sendable private static func remove(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("remove")
        let user = try session.user(typed.operands.first)
        let label = typed.value("label")
        var count = 0
        if session.hasStore {
            var store = try session.openStore()
            count = try inStore { () throws(StoreError) in try store.remove(user: user, label: label) }
        }
        guard count > 0 else {
            throw .failed(
                "remove: '\(user)' has no template" + (label.map { " '\($0)'" } ?? "") + "; see: secondlook list")
        }
        if typed.has("json") {
            session.output.line(JSON.of(["user": .string(user), "removed": .integer(count)]).text)
        } else {
            session.output.line("removed \(count) template\(count == 1 ? "" : "s") of '\(user)'")
        }
    }

    @Sendable private static func isEnrolled(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("is-enrolled")
        let user = try session.user(typed.operands.first)
        var answer = false
        if session.hasStore {
            let store = try session.openStore()
            answer = try inStore { () throws(StoreError) in try store.isEnrolled(user) }
        }
        if typed.has("json") {
            session.output.line(JSON.of(["user": .string(user), "enrolled": .bool(answer)]).text)
        } else {
            session.output.line("'\(user)' is \(answer ? "" : "not ")enrolled")
        }
        if !answer { throw .answeredNo }
    }
}

extension Session {
    /// Refuses a name that is neither a user of this machine nor enrolled: most likely it was mistyped.
    func requireKnown(_ user: String) throws(CommandError) {
        if hasStore {
            let store = try openStore()
            if try inStore({ () throws(StoreError) in try store.isEnrolled(user) }) { return }
        }
        _ = try account(user)
    }

    /// Whether anything was ever stored.
    var hasStore: Bool { Store.isThere(folder: paths.state) }

    /// The store; with `creating` it is made where it is missing.
    func openStore(creating: Bool = false) throws(CommandError) -> Store {
        try inStore { () throws(StoreError) in
            try Store(folder: paths.state, keyFolder: paths.credentials, creating: creating)
        }
    }
}

/// Runs a step of the store; its faults become one line, with what to do where that can be said.
func inStore<Result: ~Copyable>(_ step: () throws(StoreError) -> Result) throws(CommandError) -> Result {
    do throws(StoreError) {
        return try step()
    } catch {
        let remedy = error.isFull ? "; nothing was changed: free some space" : ""
        throw .failed(error.description + remedy)
    }
}
