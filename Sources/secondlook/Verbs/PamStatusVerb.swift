// SPDX-License-Identifier: Apache-2.0
// Where the look is on, and whether it holds there; `doctor` asks the same.

import Platform

/// One service and what is known of it.
struct PAMState: Equatable, Sendable {
    /// Its name.
    let service: String
    /// Nil when its files cannot be read as libpam reads them.
    let stack: PAMStack?
    /// Why they cannot.
    let problem: String?

    /// The state of a service.
    init(_ service: String, _ files: PAMFolder) {
        self.service = service
        do throws(PAMError) {
            stack = try PAMStack(service: service, load: files.load)
            problem = nil
        } catch {
            stack = nil
            problem = error.description
        }
    }

    /// Whether a line of Second Look is in the stack.
    var isOn: Bool { stack.map { !$0.ours.isEmpty } ?? false }
    /// Whether the service asks anybody for anything.
    var hasAuth: Bool { stack.map { !$0.steps.isEmpty } ?? true }
    /// What is wrong where the look is on.
    var faults: [String] {
        guard let stack, isOn else { return [] }
        return stack.findings.filter(\.isFault).map { $0.text(in: stack) }
    }
    /// Remarks where the look is on.
    var remarks: [String] {
        guard let stack, isOn else { return [] }
        return stack.findings.filter { !$0.isFault }.map { $0.text(in: stack) }
    }
    /// Where the line is.
    var place: String? {
        guard let stack, let first = stack.ours.first else { return nil }
        return "\(stack.steps[first].file) line \(stack.steps[first].line)"
    }
    /// One word.
    var word: String { problem != nil ? "unclear" : !isOn ? "off" : faults.isEmpty ? "on" : "FAULT" }
}

extension Verbs {
    @Sendable static func statusPAM(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        let files = PAMFolder(paths: session.paths.pam)
        var states: [PAMState]
        if let name = typed.operands.first {
            let state = PAMState(try PAMFolder.checked(name), files)
            if let problem = state.problem { throw .failed("pam status: \(problem)") }
            states = [state]
        } else {
            states = files.services.map { PAMState($0, files) }.filter(\.hasAuth)
        }
        if typed.has("json") {
            session.output.line(JSON.array(states.map(json)).text)
        } else {
            let rows = states.map { state in
                [state.word, state.service, Shown.safe(state.problem ?? state.place ?? "")]
            }
            for line in Shown.table(["LOOK", "SERVICE", "WHERE"], rows) { session.output.line(line) }
            for state in states {
                for text in state.faults + state.remarks {
                    session.output.line("\(state.service): \(Shown.safe(text))")
                }
            }
        }
        let isBad = states.contains { !$0.faults.isEmpty }
        if isBad || (!typed.operands.isEmpty && !states.contains(where: \.isOn)) { throw .answeredNo }
    }

    private static func json(_ state: PAMState) -> JSON {
        .of([
            "service": .string(state.service), "on": .bool(state.isOn), "where": .optional(state.place),
            "ok": .bool(state.problem == nil && state.faults.isEmpty), "problem": .optional(state.problem),
            "faults": .array(state.faults.map(JSON.string)), "remarks": .array(state.remarks.map(JSON.string)),
        ])
    }
}
