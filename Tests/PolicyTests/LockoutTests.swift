// SPDX-License-Identifier: Apache-2.0
// Lockout: charged before judged, given back when not judged, doubled up to a limit, and no clock that shortens it.

import Policy
import TestSupport
import Testing

@Suite struct LockoutTests {
    let lockout = Lockout(Settings())
    let start = Moment(boot: "a", sinceBoot: 1_000_000, wall: 1_700_000_000_000)

    private func later(_ milliseconds: UInt64, than moment: Moment) -> Moment {
        Moment(boot: moment.boot, sinceBoot: moment.sinceBoot + milliseconds, wall: moment.wall + milliseconds)
    }

    private func miss(_ tally: inout Tally, _ settlement: Settlement = .refused, at now: Moment) {
        let charge = lockout.charge(&tally, at: now)
        lockout.settle(charge, as: settlement, in: &tally, at: now)
    }

    private func missed(_ count: Int, at now: Moment) -> Tally {
        var tally = Tally()
        for _ in 0..<count { miss(&tally, at: now) }
        return tally
    }

    @Test func locksAfterFiveMissesFor30Seconds() {
        #expect(lockout.state(of: missed(4, at: start), at: start) == .open)
        let tally = missed(5, at: start)
        #expect(lockout.state(of: tally, at: start) == .locked(remaining: 30_000))
        #expect(lockout.state(of: tally, at: later(29_999, than: start)) == .locked(remaining: 1))
        #expect(lockout.state(of: tally, at: later(30_000, than: start)) == .open)
    }

    @Test(
        arguments: [(5, 30), (6, 60), (7, 120), (8, 240), (9, 480), (10, 900), (11, 900), (49, 900)] as [(Int, UInt64)])
    func doublesUpToFifteenMinutes(misses: Int, seconds: UInt64) {
        #expect(lockout.state(of: missed(misses, at: start), at: start) == .locked(remaining: seconds * 1_000))
    }

    @Test func disablesAtFiftyUntilReset() {
        var tally = missed(50, at: start)
        #expect(lockout.state(of: tally, at: later(1_000_000_000, than: start)) == .disabled)
        lockout.reset(&tally)
        #expect(lockout.state(of: tally, at: start) == .open)
    }

    @Test(arguments: [Settlement.refused, .accepted]) func aFaceAloneForgivesNoWrongPassword(settlement: Settlement) {
        var tally = Tally()
        for _ in 0..<4 { miss(&tally, .wrongPassword, at: start) }
        let charge = lockout.charge(&tally, at: start, includesPassword: false)
        lockout.settle(charge, as: settlement, in: &tally, at: start)
        #expect(tally.wrongPasswords == 4 && tally.wrongPasswordAt == start)
        #expect(tally.misses == (settlement == .refused ? 1 : 0))
        miss(&tally, .wrongPassword, at: start)
        #expect(lockout.state(of: tally, at: start) == .locked(remaining: 30_000))
        miss(&tally, settlement, at: start)
        #expect(tally.wrongPasswords == 0, "the right password does")
    }

    @Test func chargesBeforeJudging() {
        var tally = missed(4, at: start)
        _ = lockout.charge(&tally, at: start)
        // The attempt under way is already counted: a killed one stays, a second one beside it is locked out.
        #expect(tally.misses == 5)
        #expect(lockout.state(of: tally, at: start) == .locked(remaining: 30_000))
    }

    @Test func givesBackWhatWasNotJudged() {
        var tally = missed(5, at: start)
        let before = tally
        let afterLock = later(40_000, than: start)
        miss(&tally, .notJudged, at: afterLock)
        #expect(tally == before)
        #expect(lockout.state(of: tally, at: afterLock) == .open)
    }

    @Test func forgetsAllOnSuccess() {
        var tally = missed(4, at: start)
        miss(&tally, .wrongPassword, at: start)
        miss(&tally, .accepted, at: start)
        #expect(tally == Tally(resets: 1))
    }

    @Test func locksWrongPasswordsForTheTimeOnly() {
        var tally = Tally()
        for _ in 0..<60 { miss(&tally, .wrongPassword, at: start) }
        #expect(tally.misses == 0 && tally.total == 0)
        #expect(lockout.state(of: tally, at: start) == .locked(remaining: 900_000))
        #expect(lockout.state(of: tally, at: later(900_000, than: start)) == .open)
    }

    @Test func leavesWrongPasswordsToFaillockBySetting() {
        var settings = Settings()
        settings.passwordLockout = .faillock
        let other = Lockout(settings)
        var tally = Tally()
        for _ in 0..<10 {
            let charge = other.charge(&tally, at: start)
            other.settle(charge, as: .wrongPassword, in: &tally, at: start)
        }
        #expect(tally == Tally())
    }

