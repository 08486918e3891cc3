// SPDX-License-Identifier: Apache-2.0
// The record of attempts: a chain in which each row's keyed hash covers the row before. The number and hash of the newest row stand once
// more, keyed, apart from the rows, so that cutting off the end is found as well. Whoever has the key can forge all of it, and whoever
// can put back an old copy of the whole folder hides what came since; the system's log has one line of each attempt, too.

import Platform
public import Policy

/// What is recorded of an attempt.
///
/// No picture, no embedding.
public struct AttemptRecord: Equatable, Sendable {
    /// When it ended: milliseconds since 1970.
    public var time: Int64
    /// The name that was to log in.
    public var user: String
    /// The PAM service.
    public var service: String
    /// The terminal, or empty.
    public var tty: String
    /// The remote host, or empty.
    public var rhost: String
    /// Outcome and reason.
    public var verdict: Verdict
    /// Cosine of the comparison, where there was one.
    public var similarity: Double?
    /// The passive network's session value, where it ran.
    public var liveness: Double?
    /// SHA-256 of the recogniser, or empty.
    public var model: String
    /// From the begin of the attempt to its end.
    public var milliseconds: Int
    /// What else an administrator would want to know: a file, a number; or empty.
    public var detail: String

    /// A record.
    public init(
        time: Int64, user: String, service: String, tty: String = "", rhost: String = "", verdict: Verdict,
        similarity: Double? = nil, liveness: Double? = nil, model: String = "", milliseconds: Int = 0,
        detail: String = ""
    ) {
        self.time = time
        self.user = user
        self.service = service
        self.tty = tty
        self.rhost = rhost
        self.verdict = verdict
        self.similarity = similarity
        self.liveness = liveness
        self.model = model
        self.milliseconds = milliseconds
        self.detail = detail
    }
}

/// A row of the record.
public struct Attempt: Equatable, Sendable {
    /// Counts from 1 without a gap.
    public let number: Int64
    /// What was recorded.
    public let record: AttemptRecord
}

/// What is wrong with the record.
public enum ChainFault: Equatable, Sendable, CustomStringConvertible {
    /// This row, or the one before it, was changed.
    case changed(Int64)
    /// Rows of these numbers are missing.
    case missing(ClosedRange<Int64>)
    /// The note of the newest row was changed or is missing.
    case noteChanged

    /// One line without a full stop.
    public var description: String {
        switch self {
        case .changed(let number): "attempt \(number) was changed"
        case .missing(let numbers) where numbers.count == 1: "attempt \(numbers.lowerBound) is missing"
        case .missing(let numbers): "attempts \(numbers.lowerBound) to \(numbers.upperBound) are missing"
        case .noteChanged: "the note of the newest attempt was changed"
        }
    }
}

/// The result of going through the whole record.
public struct ChainReport: Equatable, Sendable {
    /// Rows that are there.
    public let rows: Int
    /// Empty when nothing was changed.
    public let faults: [ChainFault]
}

extension Store {
    /// Appends to the record in a transaction of its own: for attempts that were never charged.
    public mutating func record(_ record: AttemptRecord) throws(StoreError) {
        try write { (store) throws(StoreError) in try store.append(record) }
    }

    /// The newest attempts first, of one user or of all, at most `limit`.
    public func attempts(of user: String? = nil, limit: Int = 100) throws(StoreError) -> [Attempt] {
        let rows =
            if let user {
                try database.query(
                    Store.columns + " WHERE user=? ORDER BY id DESC LIMIT ?", [Value(user), Value(limit)])
            } else {
                try database.query(Store.columns + " ORDER BY id DESC LIMIT ?", [Value(limit)])
            }
        return try rows.map { (row) throws(StoreError) in
            guard let attempt = Store.attempt(row) else { throw .damaged("an attempt has a column of the wrong type") }
            return attempt
        }
    }

    /// Goes through the whole record and finds rows that were changed or are missing.
    public mutating func verifyChain() throws(StoreError) -> ChainReport {
        try write { (store) throws(StoreError) in try store.verify() }
    }

