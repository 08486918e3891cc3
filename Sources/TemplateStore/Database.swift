// SPDX-License-Identifier: Apache-2.0
// A thin wrapper of SQLite: one owner of the handle, values in and out, transactions that end one way or the other.

import CSQLite

/// A value of a column.
enum Value: Equatable {
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    case null

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var real: Double? { if case .real(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }

    init(_ number: UInt64?) { self = number.map { .integer(Int64(bitPattern: $0)) } ?? .null }
    init(_ number: Double?) { self = number.map { .real($0) } ?? .null }
    init(_ number: Int) { self = .integer(Int64(number)) }
    init(_ text: String) { self = .text(text) }
    init(_ bytes: [UInt8]) { self = .blob(bytes) }
}

/// An open database.
@safe struct Database: ~Copyable {
    private let handle: OpaquePointer

    /// Opens the file, or with `creating` makes it; another writer is waited for `patience` milliseconds.
    static func open(path: String, creating: Bool, patience: Int32) throws(StoreError) -> Database {
        let database = try Database(path: path, creating: creating, patience: patience)
        // A rollback journal: at rest the store is one file, a full disk or kill -9 leaves the last commit, and no shared memory
        // file has to be trusted. EXTRA syncs the folder as well, so that a commit survives a power cut.
        for pragma in [
            "PRAGMA journal_mode=DELETE", "PRAGMA synchronous=EXTRA", "PRAGMA foreign_keys=ON",
            "PRAGMA cell_size_check=ON", "PRAGMA mmap_size=0", "PRAGMA temp_store=MEMORY", "PRAGMA secure_delete=ON",
        ] { try database.query(pragma) }
        return database
    }

    private init(path: String, creating: Bool, patience: Int32) throws(StoreError) {
        var opened: OpaquePointer?
        // SAFETY: a text and a pointer's room lent for the call.
        let result = unsafe csqlite_open(path, creating ? 1 : 0, patience, &opened)
        guard result == 0, let database = unsafe opened else { throw Database.error("open", result) }
        unsafe handle = database
    }

    deinit {
        // SAFETY: the handle was opened by csqlite_open and is closed here only.
        unsafe csqlite_close(handle)
    }

    /// Runs one statement and returns its rows.
    @discardableResult
    func query(_ sql: String, _ values: [Value] = []) throws(StoreError) -> [[Value]] {
        let action = sql.hasPrefix("SELECT") || sql.hasPrefix("PRAGMA") ? "read" : "write"
        var prepared: OpaquePointer?
        // SAFETY: a text and a pointer's room lent for the call.
        let result = unsafe csqlite_prepare(handle, sql, &prepared)
        guard result == 0, let statement = unsafe prepared else { throw Database.error(action, result) }
        // SAFETY: the statement was prepared above and is finalised once, here.
        defer { unsafe csqlite_finalize(statement) }
        for (index, value) in values.enumerated() {
            let result = unsafe Database.bind(value, at: Int32(index + 1), of: statement)
            guard result == 0 else { throw Database.error(action, result) }
        }
        var rows: [[Value]] = []
        while true {
            // SAFETY: the statement is alive.
            let step = unsafe csqlite_step(statement)
            if step == 0 { return rows }
            guard step == 1 else { throw Database.error(action, -step) }
            // SAFETY: the statement stands on a row.
            rows.append(unsafe Database.row(of: statement))
        }
    }

    /// Runs one statement that changes rows and returns how many.
    @discardableResult
    func change(_ sql: String, _ values: [Value] = []) throws(StoreError) -> Int {
        try query(sql, values)
        // SAFETY: the handle is open.
        return Int(unsafe csqlite_count_changes(handle))
    }

    /// Everything in `body` happens or nothing does.
    ///
    /// The write lock is taken at once, so that what is read cannot change before it is written.
    func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try query("BEGIN IMMEDIATE")
        do throws(StoreError) {
            let result = try body()
            try query("COMMIT")
            return result
        } catch {
            // SQLite may have rolled back by itself (a full disk); then this says so and that is no further fault.
            _ = try? query("ROLLBACK")
            throw error
        }
    }

    /// Everything read in `body` is of one moment.
    func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try query("BEGIN DEFERRED")
        do throws(StoreError) {
            let result = try body()
            try query("COMMIT")
            return result
        } catch {
            _ = try? query("ROLLBACK")
            throw error
        }
    }

    private static func error(_ action: String, _ code: Int32) -> StoreError {
        // SAFETY: SQLite answers with a constant text.
        let text = unsafe csqlite_describe(code).map { unsafe String(cString: $0) } ?? "error"
        return .database(action: action, code: code, text: text)
    }

    private static func bind(_ value: Value, at index: Int32, of statement: OpaquePointer) -> Int32 {
        switch value {
        // SAFETY: SQLite copies what it is lent.
        case .integer(let number): return unsafe csqlite_bind_integer(statement, index, number)
        case .real(let number): return unsafe csqlite_bind_real(statement, index, number)
        case .text(let text): return unsafe csqlite_bind_text(statement, index, text, text.utf8.count)
        case .blob(let bytes):
            return unsafe bytes.withUnsafeBytes { room in
                // SAFETY: as above.
                unsafe csqlite_bind_blob(statement, index, room.baseAddress, room.count)
            }
        case .null: return unsafe csqlite_bind_null(statement, index)
        }
    }

    private static func row(of statement: OpaquePointer) -> [Value] {
        // SAFETY: the caller's statement stands on a row; the bytes of a column are copied before the next call.
        (0..<(unsafe csqlite_count_columns(statement))).map { column in
            switch UInt8(bitPattern: unsafe csqlite_kind_of_column(statement, column)) {
            case UInt8(ascii: "i"): .integer(unsafe csqlite_read_integer(statement, column))
            case UInt8(ascii: "r"): .real(unsafe csqlite_read_real(statement, column))
            case UInt8(ascii: "t"): .text(String(decoding: unsafe bytes(of: statement, column), as: UTF8.self))
            case UInt8(ascii: "b"): .blob(unsafe bytes(of: statement, column))
            default: .null
            }
        }
    }

    private static func bytes(of statement: OpaquePointer, _ column: Int32) -> [UInt8] {
        var count = 0
        // SAFETY: SQLite's pointer is valid for `count` bytes until the next call on the statement.
        let pointer = unsafe csqlite_read_bytes(statement, column, &count)
        return unsafe Array(UnsafeRawBufferPointer(start: pointer, count: pointer == nil ? 0 : count))
    }
}