    @Test func isNotShortenedByAClockSetBackOrForward() {
        let tally = missed(5, at: start)
        for wall in [0, start.wall - 86_400_000, start.wall + 86_400_000, .max] {
            let now = Moment(boot: "a", sinceBoot: start.sinceBoot + 1_000, wall: wall)
            #expect(lockout.state(of: tally, at: now) == .locked(remaining: 29_000))
        }
    }

    @Test func survivesARebootWithAnyClock() {
        let tally = missed(5, at: start)
        let back = Moment(boot: "b", sinceBoot: 12_000, wall: start.wall - 5_000_000)
        #expect(lockout.state(of: tally, at: back) == .locked(remaining: 18_000))
        let right = Moment(boot: "b", sinceBoot: 12_000, wall: start.wall + 20_000)
        #expect(lockout.state(of: tally, at: right) == .locked(remaining: 10_000))
        let dead = Moment(boot: "b", sinceBoot: 31_000, wall: 0)
        #expect(lockout.state(of: tally, at: dead) == .open)
    }

    @Test func keepsTwoAttemptsAtOnceApart() {
        var tally = missed(2, at: start)
        let first = lockout.charge(&tally, at: start)
        let second = lockout.charge(&tally, at: start)
        #expect(tally.misses == 4)
        lockout.settle(first, as: .notJudged, in: &tally, at: later(10, than: start))
        #expect(tally.misses == 3)
        lockout.settle(second, as: .refused, in: &tally, at: later(20, than: start))
        #expect(tally.misses == 3 && tally.total == 3)
    }

    @Test func countsAMissThatASuccessBesideItCleared() {
        var tally = Tally()
        let first = lockout.charge(&tally, at: start)
        let second = lockout.charge(&tally, at: start)
        lockout.settle(first, as: .accepted, in: &tally, at: start)
        lockout.settle(second, as: .refused, in: &tally, at: start)
        #expect(tally.misses == 1 && tally.total == 1)
        let third = lockout.charge(&tally, at: start)
        lockout.settle(third, as: .notJudged, in: &tally, at: start)
        #expect(tally.misses == 1)
    }

    @Test func doesNotWrapAround() {
        var tally = Tally(misses: .max, total: .max, missedAt: start, wrongPasswords: .max, wrongPasswordAt: start)
        _ = lockout.charge(&tally, at: Moment(boot: "a", sinceBoot: .max, wall: .max))
        #expect(tally.misses == .max && tally.total == .max)
        #expect(lockout.state(of: tally, at: start) == .disabled)
        let many = Tally(misses: .max, total: 0, missedAt: start)
        #expect(lockout.state(of: many, at: start) == .locked(remaining: 900_000))
        let damaged = Tally(misses: 9, total: 9, missedAt: nil)
        #expect(lockout.state(of: damaged, at: start) == .locked(remaining: 900_000))
    }

    @Test func settlesEveryVerdictAsTheTableSays() {
        let expected: [Outcome: Settlement] = [
            .accepted: .accepted, .refused: .refused, .notJudged: .notJudged, .locked: .notJudged,
            .unknownUser: .notJudged, .skipped: .skipped, .fault: .notJudged,
        ]
        for outcome in Outcome.allCases { #expect(Settlement(Verdict(outcome, .otherPerson)) == expected[outcome]) }
        #expect(Settlement(Verdict(.refused, .wrongPassword)) == .wrongPassword)
    }

    /// Any history: never more than five judged misses within 30 s of one another without a success, never more than fifty at all.
    @Test(arguments: UInt64(1)...40) func neverLetsMoreThroughThanTheLimits(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var tally = Tally()
        var now = start
        var refusals: [UInt64] = []
        for _ in 0..<400 {
            now = later(generator.next() % 40_000, than: now)
            // The wall clock is anybody's.
            now.wall = generator.next() % 4_000_000_000_000
            guard lockout.state(of: tally, at: now) == .open else { continue }
            let charge = lockout.charge(&tally, at: now)
            if generator.next() % 10 < 7 {
                lockout.settle(charge, as: .refused, in: &tally, at: now)
                refusals.append(now.sinceBoot)
            } else {
                lockout.settle(charge, as: .notJudged, in: &tally, at: now)
            }
        }
        #expect(refusals.count <= 50)
        for (fifth, sixth) in zip(refusals.dropFirst(4), refusals.dropFirst(5)) { #expect(sixth - fifth >= 30_000) }
    }
}
