// SPDX-License-Identifier: Apache-2.0
// Charging before judging: in a transaction, against two at once, kill -9, a full disk, a read-only store.

import Dispatch
import Policy
import TestSupport
import Testing

@testable import TemplateStore

let isRoot = Fixture.isRoot

extension Fixture {
    static let isRoot = TemporaryFolder.isRoot
}

@Suite struct StoreTallyTests {
    let fixture = Fixture()
    let lockout = Lockout(Settings())

    private func charge(_ store: inout Store, at time: UInt64) throws -> ChargedAttempt? {
        if case .charged(let attempt) = try store.charge(record(), lockout: lockout, at: moment(time)) {
            attempt
        } else {
            nil
        }
    }

    private func miss(_ store: inout Store, at time: UInt64) throws {
        let attempt = try #require(try charge(&store, at: time))
        try store.settle(attempt, as: record(), lockout: lockout, at: moment(time))
    }

    @Test func locksAfterFiveMissesAlsoForANewProcess() throws {
        var store = try fixture.open()
        for time in 1...5 { try miss(&store, at: UInt64(time) * 1000) }
        var again = try fixture.open()
        guard case .refused(.locked(let remaining)) = try again.charge(record(), lockout: lockout, at: moment(6000))
        else {
            Issue.record("not locked")
            return
        }
        #expect(remaining == 29_000)
        #expect(try again.tally(of: "anna").misses == 5, "being locked is not counted")
        #expect(try charge(&again, at: 40_000) != nil)
    }

    @Test func survivesARebootAndAClockSetBack() throws {
        var store = try fixture.open()
        for time in 1...5 { try miss(&store, at: UInt64(time) * 1000) }
        let after = Moment(boot: "boot-2", sinceBoot: 2000, wall: 1_600_000_000_000)
        guard case .refused(.locked) = try store.charge(record(), lockout: lockout, at: after) else {
            Issue.record("not locked")
            return
        }
    }

    @Test func acceptedResetsAndNotJudgedGivesBack() throws {
        var store = try fixture.open()
        try miss(&store, at: 1000)
        let second = try #require(try charge(&store, at: 2000))
        #expect(try store.tally(of: "anna").misses == 2, "charged before it is judged")
        try store.settle(
            second, as: record("anna", Verdict(.notJudged, .noFace)), lockout: lockout, at: moment(2500))
        #expect(try store.tally(of: "anna").misses == 1)
        let third = try #require(try charge(&store, at: 3000))
        try store.settle(third, as: record("anna", Verdict(.accepted, .matched)), lockout: lockout, at: moment(3500))
        #expect(try store.tally(of: "anna").misses == 0)
        #expect(try store.tally(of: "anna").total == 0)
        #expect(try store.attempts().map(\.record.verdict.reason) == [.matched, .noFace, .otherPerson])
    }

    @Test func anAttemptThatNeverSettlesStaysChargedAndIsRecordedLater() throws {
        do {
            var store = try fixture.open()
            _ = try charge(&store, at: 1000)
        }
        var again = try fixture.open()
        #expect(try again.tally(of: "anna").misses == 1)
        #expect(try again.attempts().isEmpty)
        _ = try again.charge(record("bert"), lockout: lockout, at: moment(1000, boot: "boot-2"))
        let found = try again.attempts()
        #expect(found.map(\.record.verdict) == [Verdict(.fault, .system)])
        #expect(found.first?.record.user == "anna")
        #expect(try again.verifyChain().faults.isEmpty)
    }

    @Test func unlockForgetsFailures() throws {
        var store = try fixture.open()
        for time in 1...5 { try miss(&store, at: UInt64(time) * 1000) }
        #expect(try store.unlock("anna", lockout: lockout))
        #expect(try !store.unlock("bert", lockout: lockout))
        #expect(try charge(&store, at: 6000) != nil)
    }

    @Test func nobodyIsChargedInAStoreThatCannotBeWritten() throws {
        var store = try fixture.open()
        try miss(&store, at: 1000)
        try store.database.query("PRAGMA query_only=1")
        #expect(throws: StoreError.self) { try store.charge(record(), lockout: lockout, at: moment(2000)) }
        try store.database.query("PRAGMA query_only=0")
        #expect(try store.tally(of: "anna").misses == 1)
    }

    @Test func aFullDiskChargesNobody() throws {
        var store = try fixture.open()
        let pages = try store.database.query("PRAGMA page_count")[0][0].integer ?? 0
        try store.database.query("PRAGMA max_page_count=\(pages)")
        var refusal: StoreError?
        for number in 0..<2000 where refusal == nil {
            do throws(StoreError) {
                let long = AttemptRecord(
                    time: 0, user: "user-\(number)-" + String(repeating: "x", count: 200), service: "s",
                    verdict: Verdict(.fault, .system))
                _ = try store.charge(long, lockout: lockout, at: moment(1))
            } catch { refusal = error }
        }
        #expect(refusal?.isFull == true)
        let counts = try fixture.rows("SELECT (SELECT count(*) FROM tallies), (SELECT count(*) FROM pending)")[0]
        #expect(counts[0] == counts[1], "each charge is there with its pending row or not at all")
    }

    @Test(arguments: ["x'00'", "'x'", "-1", "5000000000"])
    func aDamagedTallyIsAFaultAndNotAFreshStart(value: String) throws {
        var store = try fixture.open()
        try miss(&store, at: 1000)
        // STRICT tables refuse the first two by themselves.
        do { try fixture.tamper("UPDATE tallies SET misses=\(value)") } catch { return }
        #expect(throws: StoreError.damaged("the tally of 'anna'")) {
            try store.charge(record(), lockout: lockout, at: moment(2000))
        }
    }

    @Test func twentyAtOnceAreChargedFiveTimes() throws {
        _ = try fixture.open().summaries()
        let fixture = fixture
        let lockout = lockout
        let charged = Counter()
        DispatchQueue.concurrentPerform(iterations: 20) { index in
            guard var store = try? fixture.open(patience: 20_000),
                let result = try? store.charge(record(), lockout: lockout, at: moment(1000))
            else {
                Issue.record("attempt \(index) met a fault")
                return
            }
            if case .charged = result { charged.increment() }
        }
        #expect(charged.value == 5)
        #expect(try fixture.open().tally(of: "anna").misses == 5)
    }
}

/// Counts from several threads.
final class Counter: @unchecked Sendable {
    private let queue = DispatchQueue(label: "counter")
    private var count = 0
    func increment() { queue.sync { count += 1 } }
    var value: Int { queue.sync { count } }
}
