// SPDX-License-Identifier: Apache-2.0
// The chained record: every kind of change to it is found.

import Policy
import Testing

@testable import TemplateStore

@Suite struct StoreAttemptsTests {
    let fixture = Fixture()

    private func five() throws -> Store {
        var store = try fixture.open()
        for reason in [Reason.matched, .noFace, .otherPerson, .notLive, .deadline] {
            try store.record(record("anna", Verdict(.notJudged, reason)))
        }
        return store
    }

    @Test func anUntouchedRecordIsWhole() throws {
        var store = try fixture.open()
        #expect(try store.verifyChain() == ChainReport(rows: 0, faults: []))
        store = try five()
        #expect(try store.verifyChain() == ChainReport(rows: 5, faults: []))
        #expect(try store.attempts(limit: 2).map(\.number) == [5, 4])
        #expect(try store.attempts(of: "bert").isEmpty)
        #expect(try store.attempts(limit: 1).first?.record == record("anna", Verdict(.notJudged, .deadline)))
    }

    @Test(arguments: [
        "time=1", "user='bert'", "service='su'", "tty=''", "rhost='far'", "outcome=65", "reason='matched'",
        "similarity=0.9", "similarity=NULL", "liveness=0.5", "model='bb'", "milliseconds=1", "detail='x'",
        "hash=zeroblob(32)", "reason='invented'",
    ])
    func findsAnyChangedColumn(change: String) throws {
        var store = try five()
        try fixture.tamper("UPDATE attempts SET \(change) WHERE id=3")
        let faults = try store.verifyChain().faults
        #expect(faults.first == .changed(3))
    }

    @Test(arguments: [
        ("DELETE FROM attempts WHERE id=1", ChainFault.missing(1...1)),
        ("DELETE FROM attempts WHERE id IN (2,3)", .missing(2...3)),
        ("DELETE FROM attempts WHERE id=5", .missing(5...5)), ("DELETE FROM attempts", .missing(1...5)),
        ("DELETE FROM meta WHERE name='chain'", .noteChanged),
        ("UPDATE meta SET value=zeroblob(72) WHERE name='chain'", .noteChanged),
    ])
    func findsMissingRows(sql: String, fault: ChainFault) throws {
        var store = try five()
        try fixture.tamper(sql)
        #expect(try store.verifyChain().faults == [fault])
    }

    @Test(arguments: [
        "DELETE FROM attempts WHERE id=5", "DELETE FROM meta WHERE name='chain'",
        "UPDATE attempts SET reason='matched' WHERE id=2",
    ])
    func laterAttemptsDoNotHideAChange(sql: String) throws {
        var store = try five()
        try fixture.tamper(sql)
        for _ in 0..<3 { try store.record(record()) }
        #expect(try !store.verifyChain().faults.isEmpty)
    }

    @Test func findsSwappedRows() throws {
        var store = try five()
        try fixture.tamper("UPDATE attempts SET id=100 WHERE id=2")
        try fixture.tamper("UPDATE attempts SET id=2 WHERE id=3")
        try fixture.tamper("UPDATE attempts SET id=3 WHERE id=100")
        #expect(try store.verifyChain().faults.first == .changed(2))
    }
}
