// SPDX-License-Identifier: Apache-2.0
// The few parts of SQLite that are used.
#include "CSQLite.h"

#include <sqlite3.h>

static sqlite3 *database_of(struct csqlite_database *database) {
    return (sqlite3 *)database;
}
static sqlite3_stmt *statement_of(struct csqlite_statement *statement) {
    return (sqlite3_stmt *)statement;
}

int csqlite_open(const char *path, int create, int busy_milliseconds, struct csqlite_database **database) {
    sqlite3 *opened = NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE;
    if (create)
        flags |= SQLITE_OPEN_CREATE;
    int result = sqlite3_open_v2(path, &opened, flags, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_busy_timeout(opened, busy_milliseconds);
    // A schema that someone else prepared must not run code of its own.
    if (result == SQLITE_OK)
        result = sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
    if (result == SQLITE_OK)
        result = sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
    if (result == SQLITE_OK)
        result = sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL);
    if (result == SQLITE_OK)
        result = sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)NULL);
    if (result == SQLITE_OK) {
        sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, 1 << 20);
        sqlite3_limit(opened, SQLITE_LIMIT_ATTACHED, 0);
    } else {
        sqlite3_close(opened);
        opened = NULL;
    }
    *database = (struct csqlite_database *)opened;
    return result;
}

void csqlite_close(struct csqlite_database *database) {
    sqlite3_close_v2(database_of(database));
}

int csqlite_execute(struct csqlite_database *database, const char *sql) {
    return sqlite3_exec(database_of(database), sql, NULL, NULL, NULL);
}

int csqlite_prepare(struct csqlite_database *database, const char *sql, struct csqlite_statement **statement) {
    return sqlite3_prepare_v2(database_of(database), sql, -1, (sqlite3_stmt **)statement, NULL);
}

void csqlite_finalize(struct csqlite_statement *statement) {
    sqlite3_finalize(statement_of(statement));
}

int csqlite_bind_integer(struct csqlite_statement *statement, int index, int64_t value) {
    return sqlite3_bind_int64(statement_of(statement), index, value);
}

int csqlite_bind_real(struct csqlite_statement *statement, int index, double value) {
    return sqlite3_bind_double(statement_of(statement), index, value);
}

int csqlite_bind_text(struct csqlite_statement *statement, int index, const char *text, size_t count) {
    return sqlite3_bind_text(statement_of(statement), index, text, (int)count, SQLITE_TRANSIENT);
}

int csqlite_bind_blob(struct csqlite_statement *statement, int index, const void *bytes, size_t count) {
    if (count == 0)
        return sqlite3_bind_zeroblob(statement_of(statement), index, 0);
    return sqlite3_bind_blob(statement_of(statement), index, bytes, (int)count, SQLITE_TRANSIENT);
}

int csqlite_bind_null(struct csqlite_statement *statement, int index) {
    return sqlite3_bind_null(statement_of(statement), index);
}

int csqlite_step(struct csqlite_statement *statement) {
    int result = sqlite3_step(statement_of(statement));
    return result == SQLITE_ROW ? 1 : result == SQLITE_DONE ? 0 : -result;
}

int csqlite_count_columns(struct csqlite_statement *statement) {
    return sqlite3_column_count(statement_of(statement));
}

char csqlite_kind_of_column(struct csqlite_statement *statement, int column) {
    switch (sqlite3_column_type(statement_of(statement), column)) {
    case SQLITE_INTEGER:
        return 'i';
    case SQLITE_FLOAT:
        return 'r';
    case SQLITE_TEXT:
        return 't';
    case SQLITE_BLOB:
        return 'b';
    default:
        return 'n';
    }
}

int64_t csqlite_read_integer(struct csqlite_statement *statement, int column) {
    return sqlite3_column_int64(statement_of(statement), column);
}

double csqlite_read_real(struct csqlite_statement *statement, int column) {
    return sqlite3_column_double(statement_of(statement), column);
}

const void *csqlite_read_bytes(struct csqlite_statement *statement, int column, size_t *count) {
    const void *bytes = sqlite3_column_blob(statement_of(statement), column);
    *count = (size_t)sqlite3_column_bytes(statement_of(statement), column);
    return bytes;
}

int64_t csqlite_count_changes(struct csqlite_database *database) {
    return sqlite3_changes64(database_of(database));
}

int64_t csqlite_last_row(struct csqlite_database *database) {
    return sqlite3_last_insert_rowid(database_of(database));
}

const char *csqlite_describe(int code) {
    return sqlite3_errstr(code);
}
