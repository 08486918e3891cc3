// SPDX-License-Identifier: Apache-2.0
/* The module's options: see arguments.h. */
#include "arguments.h"

#include <security/pam_ext.h>
#include <stddef.h>
#include <string.h>
#include <syslog.h>

/* A test build may shorten the shortest time, so that its tests of deadlines are short. */
#ifndef SECONDLOOK_TIMEOUT_LEAST
#define SECONDLOOK_TIMEOUT_LEAST 5
#endif

enum { TIMEOUT_MOST = 300, TIMEOUT_USUAL = 30, CONF_MOST = 1024 };

/* What follows `name=` in `word`, or null. */
static const char *value_of(const char *word, const char *name) {
    const size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static bool parse_factor(const char *value, struct arguments *arguments) {
    arguments->face_only = strcmp(value, "face") == 0;
    return arguments->face_only || strcmp(value, "both") == 0;
}

static bool parse_conf(const char *value, struct arguments *arguments) {
    arguments->conf = value;
    return value[0] == '/' && strlen(value) <= CONF_MOST;
}

static bool parse_timeout(const char *value, struct arguments *arguments) {
    uint32_t seconds = 0;
    const size_t length = strlen(value);
    if (length < 1 || length > 3)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (value[i] < '0' || value[i] > '9')
            return false;
        seconds = seconds * 10 + (uint32_t)(value[i] - '0');
    }
    arguments->deadline = seconds * 1000;
    return seconds >= SECONDLOOK_TIMEOUT_LEAST && seconds <= TIMEOUT_MOST;
}

static bool parse_word(const char *word, struct arguments *arguments) {
    const char *value;
    if (strcmp(word, "debug") == 0) {
        arguments->debug = true;
        return true;
    }
    if (strcmp(word, "use_first_pass") == 0) {
        arguments->token = ARGUMENTS_USE_TOKEN;
        return true;
    }
    if (strcmp(word, "try_first_pass") == 0) {
        if (arguments->token == ARGUMENTS_ASK)
            arguments->token = ARGUMENTS_TRY_TOKEN;
        return true;
    }
    if ((value = value_of(word, "factor")) != NULL)
        return parse_factor(value, arguments);
    if ((value = value_of(word, "conf")) != NULL)
        return parse_conf(value, arguments);
    if ((value = value_of(word, "timeout")) != NULL)
        return parse_timeout(value, arguments);
    return false;
}

bool arguments_parse(const pam_handle_t *pamh, int argc, const char **argv, struct arguments *arguments) {
    bool good = true;
    *arguments = (struct arguments){.deadline = TIMEOUT_USUAL * 1000};
    for (int i = 0; i < argc; i++) {
        if (!parse_word(argv[i], arguments)) {
            pam_syslog(pamh, LOG_ERR, "option '%s' is unknown or out of range", argv[i]);
            good = false;
        }
    }
    return good;
}
