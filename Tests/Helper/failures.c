// SPDX-License-Identifier: Apache-2.0
/*
 * Preloaded into the real helper: the N-th call of those below fails once, as SECONDLOOK_FAIL=N says; its name goes to
 * the file SECONDLOOK_FAIL_LOG. Calls whose failure changes nothing that matters (close, mlock, the log) are not here.
 */
#define _GNU_SOURCE
#include <crypt.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <shadow.h>
#include <signal.h>
#include <stdarg.h>
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

/* Whether this is the call; it and its path are logged by system calls, which nobody intercepts. */
static int fails(const char *name) {
    const char *wanted = getenv("SECONDLOOK_FAIL");
    if (wanted == NULL || ++calls != atol(wanted))
        return 0;
    const char *log = getenv("SECONDLOOK_FAIL_LOG");
    long file = log != NULL ? syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
    if (file >= 0) {
        syscall(SYS_write, file, name, strlen(name));
        syscall(SYS_close, file);
    }
    errno = EIO;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define WRAP(type, name, parameters, arguments, failure)                                                               \
    type name parameters {                                                                                             \
        return fails(#name) ? (failure) : REAL(name) arguments;                                                        \
    }

WRAP(int, fstat, (int fd, struct stat *status), (fd, status), -1)
WRAP(int, fstat64, (int fd, struct stat64 *status), (fd, status), -1)
WRAP(int, stat, (const char *path, struct stat *status), (path, status), -1)
WRAP(int, stat64, (const char *path, struct stat64 *status), (path, status), -1)
WRAP(int, fstatat, (int at, const char *path, struct stat *status, int flags), (at, path, status, flags), -1)
WRAP(ssize_t, read, (int fd, void *bytes, size_t count), (fd, bytes, count), -1)
WRAP(ssize_t, pread, (int fd, void *bytes, size_t count, off_t at), (fd, bytes, count, at), -1)
WRAP(ssize_t, pread64, (int fd, void *bytes, size_t count, off64_t at), (fd, bytes, count, at), -1)
WRAP(ssize_t, write, (int fd, const void *bytes, size_t count), (fd, bytes, count), -1)
WRAP(ssize_t, pwrite, (int fd, const void *bytes, size_t count, off_t at), (fd, bytes, count, at), -1)
WRAP(ssize_t, pwrite64, (int fd, const void *bytes, size_t count, off64_t at), (fd, bytes, count, at), -1)
WRAP(int, fsync, (int fd), (fd), -1)
WRAP(int, fdatasync, (int fd), (fd), -1)
WRAP(int, ftruncate, (int fd, off_t length), (fd, length), -1)
WRAP(int, ftruncate64, (int fd, off64_t length), (fd, length), -1)
WRAP(int, unlink, (const char *path), (path), -1)
WRAP(int, fchmod, (int fd, mode_t mode), (fd, mode), -1)
WRAP(int, chdir, (const char *path), (path), -1)
WRAP(ssize_t, readlink, (const char *path, char *text, size_t room), (path, text, room), -1)
WRAP(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags), -1)
WRAP(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags), -1)
WRAP(int, poll, (struct pollfd * watched, nfds_t count, int wait), (watched, count, wait), -1)
WRAP(int, socketpair, (int domain, int type, int protocol, int pair[2]), (domain, type, protocol, pair), -1)
WRAP(int, getsockopt, (int fd, int level, int name, void *value, socklen_t *size), (fd, level, name, value, size), -1)
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
    return fails("prctl") ? -1 : ((int (*)(int, ...))dlsym(RTLD_NEXT, "prctl"))(option, a, b, c, d);
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                       \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        int mode = va_arg(list, int);                                                                                  \
        va_end(list);                                                                                                  \
        return fails(#name) ? -1 : ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name))(path, flags, mode);      \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                                                   \
    int name(int at, const char *path, int flags, ...) {                                                               \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        int mode = va_arg(list, int);                                                                                  \
        va_end(list);                                                                                                  \
        return fails(#name) ? -1                                                                                       \
                            : ((int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, #name))(at, path, flags, mode);  \
    }
OPENAT(openat)
OPENAT(openat64)

#define FCNTL(name)                                                                                                    \
    int name(int fd, int command, ...) {                                                                               \
        va_list list;                                                                                                  \
        va_start(list, command);                                                                                       \
        void *argument = va_arg(list, void *);                                                                         \
        va_end(list);                                                                                                  \
        return fails(#name) ? -1 : ((int (*)(int, int, ...))dlsym(RTLD_NEXT, #name))(fd, command, argument);           \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

int clone(int (*run)(void *), void *stack, int flags, void *argument, ...) {
    va_list list;
    va_start(list, argument);
    void *first = va_arg(list, void *);
    va_end(list);
    if (fails("clone"))
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
