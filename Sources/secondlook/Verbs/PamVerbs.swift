// SPDX-License-Identifier: Apache-2.0
// Switches the look on and off for a PAM service, and tells where it is on and whether it holds there.

import Credentials
import Platform
import Policy
import TemplateStore

extension Verbs {
    static let pamVerbs = [
        Verb(
            name: "pam enable", summary: "Require the look at a service, such as sudo or login.",
            operands: [Operand(name: "SERVICE", isRequired: true)],
            options: [
                dryRun,
                Option(
                    name: "trial", values: .one("USER"),
                    help: "have this user try it at the terminal before anything is changed"),
            ], run: enablePAM),
        Verb(
            name: "pam disable", summary: "Take the look out of a service again.",
            operands: [Operand(name: "SERVICE", isRequired: true)], options: [dryRun], run: disablePAM),
        Verb(
            name: "pam status", summary: "Tell at which services the look is on, and whether it holds there.",
            operands: [Operand(name: "SERVICE", isRequired: false)], options: [], run: statusPAM),
    ]

    private static let dryRun = Option(name: "dry-run", values: .none, help: "show the change and make none")

    @Sendable private static func enablePAM(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try alone("pam enable", typed, &session, enable)
    }

    @Sendable private static func disablePAM(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try alone("pam disable", typed, &session, disable)
    }

    /// Runs a verb while no other one plans, tries or makes a change; a dry run makes none, and anybody may ask for it.
    private static func alone(
        _ verb: String, _ typed: Invocation, _ session: inout Session,
        _ run: (Invocation, inout Session) throws(CommandError) -> Void
    ) throws(CommandError) {
        if typed.has("dry-run") { return try run(typed, &session) }
        try session.requireRoot(verb)
        let turn = try session.pamTurn()
        defer { hold(turn) }
        try run(typed, &session)
    }

    /// Keeps a turn to this point.
    private static func hold(_ turn: borrowing Turn) {}

    private static func enable(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        let isDry = typed.has("dry-run")
        let place = try session.pamSwitch(typed.operands[0])
        let stack = try place.stack()
        if let first = stack.ours.first {
            try alreadyOn(stack, first, typed, &session)
            return
        }
        var change = try place.planEnabling(module: try session.moduleName())
        let way = isDry ? nil : try session.rootWay(after: change, of: place)
        if let problem = way?.problem { throw .failed("pam enable: \(problem); nothing was changed") }
        if let remark = way?.remark { change.remarks.append(remark) }
        if let remark = try session.cameraRemark(for: place.service) { change.remarks.append(remark) }
        if place.service == "sshd" {
            change.remarks.append("who comes over ssh is refused, unless [sshd] has: remote = skip")
        }
        let trial = try typed.value("trial").map { name throws(CommandError) in try session.account(name).name }
        let backup = try make(change, by: place, isDry: isDry, trial: trial, typed, &session)
        finish(change, place, backup, isOn: true, isDry: isDry, typed, &session)
    }

    private static func disable(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        let isDry = typed.has("dry-run")
        let place = try session.pamSwitch(typed.operands[0])
        let stack = try place.stack()
        guard let first = stack.ours.first else {
            finish(nil, place, nil, isOn: false, isDry: isDry, typed, &session)
            return
        }
        let holder = stack.steps[first].file
        guard holder == place.service || stack.ours.contains(where: { stack.steps[$0].file == place.service }) else {
            throw .failed(
                "pam disable: the line is in '\(Shown.safe(holder))', which '\(place.service)' includes; "
                    + "try: secondlook pam disable \(Shown.safe(holder))")
        }
        let change = try place.planDisabling()
        let backup = try make(change, by: place, isDry: isDry, trial: nil, typed, &session)
        finish(change, place, backup, isOn: false, isDry: isDry, typed, &session)
    }

    /// Shows the change and, unless it is a dry run, makes it.
    private static func make(
        _ change: PAMChange, by place: PAMSwitch, isDry: Bool, trial: String?, _ typed: Invocation,
        _ session: inout Session
    ) throws(CommandError) -> String? {
        if !typed.has("json") {
            for line in change.diff { session.output.line(line) }
            for remark in change.remarks { session.output.errorLine("note: \(Shown.safe(remark))") }
        }
        if isDry { return nil }
        return try place.make(change, copyIn: session.paths.state + "/pam-trial", trial: trial)
    }

    private static func finish(
        _ change: PAMChange?, _ place: PAMSwitch, _ backup: String?, isOn: Bool, isDry: Bool, _ typed: Invocation,
        _ session: inout Session
    ) {
        if typed.has("json") {
            session.output.line(
                JSON.of([
                    "service": .string(place.service), "on": .bool(isDry ? !isOn : isOn),
                    "changed": .bool(change != nil && !isDry), "backup": .optional(backup),
                    "diff": .array((change?.diff ?? []).map(JSON.string)),
                    "remarks": .array((change?.remarks ?? []).map(JSON.string)),
                ]).text)
            return
        }
        guard let change else {
            session.output.line("'\(place.service)' has no line of Second Look; nothing was changed")
            return
        }
        if isDry {
            session.output.line("nothing was changed")
            return
        }
        let file = change.edit.old.path
        session.output.line("the look is \(isOn ? "on" : "off") at '\(place.service)'")
        if let backup { session.output.line("'\(file)' as it was: \(backup)") }
        if isOn {
            session.output.line("keep a root shell open until a login was tried; to take it back:")
            session.output.line("  secondlook pam disable \(place.service)")
        }
    }

