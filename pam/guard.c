// SPDX-License-Identifier: Apache-2.0
/*
 * SIGCHLD is blocked as well as set to its default, because a blocked signal stays pending where a default one would be
 * thrown away. Only a process with other threads, or one that waits for any child in one, can still take the status;
 * then the attempt ends as a fault, never as a success.
 */
#include "guard.h"

#include <errno.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool guard_take(struct guard *guard) {
    sigset_t child, waiting;
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    if (guard->held)
        return true;
    if (sigemptyset(&child) != 0 || sigaddset(&child, SIGCHLD) != 0)
        return false;
    if (pthread_sigmask(SIG_BLOCK, &child, &guard->mask) != 0)
        return false;
    if (sigpending(&waiting) == 0 && sigaction(SIGCHLD, &plain, &guard->action) == 0) {
        guard->pending = sigismember(&waiting, SIGCHLD) == 1;
        guard->held = true;
        return true;
    }
    (void)pthread_sigmask(SIG_SETMASK, &guard->mask, NULL);
    return false;
}

/* Whether the caller would learn of a SIGCHLD: by a handler, or by having it blocked and waiting for it. */
static bool caller_listens(const struct guard *guard) {
    if (sigismember(&guard->mask, SIGCHLD) == 1)
        return true;
    if ((guard->action.sa_flags & SA_SIGINFO) != 0)
        return true;
    return guard->action.sa_handler != SIG_DFL && guard->action.sa_handler != SIG_IGN;
}

/* Whether a child has ended and waits to be reaped. Looks only. False when that cannot be told. */
static bool find_ended_child(bool *found) {
    siginfo_t info = {0};
    const int result = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT);
    *found = result == 0 && info.si_pid != 0;
    return result == 0 || errno == ECHILD;
}

/* Raises SIGCHLD anew if the caller has to learn of a child of its own. */
static bool tell_caller(const struct guard *guard) {
    bool ended;
    if (!caller_listens(guard))
        return true;
    if (!find_ended_child(&ended))
        return false;
    return (!guard->pending && !ended) || kill(getpid(), SIGCHLD) == 0;
}

bool guard_give_back(struct guard *guard) {
    sigset_t child;
    const struct timespec at_once = {0};
    if (!guard->held)
        return true;
    guard->held = false;
    bool good = sigemptyset(&child) == 0 && sigaddset(&child, SIGCHLD) == 0;
    /* Takes the helper's signal away; that none is pending is no fault. */
    if (good && sigtimedwait(&child, NULL, &at_once) == -1 && errno != EAGAIN && errno != EINTR)
        good = false;
    if (sigaction(SIGCHLD, &guard->action, NULL) != 0)
        good = false;
    if (!tell_caller(guard))
        good = false;
    if (pthread_sigmask(SIG_SETMASK, &guard->mask, NULL) != 0)
        good = false;
    return good;
}
