// SPDX-License-Identifier: Apache-2.0
// Adds samples of somebody who is enrolled already, with glasses on or in bad light. The user's password is asked first and counted like a
// login's; then each view must be of the person enrolled.

import Biometrics
import Monitor
import Platform
import Policy
import TemplateStore

extension Verbs {
    static let refineVerbs = [
        Verb(
            name: "refine", summary: "Add views of an enrolled user, after the password: glasses, bad light.",
            operands: [Operand(name: "USER", isRequired: false)],
            options: [
                Option(name: "label", values: .one("L"), help: "where they are added; 'refined' if not given")
            ], run: refine)
    ]

    @Sendable private static func refine(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("refine")
        let account = try session.account(try session.user(typed.operands.first))
        var wish = EnrolmentWish()
        wish.verb = "refine"
        wish.label = try Label.checked(typed.value("label") ?? "refined")
        wish.way = .guided([.centre, .left, .right], needed: [.centre])
        wish.present = .extend
        wish.asJSON = typed.has("json")
        // Said before anybody types a password in vain.
        _ = try EnrolmentRun.present(wish, account, session)
        guard session.input.isTerminal else {
            throw .usage("refine: the password of '\(account.name)' is asked on a terminal; there is none")
        }
        try checkPassword(of: account, session)
        try EnrolmentRun.run(wish, of: account, &session)
    }

    private static func checkPassword(of account: Account, _ session: Session) throws(CommandError) {
        let settings = try SettingsFile.read(session.paths.settings, service: "")
        let environment = try session.environment()
        let secret: SecretBytes
        do throws(PlatformError) { secret = try session.input.hidden("Password of '\(account.name)': ") } catch {
            throw .failed("refine: \(error.description)")
        }
        let refusal: Verdict?
        do throws(MonitorError) {
            refusal = try PasswordGate.check(
                secret, of: account, service: "secondlook-refine", environment: environment, settings: settings)
        } catch {
            throw .failed("refine: \(error.description)")
        }
        switch refusal?.outcome {
        case .none: return
        case .locked: throw .failed("refine: '\(account.name)' is locked; wait, or: secondlook unlock \(account.name)")
        default: throw .failed("refine: the password was not accepted; nothing was changed")
        }
    }
}
