// SPDX-License-Identifier: Apache-2.0
/*
 * What the new process does between fork and exec. The caller may have threads, so only calls that are safe in a signal
 * handler are made: no allocation, no locks, no stdio, no libpam.
 */
#ifndef SECONDLOOK_CHILD_H
#define SECONDLOOK_CHILD_H

/* All signals are blocked when it is called. Becomes the program at the descriptor `program`, or exits with 127. */
_Noreturn void child_become(int program, int socket, char *const arguments[]);

#endif
