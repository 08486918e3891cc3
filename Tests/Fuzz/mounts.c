// SPDX-License-Identifier: Apache-2.0
/*
 * Fuzz target of the reader of /proc/self/mountinfo (pam/confinement.c): what it says of /dev must be what a plain
 * reading of the whole text by lines and words says.
 */
#include "../../pam/confinement.c"

#include "target.h"

#include <stdlib.h>

/* The word that begins at `*at`, cut off there; empty between two spaces. Null at the end of the line. */
static char *next_word(char **at) {
    if (*at == NULL)
        return NULL;
    char *word = *at;
    char *space = strchr(word, ' ');
    if (space != NULL)
        *space = 0;
    *at = space != NULL ? space + 1 : NULL;
    return word;
}

static void read_line(char *line, bool *found, bool *is_devtmpfs) {
    bool on_dev = false;
    char *word = line;
    for (int number = 0; (word = next_word(&line)) != NULL; number++) {
        if (number == MOUNT_POINT)
            on_dev = strcmp(word, "/dev") == 0;
        if (number > MOUNT_POINT && strcmp(word, "-") == 0)
            break;
    }
    char *type = next_word(&line);
    if (word == NULL || type == NULL || !on_dev)
        return;
    *found = true;
    *is_devtmpfs = strcmp(type, "devtmpfs") == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    struct scanner scanner = {0};
    bool found = false, is_devtmpfs = false;
    char *text = malloc(count + 1);
    if (text == NULL || (count > 0 && memchr(bytes, 0, count) != NULL)) {
        free(text);
        return 0; /* the kernel writes no NUL; for one, only memory counts */
    }
    if (count > 0)
        memcpy(text, bytes, count);
    text[count] = 0;
    for (size_t i = 0; i < count; i++)
        take(&scanner, (char)bytes[i]);
    for (char *line = text; *line != 0;) {
        char *end = strchr(line, '\n');
        if (end == NULL)
            break; /* what is not a whole line yet may have been read or not */
        *end = 0;
        read_line(line, &found, &is_devtmpfs);
        line = end + 1;
    }
    const bool whole = count == 0 || bytes[count - 1] == '\n';
    if (whole && (scanner.found != found || (found && scanner.is_devtmpfs != is_devtmpfs)))
        abort();
    free(text);
    return 0;
}
