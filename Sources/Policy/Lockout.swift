// SPDX-License-Identifier: Apache-2.0
// The arithmetic of lockout, after NIST SP 800-63B: at most five judged misses in a row, then a wait that doubles, and an end to it all
// at fifty. An attempt is charged before it is judged and settled afterwards, so that a killed attempt stays charged.

/// Whether an attempt may begin.
public enum LockState: Sendable, Equatable {
    /// It may.
    case open
    /// Not before this many milliseconds have passed.
    case locked(remaining: UInt64)
    /// Not before an administrator acts.
    case disabled
}

/// How an attempt that was charged ended.
public enum Settlement: Sendable, Equatable {
    /// Everything was right: all counts go back to zero.
    case accepted
    /// Judged and refused: the charge stays.
    case refused
    /// Not judged: the charge is given back.
    case notJudged
    /// The face was nobody's business and the password right: the charge is given back, wrong passwords are forgotten.
    case skipped
    /// The password was wrong: the charge is given back, and the password's own count rises (timed lock only).
    case wrongPassword

    /// What follows from a verdict for the tally.
    public init(_ verdict: Verdict) {
        switch (verdict.outcome, verdict.reason) {
        case (.accepted, _): self = .accepted
        case (.refused, .wrongPassword): self = .wrongPassword
        case (.refused, .accountLocked), (.refused, .accountEmpty), (.refused, .accountExpired): self = .wrongPassword
        case (.refused, _): self = .refused
        case (.skipped, _): self = .skipped
        case (.notJudged, _), (.locked, _), (.unknownUser, _), (.fault, _): self = .notJudged
        }
    }
}

/// The limits in force and the arithmetic over them.
public struct Lockout: Sendable, Equatable {
    /// What is put back when a charge is given back.
    public struct Charge: Sendable, Equatable {
        let previous: Moment?
        let own: Moment
        let resets: UInt32
        /// The attempt includes the password; one that does not knows nothing of it.
        let includesPassword: Bool
    }

    private let misses: UInt32
    private let total: UInt32
    private let first: UInt64
    private let longest: UInt64
    private let countsPasswords: Bool

    /// The limits of `settings`.
    public init(_ settings: Settings) {
        misses = UInt32(clamping: max(1, settings.lockoutMisses))
        total = UInt32(clamping: max(1, settings.lockoutTotal))
        first = settings.lockoutTime
        longest = max(settings.lockoutTime, settings.lockoutMax)
        countsPasswords = settings.passwordLockout == .own
    }

    /// Whether an attempt may begin `now`.
    public func state(of tally: Tally, at now: Moment) -> LockState {
        if tally.total >= total { return .disabled }
        let face = remaining(count: tally.misses, since: tally.missedAt, now)
        let password = countsPasswords ? remaining(count: tally.wrongPasswords, since: tally.wrongPasswordAt, now) : 0
        let wait = max(face, password)
        return wait > 0 ? .locked(remaining: wait) : .open
    }

    /// Counts an attempt as a miss before it is judged.
    ///
    /// Only to be called when `state` is `.open`, in the same transaction.
    public func charge(_ tally: inout Tally, at now: Moment, includesPassword: Bool = true) -> Charge {
        var own = now
        // Two attempts within one tick must not take each other's charge for their own.
        if let last = tally.missedAt, last.boot == now.boot, last.sinceBoot >= now.sinceBoot {
            own.sinceBoot = last.sinceBoot == .max ? .max : last.sinceBoot + 1
        }
        let charge = Charge(
            previous: tally.missedAt, own: own, resets: tally.resets, includesPassword: includesPassword)
        tally.misses = tally.misses.addingClamped(1)
        tally.total = tally.total.addingClamped(1)
        tally.missedAt = own
        return charge
    }

    /// Settles an attempt that was charged; `tally` is as the store has it now, which other attempts may have changed since.
    public func settle(_ charge: Charge, as settlement: Settlement, in tally: inout Tally, at now: Moment) {
        switch settlement {
        case .accepted:
            let before = tally
            reset(&tally)
            if !charge.includesPassword { keepPasswords(of: before, in: &tally) }
        case .refused:
            // The password was right, or these frames had not been looked at.
            if charge.includesPassword { keepPasswords(of: Tally(), in: &tally) }
            if tally.resets != charge.resets {
                // Another attempt succeeded meanwhile and cleared this charge; the miss still is one.
                tally.misses = tally.misses.addingClamped(1)
                tally.total = tally.total.addingClamped(1)
            }
            // The wait counts from the end of the attempt, not from its begin.
            tally.missedAt = now
        case .notJudged: giveBack(charge, in: &tally)
        case .skipped:
            giveBack(charge, in: &tally)
            if charge.includesPassword { keepPasswords(of: Tally(), in: &tally) }
        case .wrongPassword:
            giveBack(charge, in: &tally)
            guard countsPasswords else { return }
            tally.wrongPasswords = tally.wrongPasswords.addingClamped(1)
            tally.wrongPasswordAt = now
        }
    }

    /// Forgets all failures: a success, or the administrator's `unlock`.
    public func reset(_ tally: inout Tally) {
        tally = Tally(resets: tally.resets &+ 1)
    }

    private func giveBack(_ charge: Charge, in tally: inout Tally) {
        guard tally.resets == charge.resets else { return }
        tally.misses = tally.misses > 0 ? tally.misses - 1 : 0
        tally.total = tally.total > 0 ? tally.total - 1 : 0
        if tally.missedAt == charge.own { tally.missedAt = charge.previous }
    }

    /// Who shows a face only has not shown that he knows the password.
    private func keepPasswords(of other: Tally, in tally: inout Tally) {
        tally.wrongPasswords = other.wrongPasswords
        tally.wrongPasswordAt = other.wrongPasswordAt
    }

    /// How long `count` misses, the newest of them at `then`, still lock.
    private func remaining(count: UInt32, since then: Moment?, _ now: Moment) -> UInt64 {
        guard count >= misses, let then else { return count >= misses ? longest : 0 }
        let lock = duration(beyond: count - misses)
        let elapsed = now.elapsed(since: then)
        return lock > elapsed ? lock - elapsed : 0
    }

    /// The first lock doubled `steps` times, at most the longest.
    private func duration(beyond steps: UInt32) -> UInt64 {
        var lock = first
        for _ in 0..<min(steps, 64) where lock < longest {
            let (doubled, overflow) = lock.multipliedReportingOverflow(by: 2)
            lock = overflow ? longest : doubled
        }
        return min(lock, longest)
    }
}

extension UInt32 {
    fileprivate func addingClamped(_ other: UInt32) -> UInt32 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
