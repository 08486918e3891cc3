// SPDX-License-Identifier: Apache-2.0
// The tables, as the list of steps that lead to them. PRAGMA user_version counts the steps that were taken; a step is never edited,
// a change is a new one.

/// The steps from an empty file to the present schema.
enum Schema {
    static let steps: [[String]] = [
        [
            """
            CREATE TABLE meta(name TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE enrolments(
                id INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT NOT NULL, uid INTEGER NOT NULL, label TEXT NOT NULL,
                created INTEGER NOT NULL, model TEXT NOT NULL, samples INTEGER NOT NULL, sealed BLOB NOT NULL,
                UNIQUE(user, label)) STRICT
            """,
            """
            CREATE TABLE tallies(
                user TEXT PRIMARY KEY NOT NULL, misses INTEGER NOT NULL, total INTEGER NOT NULL, missed_boot TEXT,
                missed_since INTEGER, missed_wall INTEGER, passwords INTEGER NOT NULL, password_boot TEXT,
                password_since INTEGER, password_wall INTEGER, resets INTEGER NOT NULL) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE pending(
                id INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT NOT NULL, service TEXT NOT NULL, tty TEXT NOT NULL,
                rhost TEXT NOT NULL, boot TEXT NOT NULL, since INTEGER NOT NULL, wall INTEGER NOT NULL) STRICT
            """,
            """
            CREATE TABLE attempts(
                id INTEGER PRIMARY KEY, time INTEGER NOT NULL, user TEXT NOT NULL, service TEXT NOT NULL,
                tty TEXT NOT NULL, rhost TEXT NOT NULL, outcome INTEGER NOT NULL, reason TEXT NOT NULL,
                similarity REAL, liveness REAL, model TEXT NOT NULL, milliseconds INTEGER NOT NULL,
                detail TEXT NOT NULL, hash BLOB NOT NULL) STRICT
            """,
            "CREATE INDEX attempts_by_user ON attempts(user, id)",
            """
            CREATE TABLE recovery(
                id INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT NOT NULL, uid INTEGER NOT NULL, hash BLOB NOT NULL,
                created INTEGER NOT NULL, used INTEGER, UNIQUE(user, hash)) STRICT
            """,
        ],
        // What is known of an enrolment besides its samples, and the picture that `enroll --keep-picture` keeps: both sealed, both may be missing.
        [
            "ALTER TABLE enrolments ADD COLUMN details BLOB",
            "ALTER TABLE enrolments ADD COLUMN picture BLOB",
        ],
    ]

    /// The schema this code writes.
    static var version: Int { steps.count }

    /// Takes the steps that are missing, in one transaction; a store of a newer schema is refused and not touched.
    static func migrate(_ database: borrowing Database, steps: [[String]] = steps) throws(StoreError) {
        guard try version(of: database) != steps.count else { return }
        try database.transaction { () throws(StoreError) in
            // Another process may have done it meanwhile.
            let found = try version(of: database)
            guard found <= steps.count else { throw .newerSchema(found: found, known: steps.count) }
            for step in steps[found...] {
                for statement in step { try database.query(statement) }
            }
            try database.query("PRAGMA user_version=\(steps.count)")
        }
    }

    private static func version(of database: borrowing Database) throws(StoreError) -> Int {
        guard let found = try database.query("PRAGMA user_version").first?.first?.integer, found >= 0 else {
            throw .damaged("no schema number")
        }
        return Int(found)
    }
}
