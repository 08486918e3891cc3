// SPDX-License-Identifier: Apache-2.0
// The user's password for an administrator's verb that adds samples. Charged, judged, settled and recorded as in a login, so that asking here is
// no cheaper way to guess than logging in.

import Credentials
public import Platform
public import Policy
import TemplateStore

/// Checks a password outside of a login.
public enum PasswordGate {
    /// Nil when it is the user's password; else the verdict a login would have come to, locked included.
    ///
    /// A right password forgets wrong ones and gives the charge back, but no refused looks are forgotten: nobody was looked at.
    /// - Parameter service: what the record calls the verb.
    public static func check(
        _ password: borrowing SecretBytes, of account: Account, service: String, environment: LoginEnvironment,
        settings: Settings
    ) throws(MonitorError) -> Verdict? {
        // No pam_faillock stands before this verb: the count is always this store's own.
        var own = settings
        own.passwordLockout = .own
        let lockout = Lockout(own)
        let began = environment.time.now()
        var record = AttemptRecord(
            time: environment.time.wall(), user: account.name, service: service, verdict: Verdict(.fault, .system))
        var store = try environment.openStore(creating: false)
        let pending = record
        let charge = try stored { () throws(StoreError) in
            try store.charge(pending, lockout: lockout, at: moment(environment))
        }
        let charged: ChargedAttempt
        switch charge {
        case .refused(let state): return LoginSession.verdict(state) ?? Verdict(.locked, .locked)
        case .charged(let attempt): charged = attempt
        }
        let outcome: PasswordOutcome
        do throws(CredentialsError) {
            outcome = try environment.passwords.check(password, of: account.name, at: environment.time.wall())
        } catch { throw .credentials(error) }
        let refusal = refusal(outcome)
        record.verdict = refusal ?? Verdict(.skipped, .matched)
        record.detail = refusal == nil ? "the password alone; nobody was looked at" : ""
        record.milliseconds = Int(environment.time.now() - began)
        let settled = record
        try stored { () throws(StoreError) in
            try store.settle(charged, as: settled, lockout: lockout, at: moment(environment))
        }
        return refusal
    }

    private static func refusal(_ outcome: PasswordOutcome) -> Verdict? {
        switch outcome {
        case .right: nil
        case .wrong: Verdict(.refused, .wrongPassword)
        case .locked: Verdict(.refused, .accountLocked)
        case .empty: Verdict(.refused, .accountEmpty)
        case .expired: Verdict(.refused, .accountExpired)
        }
    }

    private static func moment(_ environment: LoginEnvironment) -> Moment {
        Moment(
            boot: environment.boot, sinceBoot: environment.time.sinceBoot(),
            wall: UInt64(max(0, environment.time.wall())))
    }
}
