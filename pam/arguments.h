// SPDX-License-Identifier: Apache-2.0
/*
 * The words after the module's name in a file of /etc/pam.d. Modules commonly log a word they do not know and go on;
 * here a misspelt option could turn a check off, so it is refused.
 */
#ifndef SECONDLOOK_ARGUMENTS_H
#define SECONDLOOK_ARGUMENTS_H

#include <security/pam_modules.h>
#include <stdbool.h>
#include <stdint.h>

enum arguments_token {
    ARGUMENTS_ASK, /* ask, whatever an earlier module was told */
    ARGUMENTS_TRY_TOKEN /* try_first_pass: ask only if no earlier module asked */,
    ARGUMENTS_USE_TOKEN /* use_first_pass: never ask */
};

struct arguments {
    bool face_only;             /* factor=face */
    bool debug;                 /* debug */
    enum arguments_token token; /* of try_first_pass and use_first_pass the stricter */
    const char *conf;           /* conf=PATH, null when not given */
    uint32_t deadline;          /* timeout=SECONDS, in ms */
};

/* Reads all words and logs every one that is wrong; false when there is any. */
bool arguments_parse(const pam_handle_t *pamh, int argc, const char **argv, struct arguments *arguments);

#endif
