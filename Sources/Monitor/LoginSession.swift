// SPDX-License-Identifier: Apache-2.0
// One login, in order: request, rules, `ready`, models and worker, secret, charge, password, camera, judge, record, verdict. Whatever is
// not foreseen ends in a refusal, and a verdict leaves only after it was recorded.

import Biometrics
public import Platform
public import Policy
public import TemplateStore
import Wire

/// What became of an attempt, for the log and the exit code.
public struct LoginReport: Equatable, Sendable {
    /// The verdict that was sent.
    public let verdict: Verdict
    /// What was recorded, or would have been.
    public let record: AttemptRecord
    /// Faults for the system's log: one line each.
    public let faults: [String]

    /// The attempt in one line for the system's log.
    public var line: String {
        var line = "\(verdict.outcome) (\(verdict.reason.rawValue)) user=\(LoginReport.quoted(record.user))"
        line += " service=\(LoginReport.quoted(record.service)) tty=\(LoginReport.quoted(record.tty))"
        line += " rhost=\(LoginReport.quoted(record.rhost))"
        if let similarity = record.similarity { line += " similarity=\(LoginReport.rounded(similarity))" }
        if let liveness = record.liveness { line += " liveness=\(LoginReport.rounded(liveness))" }
        line += " ms=\(record.milliseconds)"
        if faults.isEmpty, !record.detail.isEmpty { line += " detail=\(LoginReport.quoted(record.detail))" }
        return line
    }

    /// A foreign text ends where its quotes end: it cannot pass for the field that follows.
    private static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { $0 == "'" ? "\"" : $0 }
        return "'\(String(String.UnicodeScalarView(scalars)))'"
    }

    private static func rounded(_ number: Double) -> String { "\((number * 1000).rounded() / 1000)" }
}

/// The helper's part of one attempt.
public struct LoginSession: ~Copyable {
    let environment: LoginEnvironment
    let begun: UInt64
    var module: ModuleLink
    var worker: WorkerLink?
    /// The right to use the camera, from the moment it is free on.
    var cameraTurn: Turn?
    var store: Store?
    var charged: ChargedAttempt?
    var settings = Settings()
    var account: Account?
    var record: AttemptRecord
    var faults: [String] = []
    /// The passive network was passed to the worker.
    var hasLiveness = false
    /// When the module stops waiting: moves while the person types.
    var deadline: UInt64
    /// When the person has typed for too long; 0 until somebody was asked.
    var typingEnd: UInt64 = 0

    /// Milliseconds kept back for telling the module the verdict.
    static let reserve: UInt64 = 400
    /// How long the request may take to come, in milliseconds.
    static let requestPatience: UInt64 = 10_000
    /// How long a person may type, in milliseconds.
    static let typingPatience: UInt64 = 300_000

    /// An attempt over a connected channel.
    public init(_ environment: LoginEnvironment, channel: consuming Channel) {
        self.environment = environment
        begun = environment.time.now()
        deadline = begun + LoginSession.requestPatience
        module = ModuleLink(channel, time: environment.time)
        record = AttemptRecord(
            time: environment.time.wall(), user: "", service: "", verdict: Verdict(.fault, .system))
    }

    /// Runs the attempt to its end and tells the module.
    public mutating func run() -> LoginReport {
        var verdict: Verdict
        do throws(MonitorError) {
            verdict = try attempt()
        } catch {
            verdict = refusal(for: error)
        }
        worker = nil
        cameraTurn = nil
        verdict = conclude(verdict)
        hearOut()
        tell(verdict)
        return LoginReport(verdict: verdict, record: record, faults: faults)
    }

