// SPDX-License-Identifier: Apache-2.0
// The few parts of SQLite that are used. Results are SQLite's extended result codes (0 is success) unless said
// otherwise.
#ifndef SECONDLOOK_CSQLITE_H
#define SECONDLOOK_CSQLITE_H
#include <stddef.h>
#include <stdint.h>

struct csqlite_database;
struct csqlite_statement;

/// Opens (with `create`: or makes) a database without following symbolic links, with defensive limits. On failure
/// `*database` is NULL.
int csqlite_open(const char *path, int create, int busy_milliseconds, struct csqlite_database **database);
void csqlite_close(struct csqlite_database *database);
int csqlite_execute(struct csqlite_database *database, const char *sql);
int csqlite_prepare(struct csqlite_database *database, const char *sql, struct csqlite_statement **statement);
void csqlite_finalize(struct csqlite_statement *statement);
int csqlite_bind_integer(struct csqlite_statement *statement, int index, int64_t value);
int csqlite_bind_real(struct csqlite_statement *statement, int index, double value);
int csqlite_bind_text(struct csqlite_statement *statement, int index, const char *text, size_t count);
int csqlite_bind_blob(struct csqlite_statement *statement, int index, const void *bytes, size_t count);
int csqlite_bind_null(struct csqlite_statement *statement, int index);
/// 1 a row, 0 the end, or the negated result code.
int csqlite_step(struct csqlite_statement *statement);
int csqlite_count_columns(struct csqlite_statement *statement);
/// 'i' integer, 'r' real, 't' text, 'b' blob, 'n' null.
char csqlite_kind_of_column(struct csqlite_statement *statement, int column);
int64_t csqlite_read_integer(struct csqlite_statement *statement, int column);
double csqlite_read_real(struct csqlite_statement *statement, int column);
/// The bytes of a text or blob, valid until the next step; NULL when there are none.
const void *csqlite_read_bytes(struct csqlite_statement *statement, int column, size_t *count);
int64_t csqlite_count_changes(struct csqlite_database *database);
int64_t csqlite_last_row(struct csqlite_database *database);
/// What SQLite says of a result code.
const char *csqlite_describe(int code);
#endif
