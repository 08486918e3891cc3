// SPDX-License-Identifier: Apache-2.0
/*
 * Start and end of a helper: see helper.h. The process is held by a descriptor (pidfd), so that no number that was
 * given to another process meanwhile is ever signalled or waited for. What is said in between is in exchange.c.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "helper.h"

#include "child.h"
#include "deadline.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    REAP_MS = 80,  /* to be reaped after it was killed */
    RETRY_MS = 10, /* between attempts to connect to a service whose queue is full */
};

static enum helper_status failed(struct helper *helper, enum helper_status status) {
    helper->error = errno;
    return status;
}

/* Closes a descriptor once; false when the kernel reports an error (never of use, but nothing is to go unnoticed). */
static bool close_once(int *descriptor) {
    const int number = *descriptor;
    *descriptor = -1;
    return number == -1 || close(number) == 0 || errno == EINTR;
}

static bool reset(struct helper *helper, uint32_t deadline) {
    *helper = (struct helper){.socket = -1, .process = -1};
    int64_t now;
    if (!deadline_now(&now))
        return false;
    helper->deadline = now + (int64_t)deadline * DEADLINE_NS_PER_MS;
    return true;
}

/* Opens the program without reading it; what is opened here is what is executed. */
static enum helper_status open_program(struct helper *helper, const char *path, int *program) {
    struct stat status;
    *program = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (*program == -1)
        return failed(helper, HELPER_UNTRUSTED);
    if (fstat(*program, &status) != 0)
        return failed(helper, HELPER_SYSTEM);
    const bool trusted = S_ISREG(status.st_mode) && status.st_uid == 0 && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
                         (status.st_mode & S_IXUSR) != 0;
    errno = EPERM;
    return trusted ? HELPER_OK : failed(helper, HELPER_UNTRUSTED);
}

/* Forks without the handlers that the caller's libraries registered for it, and with every signal blocked meanwhile: no
   handler of the caller runs in the child. */
