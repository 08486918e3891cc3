// SPDX-License-Identifier: Apache-2.0
/*
 * A caller may have closed its descriptors 0, 1 and 2. Whatever is opened next would take their numbers, and what the
 * caller then prints would go into it. While the module works, the holes are filled.
 */
#ifndef SECONDLOOK_STANDARD_H
#define SECONDLOOK_STANDARD_H

#include <stdbool.h>

struct standard {
    bool filled[3];
};

/* Fills the holes with descriptors that can be neither read nor written, so that the caller meets the same EBADF. */
bool standard_fill(struct standard *standard);

/* Opens the holes again, unless the caller has put something of its own there meanwhile. */
bool standard_restore(struct standard *standard);

#endif
