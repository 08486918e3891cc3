// SPDX-License-Identifier: Apache-2.0
// What the two halves of the shim share; not seen by Swift.
#ifndef SECONDLOOK_CINFERENCE_TABLE_H
#define SECONDLOOK_CINFERENCE_TABLE_H

#include "CInference.h"

struct cinference_runtime {
    void *library;
    void *const *table;
    const char *version;
    void *environment;
    void *memory;
    void *allocator;
};

struct cinference_session {
    const struct cinference_runtime *runtime;
    void *session;
};

// The function at a position of the table, as the type it has there.
#define SLOT(runtime, number, type) ((type)(runtime)->table[number])

// 0 for a null status; else copies the library's words, releases the status and answers -EINVAL.
int cinference_check(const struct cinference_runtime *runtime, void *status, char *message);

#endif