static enum helper_status fork_child(struct helper *helper, int program, int remote, char *const arguments[]) {
    sigset_t all, before;
    if (sigfillset(&all) != 0 || pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return failed(helper, HELPER_SYSTEM);
    const pid_t child = _Fork();
    if (child == 0)
        child_become(program, remote, arguments);
    enum helper_status status = HELPER_OK;
    if (child == -1)
        status = failed(helper, HELPER_SYSTEM);
    if (status == HELPER_OK) {
        helper->process = (int)syscall(SYS_pidfd_open, child, 0);
        if (helper->process == -1) {
            status = failed(helper, HELPER_SYSTEM);
            /* The child's status cannot have been taken yet: it is ended and reaped by its number. */
            (void)kill(child, SIGKILL);
            while (waitpid(child, NULL, 0) == -1 && errno == EINTR)
                continue;
        }
    }
    if (pthread_sigmask(SIG_SETMASK, &before, NULL) != 0)
        status = failed(helper, HELPER_SYSTEM);
    return status;
}

enum helper_status helper_start(struct helper *helper, const char *path, const char *conf, uint32_t deadline) {
    char name[] = "secondlook-helper", option[] = "--conf";
    char *const arguments[] = {name, conf != NULL ? option : NULL, (char *)conf, NULL};
    int program = -1, pair[2] = {-1, -1};
    if (!reset(helper, deadline))
        return failed(helper, HELPER_SYSTEM);
    enum helper_status status = open_program(helper, path, &program);
    if (status == HELPER_OK && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        status = failed(helper, HELPER_SYSTEM);
    if (status == HELPER_OK && !guard_take(&helper->signals))
        status = failed(helper, HELPER_SYSTEM);
    if (status == HELPER_OK)
        status = fork_child(helper, program, pair[1], arguments);
    helper->socket = pair[0];
    if (!close_once(&pair[1]) || !close_once(&program))
        status = failed(helper, HELPER_SYSTEM);
    return status;
}

/* Connects without blocking: a full queue is waited for, but not beyond the deadline. */
static enum helper_status connect_until(struct helper *helper, const struct sockaddr_un *address) {
    while (connect(helper->socket, (const struct sockaddr *)address, sizeof *address) != 0) {
        if (errno == ENOENT || errno == ECONNREFUSED)
            return failed(helper, HELPER_ABSENT);
        if (errno != EAGAIN && errno != EINTR)
            return failed(helper, HELPER_SYSTEM);
        const enum deadline_result wait = deadline_sleep(helper->deadline, RETRY_MS);
        if (wait != DEADLINE_READY)
            return failed(helper, wait == DEADLINE_PASSED ? HELPER_LATE : HELPER_SYSTEM);
    }
    return HELPER_OK;
}

enum helper_status helper_connect(struct helper *helper, const char *path, uint32_t deadline) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct ucred peer = {.uid = (uid_t)-1};
    socklen_t size = sizeof peer;
    if (!reset(helper, deadline))
        return failed(helper, HELPER_SYSTEM);
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return failed(helper, HELPER_SYSTEM);
    }
    memcpy(address.sun_path, path, strlen(path) + 1);
    helper->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (helper->socket == -1)
        return failed(helper, HELPER_SYSTEM);
    const enum helper_status status = connect_until(helper, &address);
    if (status != HELPER_OK)
        return status;
    if (getsockopt(helper->socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return failed(helper, HELPER_SYSTEM);
    errno = EPERM;
    return size == sizeof peer && peer.uid == 0 ? HELPER_OK : failed(helper, HELPER_UNTRUSTED);
}

enum helper_status helper_pause(struct helper *helper, bool asking) {
    int64_t now;
    if (!deadline_now(&now))
        return failed(helper, HELPER_SYSTEM);
    helper->deadline -= now;
    if (asking && !guard_give_back(&helper->signals))
        return failed(helper, HELPER_SYSTEM);
    return HELPER_OK;
}

enum helper_status helper_resume(struct helper *helper) {
    int64_t now;
    if (!deadline_now(&now))
        return failed(helper, HELPER_SYSTEM);
    helper->deadline += now;
    if (helper->process != -1 && !guard_take(&helper->signals))
        return failed(helper, HELPER_SYSTEM);
    return HELPER_OK;
}

/* Waits up to `ms` for the process to end and takes its status. */
static bool reap_within(struct helper *helper, int ms) {
    int64_t now;
    siginfo_t info = {0};
    if (!deadline_now(&now))
        return false;
    if (deadline_poll(helper->process, now + ms * DEADLINE_NS_PER_MS) != DEADLINE_READY)
        return false;
    if (waitid((idtype_t)P_PIDFD, (id_t)helper->process, &info, WEXITED | WNOHANG) == 0 && info.si_pid != 0) {
        helper->exit_code = info.si_code;
        helper->exit_status = info.si_status;
    }
    return true; /* over, or taken by somebody else */
}

enum helper_status helper_end(struct helper *helper, int grace) {
    bool good = close_once(&helper->socket);
    if (helper->process != -1 && helper->exit_code == 0) {
        /* The status is to be ours even if the conversation was left in the middle of a question. */
        good = guard_take(&helper->signals) && good;
        if (!reap_within(helper, grace)) {
            good = syscall(SYS_pidfd_send_signal, helper->process, SIGKILL, NULL, 0) == 0 && good;
            good = reap_within(helper, REAP_MS) && good;
        }
    }
    good = close_once(&helper->process) && good;
    good = guard_give_back(&helper->signals) && good;
    return good ? HELPER_OK : failed(helper, HELPER_SYSTEM);
}

const char *helper_describe(enum helper_status status) {
    switch (status) {
    case HELPER_OK:
        return "no fault";
    case HELPER_ABSENT:
        return "the service is not there";
    case HELPER_UNTRUSTED:
        return "not a program or service that only root can change";
    case HELPER_SYSTEM:
        return "a system call failed";
    case HELPER_LATE:
        return "no verdict before the deadline";
    case HELPER_CLOSED:
        return "it ended without a verdict";
    case HELPER_GARBLED:
        return "it sent bytes that are no message";
    case HELPER_DISAGREES:
        return "its verdict and its exit code differ";
    case HELPER_LOST:
        return "another part of the program took its exit status";
    }
    return "unknown fault";
}
