// SPDX-License-Identifier: Apache-2.0
// The lockout tally. An attempt is charged in a transaction before it is judged and settled in another, together with its record. An
// attempt that never settles (kill -9, power cut) stays charged and leaves a pending row that a later attempt turns into a record.

public import Policy

/// What became of the wish to begin.
public enum ChargeResult: Sendable {
    /// Counted; keep this until the attempt is settled.
    case charged(ChargedAttempt)
    /// Not counted: locked or disabled.
    case refused(LockState)
}

/// An attempt that was charged and not yet settled.
public struct ChargedAttempt: Sendable {
    let user: String
    let charge: Lockout.Charge
    let pending: Int64
}

extension Store {
    /// The user's tally, that of someone who never failed when there is none.
    public func tally(of user: String) throws(StoreError) -> Tally {
        let rows = try database.query(
            """
            SELECT misses, total, missed_boot, missed_since, missed_wall, passwords, password_boot, password_since,
            password_wall, resets FROM tallies WHERE user=?
            """, [Value(user)])
        guard let row = rows.first else { return Tally() }
        guard let misses = row[0].count, let total = row[1].count, let passwords = row[5].count,
            let resets = row[9].count
        else { throw .damaged("the tally of '\(user)'") }
        return Tally(
            misses: misses, total: total, missedAt: try Store.moment(row[2...4]), wrongPasswords: passwords,
            wrongPasswordAt: try Store.moment(row[6...8]), resets: resets)
    }

    /// Charges an attempt before it is judged, if the tally allows one now, in one transaction with the look at it.
    ///
    /// `includesPassword`: whether the attempt stands for the password as well.
    public mutating func charge(
        _ record: AttemptRecord, lockout: Lockout, at now: Moment, includesPassword: Bool = true
    ) throws(StoreError) -> ChargeResult {
        try write { (store) throws(StoreError) in
            try store.recordAbandoned(before: now)
            var tally = try store.tally(of: record.user)
            let state = lockout.state(of: tally, at: now)
            guard state == .open else { return .refused(state) }
            let charge = lockout.charge(&tally, at: now, includesPassword: includesPassword)
            try store.write(tally, of: record.user)
            let rows = try store.database.query(
                "INSERT INTO pending(user, service, tty, rhost, boot, since, wall) VALUES(?, ?, ?, ?, ?, ?, ?) RETURNING id",
                [
                    Value(record.user), Value(record.service), Value(record.tty), Value(record.rhost), Value(now.boot),
                    Value(now.sinceBoot), Value(now.wall),
                ])
            guard let pending = rows.first?.first?.integer else { throw .damaged("an attempt got no number") }
            return .charged(ChargedAttempt(user: record.user, charge: charge, pending: pending))
        }
    }

    /// Settles a charged attempt and records it, both or neither.
    public mutating func settle(
        _ attempt: ChargedAttempt, as record: AttemptRecord, lockout: Lockout, at now: Moment
    ) throws(StoreError) {
        try write { (store) throws(StoreError) in
            var tally = try store.tally(of: attempt.user)
            lockout.settle(attempt.charge, as: Settlement(record.verdict), in: &tally, at: now)
            try store.write(tally, of: attempt.user)
            try store.database.query("DELETE FROM pending WHERE id=?", [.integer(attempt.pending)])
            try store.append(record)
        }
    }

    /// Forgets a user's failures on an administrator's word; false when there were none.
    @discardableResult
    public mutating func unlock(_ user: String, lockout: Lockout) throws(StoreError) -> Bool {
        try write { (store) throws(StoreError) in
            var tally = try store.tally(of: user)
            let before = tally
            lockout.reset(&tally)
            try store.write(tally, of: user)
            return before.misses > 0 || before.total > 0 || before.wrongPasswords > 0
        }
    }

    /// An attempt this old that is still pending has lost its helper: no module waits longer than five minutes.
    private static let longestAttempt: UInt64 = 600_000

    /// Records attempts that ended without a verdict.
    private func recordAbandoned(before now: Moment) throws(StoreError) {
        let rows = try database.query(
            "SELECT id, user, service, tty, rhost, boot, since, wall FROM pending ORDER BY id LIMIT 100")
        for row in rows {
            guard let id = row[0].integer, let user = row[1].text, let service = row[2].text, let tty = row[3].text,
                let rhost = row[4].text, let boot = row[5].text, let since = row[6].integer, let wall = row[7].integer
            else { throw .damaged("a pending attempt") }
            let age = Int64(bitPattern: now.sinceBoot) - since
            guard boot != now.boot || age > Int64(Store.longestAttempt) else { continue }
            try append(
                AttemptRecord(
                    time: wall, user: user, service: service, tty: tty, rhost: rhost,
                    verdict: Verdict(.fault, .system), detail: "ended without a verdict, stays charged"))
            try database.query("DELETE FROM pending WHERE id=?", [.integer(id)])
        }
    }

    func write(_ tally: Tally, of user: String) throws(StoreError) {
        try database.query(
            """
            INSERT OR REPLACE INTO tallies(user, misses, total, missed_boot, missed_since, missed_wall, passwords,
            password_boot, password_since, password_wall, resets) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [Value(user), .integer(Int64(tally.misses)), .integer(Int64(tally.total))]
                + Store.values(tally.missedAt) + [.integer(Int64(tally.wrongPasswords))]
                + Store.values(tally.wrongPasswordAt) + [.integer(Int64(tally.resets))])
    }

    private static func values(_ moment: Moment?) -> [Value] {
        [moment.map { Value($0.boot) } ?? .null, Value(moment?.sinceBoot), Value(moment?.wall)]
    }

    private static func moment(_ columns: ArraySlice<Value>) throws(StoreError) -> Moment? {
        let values = Array(columns)
        if values == [.null, .null, .null] { return nil }
        guard let boot = values[0].text, let since = values[1].integer, let wall = values[2].integer else {
            throw .damaged("a moment of a tally")
        }
        return Moment(boot: boot, sinceBoot: UInt64(bitPattern: since), wall: UInt64(bitPattern: wall))
    }
}

extension Value {
    fileprivate var count: UInt32? { integer.flatMap { UInt32(exactly: $0) } }
}
