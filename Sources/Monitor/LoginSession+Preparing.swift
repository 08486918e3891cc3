// SPDX-License-Identifier: Apache-2.0
// What happens while the person types: templates are opened, the worker loads its models, and the models' hashes are proven.

import Biometrics
import Credentials
import Platform
import Policy
import TemplateStore
import Wire

extension LoginSession {
    /// An enrolled user's reference, and the models it was made with.
    struct Prepared {
        let reference: Embedding
        let models: ModelSet
    }

    /// Opens models and templates; nil when the user is not enrolled with the installed recogniser.
    mutating func prepare(_ account: Account) throws(MonitorError) -> Prepared? {
        let enrolled = try withStore { (store) throws(StoreError) in
            try store.templates(of: account.name, uid: account.user)
        }
        guard !enrolled.templates.isEmpty else { return nil }
        let models = try ModelSet(environment.installation, preferringPrepared: true)
        record.model = models.recogniserHash
        guard let reference = enrolled.reference(model: models.recogniserHash) else {
            record.detail = "enrolled with another recogniser: enrol again"
            return nil
        }
        return Prepared(reference: reference, models: models)
    }

    /// Starts the worker and the proof of its models.
    mutating func begin(_ prepared: Prepared) throws(MonitorError) -> ModelProof {
        hasLiveness = prepared.models.model(.liveness) != nil
        worker = try environment.workers.start(
            prepared.models, isStrict: settings.sandbox == .require, time: environment.time)
        guard let open = store.take() else { throw .store(.damaged("it is not open")) }
        let proof: ModelProof
        do throws(MonitorError) {
            proof = try ModelProof(prepared.models, boot: environment.boot, store: open)
        } catch {
            store = consume open
            throw error
        }
        store = consume open
        return proof
    }

    /// Sends `ready`, on which the module asks for the secret; so far all went alike for who is enrolled and who is not.
    mutating func announce(_ request: BeginRequest) throws(MonitorError) {
        try module.send(
            .ready(wantsSecret: !request.faceOnly, prompt: settings.promptText),
            then: request.faceOnly ? .working : .awaitingSecret)
        typingEnd = environment.time.now() + LoginSession.typingPatience
    }

    /// Waits for the secret, proving models meanwhile; a verdict when the person gave up.
    mutating func awaitSecret(
        _ request: BeginRequest, _ proof: inout ModelProof?
    ) throws(MonitorError) -> Verdict? {
        guard !request.faceOnly else { return nil }
        let began = environment.time.now()
        while true {
            var pause = typingEnd
            if try step(&proof) { pause = environment.time.now() }
            switch try module.receive(until: pause) {
            case .secret:
                // The module does not count the time of typing, and neither does this. What came before is counted: the secret may
                // have lain here since.
                deadline += environment.time.now() - began
                return nil
            case .some: return Verdict(.notJudged, .cancelled)
            case .none where environment.time.now() >= typingEnd: return Verdict(.notJudged, .deadline)
            case .none: continue
            }
        }
    }

    /// One step of the proof; false when there is nothing left to prove.
    private func step(_ proof: inout ModelProof?) throws(MonitorError) -> Bool {
        guard var current = proof.take() else { return false }
        guard !current.isComplete else {
            proof = consume current
            return false
        }
        do throws(MonitorError) { try current.step() } catch {
            proof = consume current
            throw error
        }
        proof = consume current
        return true
    }

    /// Finishes the proof and has the store remember it.
    mutating func complete(_ proof: inout ModelProof?) throws(MonitorError) {
        guard var current = proof.take() else { throw .worker("the models were not proven") }
        try current.finish()
        let fresh = current.fresh
        try withStore { (store) throws(StoreError) in try store.rememberProofs(fresh) }
    }

    /// Charges the attempt and checks the password; a verdict unless both went well.
    mutating func checkPassword(_ request: BeginRequest) throws(MonitorError) -> Verdict? {
        guard let account else {
            // Costs what a known user costs.
            if !request.faceOnly { _ = try outcome(of: request.user) }
            return nil
        }
        let attempt = record
        let lockout = Lockout(settings)
        let now = moment
        let result = try withStore { (store) throws(StoreError) in
            try store.charge(attempt, lockout: lockout, at: now, includesPassword: !request.faceOnly)
        }
        switch result {
        case .refused(let state): return LoginSession.verdict(state) ?? Verdict(.locked, .locked)
        case .charged(let attempt): charged = attempt
        }
        guard !request.faceOnly else { return nil }
        switch try outcome(of: account.name) {
        case .right: return nil
        case .wrong: return Verdict(.refused, .wrongPassword)
        case .locked: return Verdict(.refused, .accountLocked)
        case .empty: return Verdict(.refused, .accountEmpty)
        case .expired: return Verdict(.refused, .accountExpired)
        }
    }

    private mutating func outcome(of name: String) throws(MonitorError) -> PasswordOutcome {
        let secret = try module.takeTyped()
        do throws(CredentialsError) {
            return try environment.passwords.check(secret, of: name, at: environment.time.wall())
        } catch { throw .credentials(error) }
    }
}
