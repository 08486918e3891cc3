// SPDX-License-Identifier: Apache-2.0
// The guided first run. It only asks and explains: each step is the verb that does the same by itself, run by the same function.

import Monitor
import Platform
import Policy
import TemplateStore

extension Verbs {
    static let setupVerbs = [
        Verb(
            name: "setup", summary: "Guided first run: camera, light, enrolment, test, codes, service.",
            operands: [Operand(name: "USER", isRequired: false)],
            options: [
                Option(name: "service", values: .one("SERVICE"), help: "the service to offer; sudo if not given")
            ],
            run: setup)
    ]

    @Sendable private static func setup(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        guard session.input.isTerminal, !typed.has("json") else { throw .usage(SetupTexts.noTerminal) }
        try session.requireRoot("setup")
        let account = try session.account(try session.user(typed.operands.first))
        var wizard = SetupWizard(user: account.name, service: typed.value("service") ?? "sudo")
        try wizard.run(&session)
    }
}

/// The steps, in their order.
struct SetupWizard {
    let user: String
    let service: String
    private static let steps = 6
    private var step = 0

    init(user: String, service: String) {
        self.user = user
        self.service = service
    }

    mutating func run(_ session: inout Session) throws(CommandError) {
        for line in SetupTexts.welcome(user) { session.output.line(line) }
        try camera(&session)
        try light(&session)
        try enrol(&session)
        let isRecognised = try test(&session)
        try codes(&session)
        if isRecognised { try switchOn(&session) } else { session.output.line(SetupTexts.notSwitchedOn(service)) }
        for line in SetupTexts.wayBack(user, service) { session.output.line(line) }
    }

    // MARK: Steps

    private mutating func camera(_ session: inout Session) throws(CommandError) {
        begin("The camera", &session)
        var isGood = succeeds("doctor", [], &session)
        isGood = succeeds("devices", [], &session) && isGood
        if !isGood { try stopUnless(ask("Go on all the same?", isYes: false, &session)) }
    }

    private mutating func light(_ session: inout Session) throws(CommandError) {
        begin("The light", &session)
        session.output.line("Sit as you will when you log in.")
        if try ask("Look at the camera's picture? (q ends it)", isYes: true, &session) {
            // Without the user: at a first run there is nothing to compare with.
            _ = succeeds("preview", [], &session)
        }
        while true {
            do throws(CommandError) {
                try measureLight(&session)
                return
            } catch { complain(error, &session) }
            guard try ask("Look again?", isYes: true, &session) else { return }
        }
    }

    private func measureLight(_ session: inout Session) throws(CommandError) {
        let settings = try SettingsFile.read(session.paths.settings, service: "")
        let environment = try session.environment()
        var output = session.output
        let report: LightReport
        do throws(MonitorError) {
            report = try LightCheck.run(environment, settings: settings) { brightness in
                output.progress("light \(Bar.meter(brightness / 255))")
                return true
            }
        } catch {
            throw .failed("setup: \(error.description)")
        }
        output.endProgress()
        guard let brightness = report.brightness else { throw .failed("setup: the camera gave no picture") }
        session.output.line(
            "light \(Decimal.text(Double(brightness), decimals: 0)) of 255, \(report.usable) of \(report.frames) "
                + "pictures good enough")
        if let advice = report.advice { throw .failed(Texts.text(advice)) }
    }

    private mutating func enrol(_ session: inout Session) throws(CommandError) {
        begin("The enrolment", &session)
        var options: [String: [String]] = [:]
        if succeeds("is-enrolled", [user], &session) {
            guard try ask("Enrol again and replace 'default'?", isYes: false, &session) else { return }
            options["replace"] = []
        }
        while true {
            do throws(CommandError) {
                try call("enroll", [user], options, &session)
                return
            } catch { complain(error, &session) }
            try stopUnless(ask("Try the enrolment again?", isYes: true, &session))
        }
    }

    private mutating func test(_ session: inout Session) throws(CommandError) -> Bool {
        begin("A look as at a login", &session)
        while true {
            if succeeds("verify", [user], &session) {
                session.output.line("That would have let you in.")
                return true
            }
            session.output.line("That would not have let you in.")
            guard try ask("Try it again?", isYes: true, &session) else { return false }
        }
    }

