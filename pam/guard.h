// SPDX-License-Identifier: Apache-2.0
/*
 * Keeps the calling program from taking the helper's exit status: its SIGCHLD may be ignored (then children vanish
 * without one) or handled by a function that reaps whatever it finds.
 */
#ifndef SECONDLOOK_GUARD_H
#define SECONDLOOK_GUARD_H

#include <signal.h>
#include <stdbool.h>

/* What was changed and has to be put back. */
struct guard {
    bool held;
    bool pending;            /* a SIGCHLD was waiting before */
    struct sigaction action; /* the caller's */
    sigset_t mask;           /* the caller's, of this thread */
};

/* Blocks SIGCHLD in this thread and sets its default disposition. False, with nothing changed, when that fails. */
bool guard_take(struct guard *guard);

/*
 * Puts both back. A SIGCHLD that the caller would have had for a child of its own is raised again; the one for the
 * helper is not. False when the caller's state could not be restored. Does nothing when nothing is held.
 */
bool guard_give_back(struct guard *guard);

#endif
