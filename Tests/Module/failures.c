// SPDX-License-Identifier: Apache-2.0
/*
 * Every call of the module that can fail, made to fail once: the linker's --wrap sends the module's calls (and nobody
 * else's) here. SECONDLOOK_FAIL=parent:N or child:N chooses the N-th call of the calling program or of the process
 * between fork and exec, and SECONDLOOK_FAIL_LOG a file to which the name of the failed call is written.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <security/pam_modules.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long calls;
static pid_t parent;

static bool fails(const char *name) {
    const char *wanted = getenv("SECONDLOOK_FAIL");
    const char *log = getenv("SECONDLOOK_FAIL_LOG");
    const int saved = errno;
    if (wanted == NULL)
        return false;
    if (parent == 0)
        parent = getpid();
    const bool in_child = getpid() != parent;
    if (in_child != (strncmp(wanted, "child:", 6) == 0))
        return false;
    if (++calls != atol(strchr(wanted, ':') + 1))
        return false;
    const int file = log != NULL ? open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
    if (file != -1) {
        (void)!write(file, name, strlen(name));
        (void)!write(file, "\n", 1);
        close(file);
    }
    errno = saved;
    return true;
}

/* WRAP(type, name, (parameters), (arguments), value when failing) */
#define WRAP(type, name, parameters, arguments, failure)                                                               \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters {                                                                                    \
        if (fails(#name)) {                                                                                            \
            errno = EIO;                                                                                               \
            return failure;                                                                                            \
        }                                                                                                              \
        return __real_##name arguments;                                                                                \
    }

WRAP(pid_t, _Fork, (void), (), -1)
WRAP(int, chdir, (const char *path), (path), -1)
WRAP(int, clock_gettime, (clockid_t clock, struct timespec *time), (clock, time), -1)
WRAP(int, connect, (int fd, const struct sockaddr *to, socklen_t size), (fd, to, size), -1)
WRAP(int, dup2, (int from, int to), (from, to), -1)
WRAP(int, fstat, (int fd, struct stat *status), (fd, status), -1)
WRAP(int, getrlimit, (int resource, struct rlimit *limit), (resource, limit), -1)
WRAP(int, getsockopt, (int fd, int level, int name, void *value, socklen_t *size), (fd, level, name, value, size), -1)
WRAP(int, kill, (pid_t pid, int number), (pid, number), -1)
WRAP(int, pam_get_authtok, (pam_handle_t * pamh, int item, const char **token, const char *prompt),
     (pamh, item, token, prompt), PAM_BUF_ERR)
WRAP(int, pam_get_item, (const pam_handle_t *pamh, int item, const void **value), (pamh, item, value), PAM_BUF_ERR)
WRAP(int, pam_get_user, (pam_handle_t * pamh, const char **user, const char *prompt), (pamh, user, prompt), PAM_BUF_ERR)
WRAP(int, pam_set_item, (pam_handle_t * pamh, int item, const void *value), (pamh, item, value), PAM_BUF_ERR)
WRAP(int, ppoll, (struct pollfd * watched, nfds_t count, const struct timespec *wait, const sigset_t *mask),
     (watched, count, wait, mask), -1)
WRAP(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old), EIO)
WRAP(ssize_t, read, (int fd, void *bytes, size_t count), (fd, bytes, count), -1)
WRAP(ssize_t, recv, (int fd, void *bytes, size_t count, int flags), (fd, bytes, count, flags), -1)
WRAP(ssize_t, send, (int fd, const void *bytes, size_t count, int flags), (fd, bytes, count, flags), -1)
WRAP(int, setrlimit, (int resource, const struct rlimit *limit), (resource, limit), -1)
WRAP(pid_t, setsid, (void), (), -1)
WRAP(int, sigaction, (int number, const struct sigaction *action, struct sigaction *old), (number, action, old), -1)
WRAP(int, sigaddset, (sigset_t * set, int number), (set, number), -1)
WRAP(int, sigemptyset, (sigset_t * set), (set), -1)
WRAP(int, sigfillset, (sigset_t * set), (set), -1)
WRAP(int, sigpending, (sigset_t * set), (set), -1)
WRAP(int, sigprocmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old), -1)
WRAP(int, sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *time), (set, info, time), -1)
WRAP(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1)
WRAP(int, socketpair, (int domain, int type, int protocol, int pair[2]), (domain, type, protocol, pair), -1)
WRAP(int, waitid, (idtype_t kind, id_t id, siginfo_t *info, int options), (kind, id, info, options), -1)
WRAP(pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options), -1)

/* A close that fails has closed all the same, as the kernel's does. */
int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd) {
    const int result = __real_close(fd);
    if (!fails("close"))
        return result;
    errno = EIO;
    return -1;
}

/* Those with a variable number of arguments get as many as any use of theirs in the module has. */
#define ARGUMENT(type) va_arg(list, type)

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
    errno = EIO;
    return fails("open") ? -1 : __real_open(path, flags, 0);
}

int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...) {
    va_list list;
    va_start(list, command);
    const long value = ARGUMENT(long);
    va_end(list);
    errno = EIO;
    return fails("fcntl") ? -1 : __real_fcntl(fd, command, value);
}

int __real_prctl(int option, ...);
int __wrap_prctl(int option, ...);
int __wrap_prctl(int option, ...) {
    errno = EIO;
    return fails("prctl") ? -1 : __real_prctl(option, 0L, 0L, 0L, 0L);
}

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    const long a = ARGUMENT(long), b = ARGUMENT(long), c = ARGUMENT(long), d = ARGUMENT(long), e = ARGUMENT(long);
    va_end(list);
    errno = EIO;
    return fails("syscall") ? -1 : __real_syscall(number, a, b, c, d, e);
}

/* The module's questions fail; its notices are no question, and a caller that cannot show one is no reason to refuse.
 */
int __real_pam_prompt(pam_handle_t *pamh, int style, char **answer, const char *format, ...);
int __wrap_pam_prompt(pam_handle_t *pamh, int style, char **answer, const char *format, ...);
int __wrap_pam_prompt(pam_handle_t *pamh, int style, char **answer, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const char *text = ARGUMENT(const char *);
    va_end(list);
    if (style != PAM_TEXT_INFO && style != PAM_ERROR_MSG && fails("pam_prompt"))
        return PAM_BUF_ERR;
    return __real_pam_prompt(pamh, style, answer, format, text);
}
