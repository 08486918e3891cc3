// SPDX-License-Identifier: Apache-2.0
// Clocks, randomness, users, the system log and memory for secrets.
#define _GNU_SOURCE
#include "clinux_system.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

static int64_t milliseconds_of(clockid_t clock) {
    struct timespec now = {0, 0};
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

uint64_t clinux_monotonic_milliseconds(void) {
    return (uint64_t)milliseconds_of(CLOCK_MONOTONIC);
}
uint64_t clinux_boot_milliseconds(void) {
    return (uint64_t)milliseconds_of(CLOCK_BOOTTIME);
}
int64_t clinux_wall_milliseconds(void) {
    return milliseconds_of(CLOCK_REALTIME);
}
uint64_t clinux_processor_milliseconds(void) {
    return (uint64_t)milliseconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

int clinux_fill_random(void *bytes, size_t count) {
    char *next = bytes;
    while (count > 0) {
        ssize_t got = getrandom(next, count, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? -errno : -EIO;
        next += got;
        count -= (size_t)got;
    }
    return 0;
}

void *clinux_allocate_secret(size_t count) {
    void *bytes = mmap(NULL, count > 0 ? count : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED)
        return NULL;
    // Both are improvements, not conditions: RLIMIT_MEMLOCK may be nothing.
    (void)mlock(bytes, count);
    (void)madvise(bytes, count, MADV_DONTDUMP);
    return bytes;
}

void clinux_free_secret(void *bytes, size_t count) {
    explicit_bzero(bytes, count);
    munmap(bytes, count > 0 ? count : 1);
}

void clinux_wipe(void *bytes, size_t count) {
    explicit_bzero(bytes, count);
}

static int give_user(int error, const struct passwd *found, struct clinux_user *user) {
    if (found == NULL)
        return error == 0 || error == ENOENT || error == ESRCH ? 0 : -error;
    *user =
        (struct clinux_user){.uid = found->pw_uid, .gid = found->pw_gid, .name = found->pw_name, .home = found->pw_dir};
    return 1;
}

int clinux_find_user(const char *name, char *room, size_t size, struct clinux_user *user) {
    struct passwd entry;
    struct passwd *found = NULL;
    int error;
    do
        error = getpwnam_r(name, &entry, room, size, &found);
    while (error == EINTR);
    return give_user(error, found, user);
}

int clinux_find_user_by_id(uint32_t uid, char *room, size_t size, struct clinux_user *user) {
    struct passwd entry;
    struct passwd *found = NULL;
    int error;
    do
        error = getpwuid_r(uid, &entry, room, size, &found);
    while (error == EINTR);
    return give_user(error, found, user);
}

int clinux_own_process(void) {
    return getpid();
}

void clinux_log(int severity, const char *line) {
    openlog("secondlook", LOG_PID, LOG_AUTHPRIV);
    syslog(LOG_AUTHPRIV | (severity & LOG_PRIMASK), "%s", line);
    closelog();
}

void clinux_describe_error(int number, char *room, size_t size) {
    if (size == 0)
        return;
    const char *text = strerror_r(number, room, size);
    if (text != room)
        snprintf(room, size, "%s", text);
}

const char *clinux_find_variable(const char *name) {
    return getenv(name);
}

int clinux_is_terminal(int fd) {
    return isatty(fd) == 1;
}

void clinux_describe_processor(char *room, size_t size) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    const struct {
        const char *name;
        int has;
    } features[] = {
        {"avx", __builtin_cpu_supports("avx") != 0},           {"avx2", __builtin_cpu_supports("avx2") != 0},
        {"fma", __builtin_cpu_supports("fma") != 0},           {"avx512f", __builtin_cpu_supports("avx512f") != 0},
        {"avx512bw", __builtin_cpu_supports("avx512bw") != 0}, {"avx512vl", __builtin_cpu_supports("avx512vl") != 0},
        {"avx512dq", __builtin_cpu_supports("avx512dq") != 0},
    };
    size_t used = (size_t)snprintf(room, size, "x86-64");
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        if (features[i].has && used < size)
            used += (size_t)snprintf(room + used, size - used, " %s", features[i].name);
#else
    struct utsname machine;
    const char *name = uname(&machine) == 0 ? machine.machine : "unknown";
    snprintf(room, size, "%s %lx %lx", name, getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
#endif
}
