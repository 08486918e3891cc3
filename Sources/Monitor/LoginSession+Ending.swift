// SPDX-License-Identifier: Apache-2.0
// The end of an attempt: a recovery code where the camera failed, the record, the tally, and one byte.

import Platform
import Policy
import TemplateStore
import Wire

extension LoginSession {
    /// How long a person may look for a code, in milliseconds.
    private static let codePatience: UInt64 = 120_000

    /// Asks for a recovery code when the camera failed and the user has one; nothing typed leaves the verdict as it is.
    mutating func recover(_ verdict: Verdict) throws(MonitorError) -> Verdict {
        guard verdict.outcome == .notJudged, LoginSession.isCameraFault(verdict.reason), settings.recovery, let account
        else { return verdict }
        let name = account.name
        let hasCode = try withStore { (store) throws(StoreError) in try store.hasRecoveryCode(name) }
        guard hasCode else { return verdict }
        worker = nil
        cameraTurn = nil
        try module.send(.prompt(echo: false, text: Texts.recoveryCode), then: .awaitingAnswer)
        let patience = environment.time.now() + LoginSession.codePatience
        guard try module.receive(until: patience) == .answer else { return verdict }
        let answer = try module.takeTyped()
        guard !answer.isEmpty else { return verdict }
        // SAFETY: the bytes are copied while they are lent; the copy, which may be a mistyped password, is wiped.
        var typed = unsafe answer.withBytes { unsafe Array($0) }
        defer { SecretBytes.wipe(&typed) }
        let now = environment.time.wall()
        let isRight = try withStore { (store) throws(StoreError) in
            try store.useRecoveryCode(typed, user: name, uid: account.user, at: now)
        }
        record.detail = "after \(verdict.reason.rawValue)"
        return isRight ? Verdict(.accepted, .recoveryCode) : Verdict(.refused, .wrongRecoveryCode)
    }

    static func isCameraFault(_ reason: Reason) -> Bool {
        switch reason {
        case .cameraMissing, .cameraBusy, .cameraDenied, .cameraVirtual, .cameraFailed, .workerDied: true
        default: false
        }
    }

    /// A fault as a verdict; noted for the log.
    mutating func refusal(for error: MonitorError) -> Verdict {
        faults.append(error.description)
        record.detail = error.description
        if case .worker = error { return Verdict(.notJudged, .workerDied) }
        return Verdict(.fault, error.reason)
    }

    /// Settles and records; without a record the verdict is a fault.
    mutating func conclude(_ verdict: Verdict) -> Verdict {
        record.time = environment.time.wall()
        record.milliseconds = Int(environment.time.now() - begun)
        record.verdict = verdict
        let entry = record
        let lockout = Lockout(settings)
        let now = moment
        do throws(MonitorError) {
            if let charged {
                try withStore { (store) throws(StoreError) in
                    try store.settle(charged, as: entry, lockout: lockout, at: now)
                }
            } else if verdict.outcome != .accepted {
                if verdict.outcome == .fault, !isStoreOpen { return verdict }
                try withStore { (store) throws(StoreError) in try store.record(entry) }
            } else {
                // Nobody is let in who was not charged before.
                return refusal(for: .store(.damaged("an attempt was not charged")))
            }
            return verdict
        } catch {
            let fault = refusal(for: error)
            record.verdict = fault
            return fault
        }
    }

    private var isStoreOpen: Bool {
        switch store {
        case .none: false
        case .some: true
        }
    }

    /// Lets a person who is typing come to the end, and forgets what was typed and not used.
    ///
    /// Nobody reads a verdict before that, and one that crossed the secret on its way would be taken for a broken conversation.
    mutating func hearOut() {
        if module.watch.state == .awaitingSecret { _ = try? module.receive(until: typingEnd) }
        module.forgetTyped()
    }

    /// Tells the person in a general sentence, and the module in a byte.
    mutating func tell(_ verdict: Verdict) {
        let text = Texts.text(verdict)
        do throws(MonitorError) {
            if !text.isEmpty { try module.send(.notice(isError: true, text: text), then: .working) }
            try module.send(.verdict(verdict.outcome.rawValue), then: .over)
            module.endSending()
        } catch {
            // Nobody listens any more; the exit code says the same.
        }
    }
}