    private mutating func codes(_ session: inout Session) throws(CommandError) {
        begin("Codes for the day the camera fails", &session)
        session.output.line("A code on paper stands in for the camera once, after the right password.")
        session.output.line("New codes end older ones.")
        guard try ask("Make ten codes now?", isYes: true, &session) else { return }
        try call("recovery new", [user], [:], &session)
        _ = try ask("Written down?", isYes: true, &session)
    }

    /// Offered last, and only to somebody whom a look has just recognised.
    private mutating func switchOn(_ session: inout Session) throws(CommandError) {
        begin("Switching it on", &session)
        session.output.line("This is what would change:")
        guard succeeds("pam enable", [service], options: ["dry-run": []], &session) else {
            session.output.line(SetupTexts.notSwitchedOn(service))
            return
        }
        session.output.line("Keep a root shell open until you have tried it.")
        guard try ask("Switch the look on for '\(service)' now?", isYes: false, &session) else {
            session.output.line(SetupTexts.notSwitchedOn(service))
            return
        }
        try call("pam enable", [service], [:], &session)
    }

    // MARK: Asking and calling

    private mutating func begin(_ title: String, _ session: inout Session) {
        step += 1
        session.output.line("")
        session.output.line("Step \(step) of \(SetupWizard.steps): \(title)")
    }

    /// A question on a line of its own; nothing typed means what is written in capitals, the end of the stream ends the run.
    private func ask(_ question: String, isYes: Bool, _ session: inout Session) throws(CommandError) -> Bool {
        while true {
            session.output.errorLine("\(question) [\(isYes ? "Y/n" : "y/N")]")
            let answer: String?
            do throws(PlatformError) { answer = try session.input.line() } catch {
                throw .failed("setup: \(error.description)")
            }
            guard let answer else { throw .failed("setup: ended by you; what was done so far stays") }
            switch answer.filter({ $0 != " " && $0 != "\r" }).lowercased() {
            case "": return isYes
            case "y", "yes": return true
            case "n", "no": return false
            default: session.output.errorLine("Type y or n.")
            }
        }
    }

    private func stopUnless(_ goesOn: Bool) throws(CommandError) {
        if !goesOn { throw .failed("setup: stopped; nothing was switched on. Run it again when this is mended") }
    }

    /// Does what the verb does.
    private func call(
        _ name: String, _ operands: [String], _ options: [String: [String]], _ session: inout Session
    ) throws(CommandError) {
        guard let verb = Verbs.all.first(where: { $0.name == name }) else { throw .failed("setup: no verb '\(name)'") }
        session.output.errorLine("(secondlook \(([name] + operands).joined(separator: " ")))")
        try verb.run(Invocation(operands: operands, options: options), &session)
    }

    /// The same, where a failure is an answer; its reason is told.
    private func succeeds(
        _ name: String, _ operands: [String], options: [String: [String]] = [:], _ session: inout Session
    ) -> Bool {
        do throws(CommandError) {
            try call(name, operands, options, &session)
            return true
        } catch {
            complain(error, &session)
            return false
        }
    }

    private func complain(_ error: CommandError, _ session: inout Session) {
        session.output.endProgress()
        if error != .answeredNo { session.output.errorLine(Shown.safe(error.description)) }
    }
}

/// What the guided first run says besides its steps; each line fits 80 columns.
enum SetupTexts {
    static let noTerminal =
        "setup: it asks questions and needs a terminal; its steps by themselves: doctor, devices, enroll, verify, "
        + "recovery new, pam enable"

    static func welcome(_ user: String) -> [String] {
        [
            "Second Look looks at you after your password. This sets it up for '\(user)'.",
            "Nothing is switched on before the last step. Ctrl-C ends it at any time.",
        ]
    }

    static func notSwitchedOn(_ service: String) -> String {
        "Nothing was switched on. When you want to: sudo secondlook pam enable \(service)"
    }

    static func wayBack(_ user: String, _ service: String) -> [String] {
        [
            "",
            "How to get back in when it refuses you:",
            "- a root shell, a rescue boot, or any service whose PAM file does not name it;",
            "- from one of these: secondlook pam disable \(service), or take the line with",
            "  pam_secondlook.so out of the files in /etc/pam.d by an editor;",
            "- after too many refusals: secondlook unlock \(user)",
            "- where the camera fails: a code of 'secondlook recovery new \(user)'.",
        ]
    }
}
