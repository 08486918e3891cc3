// SPDX-License-Identifier: Apache-2.0
/*
 * Fuzz target of the module's options (pam/arguments.c): the input is the words, each ended by a NUL. What is accepted
 * is in range, what is refused was named in the log, once for each word.
 */
#include "../../pam/arguments.c"

#include "target.h"

#include <stdarg.h>
#include <stdlib.h>

static int logged;

void pam_syslog(const pam_handle_t *pamh, int priority, const char *format, ...) {
    (void)pamh;
    (void)priority;
    (void)format;
    logged++;
}

static bool is_known(const char *word) {
    return strcmp(word, "debug") == 0 || strcmp(word, "try_first_pass") == 0 || strcmp(word, "use_first_pass") == 0 ||
           strcmp(word, "factor=face") == 0 || strcmp(word, "factor=both") == 0 || strncmp(word, "conf=/", 6) == 0 ||
           strncmp(word, "timeout=", 8) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    const char *words[64];
    int number = 0;
    struct arguments arguments;
    char *text = malloc(count + 1);
    if (text == NULL)
        return 0;
    if (count > 0)
        memcpy(text, bytes, count);
    text[count] = 0;
    for (size_t at = 0; at < count && number < 64; at += strlen(text + at) + 1)
        words[number++] = text + at;
    logged = 0;
    const bool good = arguments_parse(NULL, number, words, &arguments);
    if (good != (logged == 0) || logged > number)
        abort();
    for (int i = 0; good && i < number; i++) {
        if (!is_known(words[i]))
            abort();
    }
    if (good && (arguments.deadline < 5000 || arguments.deadline > 300000))
        abort();
    if (good && arguments.conf != NULL && arguments.conf[0] != '/')
        abort();
    free(text);
    return 0;
}
