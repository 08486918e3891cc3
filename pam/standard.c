// SPDX-License-Identifier: Apache-2.0
/* Fills holes at descriptors 0, 1 and 2: see standard.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "standard.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool standard_fill(struct standard *standard) {
    *standard = (struct standard){{false, false, false}};
    for (int number = 0; number <= 2; number++) {
        if (fcntl(number, F_GETFD) != -1)
            continue;
        if (errno != EBADF)
            return false;
        /* The lowest free number is given: this one, since those below are taken. */
        const int filler = open("/", O_PATH | O_CLOEXEC);
        if (filler == -1)
            return false;
        standard->filled[number] = filler == number;
        if (filler != number) {
            (void)close(filler);
            return false;
        }
    }
    return true;
}

bool standard_restore(struct standard *standard) {
    bool good = true;
    for (int number = 0; number <= 2; number++) {
        if (!standard->filled[number])
            continue;
        const int flags = fcntl(number, F_GETFL);
        if (flags == -1 || (flags & O_PATH) == 0) {
            good = flags != -1 && good;
            continue;
        }
        if (close(number) != 0 && errno != EINTR)
            good = false;
    }
    return good;
}
