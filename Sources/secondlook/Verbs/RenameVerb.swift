// SPDX-License-Identifier: Apache-2.0
// New names for what is enrolled: of a label, or of a user whom `usermod --login` gave another name.

import Platform
import TemplateStore

extension Verbs {
    static let renameVerbs = [
        Verb(
            name: "rename", summary: "Give a user's enrolments a new user name, or with --label one a new label.",
            operands: [Operand(name: "USER", isRequired: true), Operand(name: "NEW", isRequired: true)],
            options: [Option(name: "label", values: .one("L"), help: "NEW is the new name of this label")],
            run: rename)
    ]

    @Sendable private static func rename(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("rename")
        let user = try UserName.checked(typed.operands[0])
        guard session.hasStore else { throw .failed("rename: '\(user)' is not enrolled") }
        if let label = typed.value("label") {
            try rename(label: label, of: user, to: try Label.checked(typed.operands[1]), typed, &session)
        } else {
            try rename(user: user, to: try UserName.checked(typed.operands[1]), typed, &session)
        }
    }

    private static func rename(
        label: String, of user: String, to new: String, _ typed: Invocation, _ session: inout Session
    ) throws(CommandError) {
        var store = try session.openStore()
        let found = try inStore { () throws(StoreError) in try store.rename(label: label, of: user, to: new) }
        guard found else {
            throw .failed("rename: '\(user)' has no template '\(Shown.safe(label))'; see: secondlook list")
        }
        if typed.has("json") {
            session.output.line(JSON.of(["user": .string(user), "label": .string(new)]).text)
        } else {
            session.output.line("'\(label)' of '\(user)' is called '\(new)' now")
        }
    }

    private static func rename(
        user: String, to new: String, _ typed: Invocation, _ session: inout Session
    ) throws(CommandError) {
        guard !AccountName.isSpelled(user, as: new) else { throw .usage("rename: '\(user)' has that name") }
        let account = try session.account(new)
        var store = try session.openStore()
        let isEnrolled = try inStore { () throws(StoreError) in try store.isEnrolled(user) }
        guard isEnrolled else { throw .failed("rename: '\(user)' is not enrolled; see: secondlook list") }
        let done = try inStore { () throws(StoreError) in
            try store.rename(user: user, to: account.name, uid: account.user)
        }
        if typed.has("json") {
            session.output.line(
                JSON.of([
                    "user": .string(account.name), "templates": .integer(done.templates),
                    "recovery_codes_ended": .integer(done.codesEnded),
                ]).text)
            return
        }
        session.output.line("\(Count.text(done.templates, "template")) of '\(user)' belong to '\(account.name)' now")
        if done.codesEnded > 0 {
            session.output.line("recovery codes of '\(user)' ended; see: secondlook recovery new \(account.name)")
        }
    }
}
