// SPDX-License-Identifier: Apache-2.0
/*
 * Preloaded into the real helper: the N-th call of those below fails once, as SECONDLOOK_FAIL=N says; its name goes to
 * the file SECONDLOOK_FAIL_LOG. Calls whose failure changes nothing that matters (close, mlock, the log) are not here.
 */
#define _GNU_SOURCE
/* The C library's header says that poll writes only. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <crypt.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <shadow.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static long calls;

/* A line of the log: who called (the object's file), what, and on what. */
static void note(const char *name, const void *from, const char *target) {
    const char *path = getenv("SECONDLOOK_FAIL_LOG");
    if (path == NULL)
        return;
    Dl_info object;
    const char *caller = dladdr(from, &object) != 0 && object.dli_fname != NULL ? object.dli_fname : "?";
    const char *slash = strrchr(caller, '/');
    char line[1024];
    int length = snprintf(line, sizeof line, "%s\t%s\t%s", slash != NULL ? slash + 1 : caller, name, target);
    long file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0)
        return;
    syscall(SYS_write, file, line, length < (int)sizeof line ? (size_t)length : sizeof line - 1);
    syscall(SYS_close, file);
}

/* Whether this is the call; it is logged by system calls, which nobody intercepts. A descriptor is named by its file.
 */
static int fails_on(const char *name, const void *from, const char *path, int fd) {
    const char *wanted = getenv("SECONDLOOK_FAIL");
    if (wanted == NULL || ++calls != atol(wanted))
        return 0;
    char number[32], target[512] = "";
    if (path != NULL)
        snprintf(target, sizeof target, "%s", path);
    else if (fd >= 0) {
        snprintf(number, sizeof number, "/proc/self/fd/%d", fd);
        long length = syscall(SYS_readlink, number, target, sizeof target - 1);
        target[length > 0 ? length : 0] = 0;
    }
    note(name, from, target);
    errno = EIO;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAILS(name, path, fd) fails_on(name, __builtin_return_address(0), path, fd)

/* Calls on a path, on a descriptor, and on neither. */
#define WRAP_AS(type, name, parameters, arguments, failure, path, fd)                                                  \
    type name parameters {                                                                                             \
        return FAILS(#name, path, fd) ? (failure) : REAL(name) arguments;                                              \
    }
#define WRAP_PATH(type, name, parameters, arguments, failure)                                                          \
    WRAP_AS(type, name, parameters, arguments, failure, path, -1)
#define WRAP_POLL(type, name, parameters, arguments, failure)                                                          \
    WRAP_AS(type, name, parameters, arguments, failure, NULL, watched->fd)
#define WRAP_FD(type, name, parameters, arguments, failure)                                                            \
    WRAP_AS(type, name, parameters, arguments, failure, NULL, fd)
#define WRAP(type, name, parameters, arguments, failure) WRAP_AS(type, name, parameters, arguments, failure, NULL, -1)

WRAP_FD(int, fstat, (int fd, struct stat *status), (fd, status), -1)
WRAP_FD(int, fstat64, (int fd, struct stat64 *status), (fd, status), -1)
WRAP_PATH(int, stat, (const char *path, struct stat *status), (path, status), -1)
WRAP_PATH(int, stat64, (const char *path, struct stat64 *status), (path, status), -1)
WRAP_PATH(int, fstatat, (int at, const char *path, struct stat *status, int flags), (at, path, status, flags), -1)
WRAP_FD(ssize_t, read, (int fd, void *bytes, size_t count), (fd, bytes, count), -1)
WRAP_FD(ssize_t, pread, (int fd, void *bytes, size_t count, off_t at), (fd, bytes, count, at), -1)
WRAP_FD(ssize_t, pread64, (int fd, void *bytes, size_t count, off64_t at), (fd, bytes, count, at), -1)
WRAP_FD(ssize_t, write, (int fd, const void *bytes, size_t count), (fd, bytes, count), -1)
WRAP_FD(ssize_t, pwrite, (int fd, const void *bytes, size_t count, off_t at), (fd, bytes, count, at), -1)
WRAP_FD(ssize_t, pwrite64, (int fd, const void *bytes, size_t count, off64_t at), (fd, bytes, count, at), -1)
WRAP_FD(int, fsync, (int fd), (fd), -1)
WRAP_FD(int, fdatasync, (int fd), (fd), -1)
WRAP_FD(int, ftruncate, (int fd, off_t length), (fd, length), -1)
WRAP_FD(int, ftruncate64, (int fd, off64_t length), (fd, length), -1)
WRAP_PATH(int, unlink, (const char *path), (path), -1)
WRAP_FD(int, fchmod, (int fd, mode_t mode), (fd, mode), -1)
WRAP_PATH(int, chdir, (const char *path), (path), -1)
WRAP_PATH(ssize_t, readlink, (const char *path, char *text, size_t room), (path, text, room), -1)
WRAP_FD(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags), -1)
WRAP_FD(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags), -1)
WRAP_POLL(int, poll, (struct pollfd * watched, nfds_t count, int wait), (watched, count, wait), -1)
WRAP(int, socketpair, (int domain, int type, int protocol, int pair[2]), (domain, type, protocol, pair), -1)
WRAP_FD(int, getsockopt, (int fd, int level, int name, void *value, socklen_t *size), (fd, level, name, value, size),
        -1)