    /// Appends a row inside a transaction.
    func append(_ record: AttemptRecord) throws(StoreError) {
        let note = try readNote()
        // Without a note to be trusted the chain goes on with a gap that every later check will show.
        let number: Int64
        if let note { number = note.number + 1 } else { number = try newest() + 2 }
        let previous = note?.hash ?? [UInt8](repeating: 0, count: Cryptography.hashLength)
        let attempt = Attempt(number: number, record: record)
        let hash = try chainHash(attempt, after: previous)
        try database.query(
            """
            INSERT INTO attempts(id, time, user, service, tty, rhost, outcome, reason, similarity, liveness, model,
            milliseconds, detail, hash) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(number), .integer(record.time), Value(record.user), Value(record.service), Value(record.tty),
                Value(record.rhost), .integer(Int64(record.verdict.outcome.rawValue)),
                Value(record.verdict.reason.rawValue), Value(record.similarity), Value(record.liveness),
                Value(record.model), Value(record.milliseconds), Value(record.detail), Value(hash),
            ])
        try writeNote(Note(number: number, hash: hash))
    }

    private static let columns = """
        SELECT id, time, user, service, tty, rhost, outcome, reason, similarity, liveness, model, milliseconds, detail, hash
        FROM attempts
        """

    private static func attempt(_ row: [Value]) -> Attempt? {
        guard let number = row[0].integer, let time = row[1].integer, let user = row[2].text,
            let service = row[3].text, let tty = row[4].text, let rhost = row[5].text,
            let outcome = row[6].integer.flatMap({ UInt8(exactly: $0) }).flatMap(Outcome.init(rawValue:)),
            let reason = row[7].text.flatMap(Reason.init(rawValue:)), let model = row[10].text,
            let milliseconds = row[11].integer, let detail = row[12].text
        else { return nil }
        return Attempt(
            number: number,
            record: AttemptRecord(
                time: time, user: user, service: service, tty: tty, rhost: rhost, verdict: Verdict(outcome, reason),
                similarity: row[8].real, liveness: row[9].real, model: model, milliseconds: Int(milliseconds),
                detail: detail))
    }

    private func verify() throws(StoreError) -> ChainReport {
        var faults: [ChainFault] = []
        var expected: Int64 = 1
        var previous = [UInt8](repeating: 0, count: Cryptography.hashLength)
        var count = 0
        // In portions, so that a record of years does not have to fit into memory.
        while true {
            let rows = try database.query(Store.columns + " WHERE id>=? ORDER BY id LIMIT 500", [.integer(expected)])
            if rows.isEmpty { break }
            for row in rows {
                guard let number = row[0].integer else { throw .damaged("an attempt has no number") }
                count += 1
                if number != expected { faults.append(.missing(expected...(number - 1))) }
                let hash = row[13].blob ?? []
                if let attempt = Store.attempt(row) {
                    let right = try chainHash(attempt, after: previous)
                    // After a gap the row before is unknown, so this one cannot be proven by it.
                    if number == expected, !Cryptography.areEqual(hash, right) { faults.append(.changed(number)) }
                } else {
                    faults.append(.changed(number))
                }
                previous = hash
                expected = number + 1
            }
        }
        if let note = try readNote() {
            if note.number >= expected {
                faults.append(.missing(expected...note.number))
            } else if note.number != expected - 1 || !Cryptography.areEqual(note.hash, previous) {
                faults.append(.noteChanged)
            }
        } else {
            faults.append(.noteChanged)
        }
        return ChainReport(rows: count, faults: faults)
    }

    private func newest() throws(StoreError) -> Int64 {
        try database.query("SELECT coalesce(max(id), 0) FROM attempts").first?.first?.integer ?? 0
    }

    private func chainHash(_ attempt: Attempt, after previous: [UInt8]) throws(StoreError) -> [UInt8] {
        let record = attempt.record
        var content = Canonical("secondlook attempt 1")
        content.add(previous)
        content.add(UInt64(bitPattern: attempt.number))
        content.add(UInt64(bitPattern: record.time))
        for text in [record.user, record.service, record.tty, record.rhost, record.model, record.detail] {
            content.add(text)
        }
        content.add(UInt64(record.verdict.outcome.rawValue))
        content.add(record.verdict.reason.rawValue)
        content.add(record.similarity)
        content.add(record.liveness)
        content.add(UInt64(bitPattern: Int64(record.milliseconds)))
        return try Cryptography.hash(content, key: keys.chain)
    }

    /// Number and hash of the newest row.
    private struct Note {
        var number: Int64
        var hash: [UInt8]
    }

    /// The note, or nil when it was changed or removed.
    private func readNote() throws(StoreError) -> Note? {
        guard let bytes = try Store.meta("chain", in: database), bytes.count == 8 + 2 * Cryptography.hashLength else {
            return nil
        }
        let number = bytes[..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let note = Note(number: Int64(bitPattern: number), hash: Array(bytes[8..<(8 + Cryptography.hashLength)]))
        let right = try Store.noteBytes(note, key: keys.chain)
        return Cryptography.areEqual(bytes, right) ? note : nil
    }

    private func writeNote(_ note: Note) throws(StoreError) {
        try Store.setMeta("chain", try Store.noteBytes(note, key: keys.chain), in: database)
    }

    /// The note of a record without a row.
    static func firstNote(key: borrowing SecretBytes) throws(StoreError) -> [UInt8] {
        try noteBytes(Note(number: 0, hash: [UInt8](repeating: 0, count: Cryptography.hashLength)), key: key)
    }

    private static func noteBytes(_ note: Note, key: borrowing SecretBytes) throws(StoreError) -> [UInt8] {
        var content = Canonical("secondlook newest attempt 1")
        content.add(UInt64(bitPattern: note.number))
        content.add(note.hash)
        let number = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(bitPattern: note.number) >> UInt64($0 * 8)) }
        return number + note.hash + (try Cryptography.hash(content, key: key))
    }
}
