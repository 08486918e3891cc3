// SPDX-License-Identifier: Apache-2.0
/*
 * Nothing of the caller's surroundings reaches the helper: a person who runs sudo chooses the limits, the signals, the
 * working directory, the environment and the open files of the process that calls this. Any step that fails ends the
 * process; the module then sees an end without a verdict.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    CHILD_FAILED = 127,         /* exit code; no verdict has it */
    FIRST_OTHER = 3,            /* descriptors from here on are closed */
    DESCRIPTORS_MOST = 1 << 20, /* the kernel's own bound unless an administrator raised it */
    MARK_CLOEXEC = 1 << 2,      /* CLOSE_RANGE_CLOEXEC; old headers lack it */
};

/* A session of its own: keys typed at the terminal cannot stop or interrupt it. */
static bool leave_terminal(void) {
    return setsid() != -1;
}

/* All identities are root's: with the real user of sudo's caller, that user could send signals. Raw calls, because the
   C library's would address the threads that were not forked. */
static bool become_root(void) {
    return syscall(SYS_setgroups, 0, NULL) == 0 && syscall(SYS_setresgid, 0, 0, 0) == 0 &&
           syscall(SYS_setresuid, 0, 0, 0) == 0;
}

/* Sets a limit, as near to `wanted` as this root may (in a container it often may not raise any). */
static bool reset_limit(int resource, rlim_t wanted) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0)
        return false;
    const rlim_t bound = limit.rlim_max;
    limit.rlim_cur = wanted;
    if (bound < wanted || wanted == 0)
        limit.rlim_max = wanted;
    if (setrlimit(resource, &limit) == 0)
        return true;
    if (errno != EPERM)
        return false;
    limit.rlim_cur = limit.rlim_max = bound;
    return setrlimit(resource, &limit) == 0;
}

/* Limits with which a caller could make the helper fail at an instant of its choice; and no picture of its memory. */
static bool reset_limits(void) {
    return reset_limit(RLIMIT_CORE, 0) && reset_limit(RLIMIT_NOFILE, 1024) && reset_limit(RLIMIT_STACK, 8 << 20) &&
           reset_limit(RLIMIT_CPU, RLIM_INFINITY) && reset_limit(RLIMIT_FSIZE, RLIM_INFINITY) &&
           reset_limit(RLIMIT_AS, RLIM_INFINITY) && reset_limit(RLIMIT_DATA, RLIM_INFINITY);
}

/* Every signal to its default; those that cannot be set (KILL, STOP, the C library's own) answer EINVAL. */
static bool reset_signals(void) {
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) {
        if (sigaction(number, &plain, NULL) != 0 && errno != EINVAL)
            return false;
    }
    return true;
}

static bool unblock_signals(void) {
    sigset_t none;
    return sigemptyset(&none) == 0 && sigprocmask(SIG_SETMASK, &none, NULL) == 0;
}

/* Descriptor 0 is the socket, 1 and 2 are /dev/null; `socket` is none of the three. */
static bool arrange_standard(int socket) {
    if (dup2(socket, STDIN_FILENO) == -1)
        return false;
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    return null != -1 && dup2(null, STDOUT_FILENO) != -1 && dup2(null, STDERR_FILENO) != -1;
}

/* Marks all other descriptors to be closed by exec, which needs the program's one until then. */
static bool close_others(void) {
    if (syscall(SYS_close_range, FIRST_OTHER, ~0U, MARK_CLOEXEC) == 0)
        return true;
    if (errno != ENOSYS && errno != EINVAL)
        return false;
    for (int number = FIRST_OTHER; number < DESCRIPTORS_MOST; number++) {
        if (fcntl(number, F_SETFD, FD_CLOEXEC) != 0 && errno != EBADF)
            return false;
    }
    return true;
}

_Noreturn void child_become(int program, int socket, char *const arguments[]) {
    char *const environment[] = {NULL};
    (void)umask(S_IRWXG | S_IRWXO);
    if (leave_terminal() && become_root() && reset_limits() && reset_signals() && arrange_standard(socket) &&
        close_others() && chdir("/") == 0 && unblock_signals())
        (void)syscall(SYS_execveat, program, "", arguments, environment, AT_EMPTY_PATH);
    _exit(CHILD_FAILED);
}