WRAP(ssize_t, getrandom, (void *bytes, size_t count, unsigned flags), (bytes, count, flags), -1)
WRAP(int, setrlimit, (__rlimit_resource_t resource, const struct rlimit *limit), (resource, limit), -1)
WRAP(int, sigaction, (int number, const struct sigaction *to, struct sigaction *from), (number, to, from), -1)
WRAP(int, sigprocmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old), -1)
WRAP(int, getspnam_r, (const char *name, struct spwd *entry, char *room, size_t size, struct spwd **found),
     (name, entry, room, size, found), (*found = NULL, EIO))
WRAP(int, getpwnam_r, (const char *name, struct passwd *entry, char *room, size_t size, struct passwd **found),
     (name, entry, room, size, found), (*found = NULL, EIO))
WRAP(char *, crypt_r, (const char *phrase, const char *setting, struct crypt_data *data), (phrase, setting, data), NULL)

int prctl(int option, ...) {
    va_list list;
    va_start(list, option);
    unsigned long a = va_arg(list, unsigned long), b = va_arg(list, unsigned long), c = va_arg(list, unsigned long),
                  d = va_arg(list, unsigned long);
    va_end(list);
    return FAILS("prctl", NULL, -1) ? -1 : ((int (*)(int, ...))dlsym(RTLD_NEXT, "prctl"))(option, a, b, c, d);
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                       \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        int mode = va_arg(list, int);                                                                                  \
        va_end(list);                                                                                                  \
        return FAILS(#name, path, -1) ? -1                                                                             \
                                      : ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name))(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                                                   \
    int name(int at, const char *path, int flags, ...) {                                                               \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        int mode = va_arg(list, int);                                                                                  \
        va_end(list);                                                                                                  \
        return FAILS(#name, path, -1)                                                                                  \
                   ? -1                                                                                                \
                   : ((int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, #name))(at, path, flags, mode);           \
    }
OPENAT(openat)
OPENAT(openat64)

/* Taking and releasing a lock of a file are two things. */
static const char *lock_name(const char *name, int command, const void *argument) {
    if (command != F_SETLK)
        return name;
    return ((const struct flock *)argument)->l_type == F_UNLCK ? "unlock" : "lock";
}

#define FCNTL(name)                                                                                                    \
    int name(int fd, int command, ...) {                                                                               \
        va_list list;                                                                                                  \
        va_start(list, command);                                                                                       \
        void *argument = va_arg(list, void *);                                                                         \
        va_end(list);                                                                                                  \
        return FAILS(lock_name(#name, command, argument), NULL, fd)                                                    \
                   ? -1                                                                                                \
                   : ((int (*)(int, int, ...))dlsym(RTLD_NEXT, #name))(fd, command, argument);                         \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

int clone(int (*run)(void *), void *stack, int flags, void *argument, ...) {
    va_list list;
    va_start(list, argument);
    void *first = va_arg(list, void *);
    va_end(list);
    if (FAILS("clone", NULL, -1))
        return -1;
    return ((int (*)(int (*)(void *), void *, int, void *, ...))dlsym(RTLD_NEXT, "clone"))(run, stack, flags, argument,
                                                                                           first);
}

long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long),
         e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    static long (*real)(long, ...);
    if (real == NULL)
        real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(number, a, b, c, d, e, f);
}
