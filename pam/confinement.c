// SPDX-License-Identifier: Apache-2.0
/*
 * Detection of a private /dev: see confinement.h. statfs() cannot tell (devtmpfs calls itself tmpfs), a missing camera
 * neither (it may be unplugged), so the kernel's list of mounts is read; the last one on /dev is the one in force.
 */
#include "confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { MOUNT_POINT = 4 }; /* number of the field in a line of mountinfo, from 0 */

/* Reads mountinfo byte by byte: its lines may be longer than any buffer, but the two fields of interest are short. */
struct scanner {
    int field;        /* number of the current field; after the lone "-" it is negative: -1 is the type */
    size_t length;    /* of the current field, also beyond what `text` holds */
    char text[16];    /* the current field's beginning, always with a NUL */
    bool on_dev;      /* the line is a mount on /dev */
    bool found;       /* any such line was seen */
    bool is_devtmpfs; /* the last such line has this type */
};

static void end_field(struct scanner *scanner) {
    if (scanner->field == MOUNT_POINT)
        scanner->on_dev = strcmp(scanner->text, "/dev") == 0;
    if (scanner->field == -1 && scanner->on_dev) {
        scanner->found = true;
        scanner->is_devtmpfs = strcmp(scanner->text, "devtmpfs") == 0;
    }
    if (scanner->field < 0)
        scanner->field--;
    else if (scanner->field > MOUNT_POINT && strcmp(scanner->text, "-") == 0)
        scanner->field = -1;
    else
        scanner->field++;
    scanner->length = 0;
    scanner->text[0] = 0;
}

static void take(struct scanner *scanner, char byte) {
    if (byte == ' ' || byte == '\n') {
        end_field(scanner);
        if (byte == '\n') {
            scanner->field = 0;
            scanner->on_dev = false;
        }
        return;
    }
    if (scanner->length + 1 < sizeof scanner->text) {
        scanner->text[scanner->length] = byte;
        scanner->text[scanner->length + 1] = 0;
    } else {
        scanner->text[0] = 0; /* longer than anything that is looked for */
    }
    scanner->length++;
}

static bool scan(int file, struct scanner *scanner) {
    char bytes[1024];
    for (;;) {
        const ssize_t count = read(file, bytes, sizeof bytes);
        if (count == 0)
            return true;
        if (count < 0 && errno != EINTR)
            return false;
        for (ssize_t i = 0; i < count; i++)
            take(scanner, bytes[i]);
    }
}

bool confinement_detect(bool *confined) {
    const int privileges = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
    if (privileges == -1)
        return false;
    *confined = privileges != 0;
    if (*confined)
        return true;
    struct scanner scanner = {0};
    const int file = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    if (file == -1)
        return false;
    bool good = scan(file, &scanner);
    if (close(file) != 0 && errno != EINTR)
        good = false;
    *confined = scanner.found && !scanner.is_devtmpfs;
    return good;
}