    private static func alreadyOn(
        _ stack: PAMStack, _ first: Int, _ typed: Invocation, _ session: inout Session
    ) throws(CommandError) {
        let step = stack.steps[first]
        let faults = stack.findings.filter(\.isFault)
        if let fault = faults.first {
            throw .failed("pam enable: '\(Shown.safe(step.file))' has the line, but \(fault.text(in: stack))")
        }
        if typed.has("json") {
            session.output.line(
                JSON.of([
                    "service": .string(stack.service), "on": .bool(true), "changed": .bool(false), "backup": .null,
                    "diff": .array([]), "remarks": .array(stack.findings.map { .string($0.text(in: stack)) }),
                ]).text)
        } else {
            session.output.line("the look is on already: '\(Shown.safe(step.file))' line \(step.line)")
        }
    }
}

extension Session {
    /// The switch of a service.
    func pamSwitch(_ name: String) throws(CommandError) -> PAMSwitch {
        PAMSwitch(service: try PAMFolder.checked(name), files: PAMFolder(paths: paths.pam), library: pam)
    }

    /// The right to change files of libpam, which one command at a time has.
    ///
    /// - Throws: when another one does not come to its end in time.
    func pamTurn() throws(CommandError) -> Turn {
        do throws(PlatformError) {
            if !SafeFile.exists(paths.state) { try SafeFile.makeFolder(paths.state) }
            var turn = try Turn(at: paths.state + "/pam.line")
            let deadline = clock.now() + pamPatience
            while !(try turn.hasCome()) {
                guard clock.now() < deadline else {
                    throw .protocolBroken("another 'secondlook pam' is at work; nothing was changed")
                }
                try Readiness.pause(until: clock.now() + 20)
            }
            return turn
        } catch {
            throw .failed("pam: \(error.description)")
        }
    }

    /// How a PAM line names the module of this installation: by its name where libpam finds it, else by its path.
    func moduleName() throws(CommandError) -> String {
        let own = Paths.normalised(paths.libexec + "/../../lib/security/pam_secondlook.so")
        let folder = pam.moduleFolder ?? "/lib/security"
        let standard = folder + "/pam_secondlook.so"
        if SafeFile.existsFollowing(own), Paths.normalised(own) != Paths.normalised(standard) { return own }
        if SafeFile.existsFollowing(standard) { return "pam_secondlook.so" }
        throw .failed("pam: the module is neither '\(own)' nor '\(standard)'; install it first")
    }

    /// What to say where nobody can be looked at now.
    func cameraRemark(for service: String) throws(CommandError) -> String? {
        let settings = try SettingsFile.read(paths.settings, service: service)
        let chosen = try? CameraNodes.choose(
            settings.camera, among: cameras.list(), allowVirtual: settings.allowVirtualCameras)
        return chosen == nil ? "no usable camera is here, so the look refuses; see: secondlook devices" : nil
    }

    /// The ways to root after a change.
    func rootWay(after change: PAMChange, of place: PAMSwitch) throws(CommandError) -> RootWay {
        let load = PAMEdit.replacing(place.service, by: change.edit.new, place.files.load)
        let looks: (String) -> Bool? = { name in
            (try? PAMStack(service: name, load: load)).map { !$0.ours.isEmpty }
        }
        let services = RootWay.logins.compactMap { name in looks(name).map { (name: name, looks: $0) } }
        let settings = try SettingsFile.read(paths.settings, service: place.service)
        let enrolled: (String) throws(CommandError) -> Bool = { user throws(CommandError) in
            guard hasStore else { return false }
            let store = try openStore()
            return try inStore { () throws(StoreError) in
                try store.isEnrolled(user) ? true : try store.hasRecoveryCode(user)
            }
        }
        var somebody = false
        if hasStore {
            let store = try openStore()
            somebody = try inStore { () throws(StoreError) in try !store.summaries().isEmpty }
        }
        let sudoUser = try caller.sudoUser.flatMap { $0.isEmpty || $0 == "root" ? nil : $0 }.map {
            user throws(CommandError) in (name: user, isEnrolled: try enrolled(user))
        }
        return RootWay(
            rootIsEnrolled: try enrolled("root"), rootIsLocked: rootIsLocked(), sudoUser: sudoUser,
            somebodyIsEnrolled: somebody, skipsNotEnrolled: settings.notEnrolled == .skip, services: services,
            sudoLooks: looks("sudo") ?? false)
    }

    /// Whether no password can be root's.
    private func rootIsLocked() -> Bool {
        var guess = Array("x".utf8)
        guard let secret = try? SecretBytes(wiping: &guess) else { return false }
        return (try? SystemPasswords().check(secret, of: "root", at: clock.wall())) == .locked
    }
}