    private mutating func attempt() throws(MonitorError) -> Verdict {
        guard let event = try module.receive(until: deadline) else { throw .request("no request in time") }
        guard case .begin(let request) = event else { return Verdict(.notJudged, .cancelled) }
        record.user = request.user
        record.service = request.service
        record.tty = request.tty
        record.rhost = request.rhost
        deadline = environment.time.now() + UInt64(request.deadline) - LoginSession.reserve
        settings = try environment.installation.readSettings(service: request.service)
        // Whoever connects need not be a PAM application: then no pam_faillock stands before this.
        if environment.isService { settings.passwordLockout = .own }
        store = try environment.openStore(creating: true)
        try admit(request)
        if let verdict = try rules(request) { return try skip(request, verdict) }
        try announce(request)
        // The person types from here on.
        let account = account
        var reference: Embedding?
        var proof: ModelProof?
        if let account, let prepared = try prepare(account) {
            reference = prepared.reference
            proof = try begin(prepared)
        } else if request.faceOnly {
            return account == nil ? Verdict(.unknownUser, .unknownUser) : Verdict(.notJudged, .notEnrolled)
        }
        if let verdict = try awaitSecret(request, &proof) { return verdict }
        if let verdict = try checkPassword(request) { return verdict }
        guard account != nil else { return Verdict(.unknownUser, .unknownUser) }
        guard let reference, worker != nil else { return Verdict(.notJudged, .notEnrolled) }
        try complete(&proof)
        let verdict: Verdict
        do throws(MonitorError) { verdict = try look(reference) } catch {
            // A worker that dies before it sees anything is a camera that failed as well.
            guard case .worker = error else { throw error }
            verdict = refusal(for: error)
        }
        return try recover(verdict)
    }

    /// Who may ask about whom.
    private mutating func admit(_ request: BeginRequest) throws(MonitorError) {
        let peer = try system { () throws(PlatformError) in try module.peer() }
        let own = Machine.effectiveUser
        if peer.user == 0 || (!environment.isService && peer.user == own) { return }
        guard environment.isService else { throw .request("the caller is not root") }
        let asked = try find(request.user)
        guard asked?.user == peer.user else {
            throw .request("user \(peer.user) may not ask about '\(request.user)'")
        }
    }

    func find(_ name: String) throws(MonitorError) -> Account? {
        let find = environment.findAccount
        return try system { () throws(PlatformError) in try find(name) }
    }

    /// What is skipped is the face.
    ///
    /// Where the password is this module's business it has to be right all the same: a permissive line after
    /// this one in the stack must not let anybody in without.
    private mutating func skip(_ request: BeginRequest, _ verdict: Verdict) throws(MonitorError) -> Verdict {
        guard verdict.outcome == .skipped, !request.faceOnly else { return verdict }
        try announce(request)
        var proof: ModelProof?
        if let refusal = try awaitSecret(request, &proof) { return refusal }
        if let refusal = try checkPassword(request) { return refusal }
        return account == nil ? Verdict(.unknownUser, .unknownUser) : verdict
    }

    /// What can be decided before anybody types; nil to go on.
    private mutating func rules(_ request: BeginRequest) throws(MonitorError) -> Verdict? {
        let peer = try system { () throws(PlatformError) in try module.peer() }
        let remote = environment.remote
        let found = try system { () throws(PlatformError) in try remote.remoteness(of: request, caller: peer.process) }
        if let found {
            record.detail = found.words
            // A caller who only pretends to be far away does not get past this factor.
            let isSkipped = settings.remote == .skip && found.isCertain
            if isSkipped { account = try find(request.user) }
            return Verdict(isSkipped ? .skipped : .notJudged, .remoteSession)
        }
        account = try find(request.user)
        guard let account else { return nil }
        let isEnrolled = try withStore { (store) throws(StoreError) in try store.isEnrolled(account.name) }
        if !isEnrolled && settings.notEnrolled == .skip { return Verdict(.skipped, .notEnrolled) }
        // Told before anybody types in vain. The charge looks again, in its transaction: that is what counts.
        let tally = try withStore { (store) throws(StoreError) in try store.tally(of: account.name) }
        return LoginSession.verdict(Lockout(settings).state(of: tally, at: moment))
    }

    static func verdict(_ state: LockState) -> Verdict? {
        switch state {
        case .open: nil
        case .locked: Verdict(.locked, .locked)
        case .disabled: Verdict(.locked, .disabled)
        }
    }

    var moment: Moment {
        Moment(
            boot: environment.boot, sinceBoot: environment.time.sinceBoot(),
            wall: UInt64(max(0, environment.time.wall())))
    }

    mutating func withStore<Result>(
        _ body: (inout Store) throws(StoreError) -> Result
    ) throws(MonitorError) -> Result {
        guard var open = store.take() else { throw .store(.damaged("it is not open")) }
        do throws(StoreError) {
            let result = try body(&open)
            store = consume open
            return result
        } catch {
            store = consume open
            throw .store(error)
        }
    }
}
