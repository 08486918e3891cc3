// SPDX-License-Identifier: Apache-2.0
// See clinux_sandbox.h. Landlock, no_new_privs and capabilities belong to a thread, not to a process, and the kernels
// of today have no call that reaches the others. A real-time signal makes each thread confine itself, as the C library
// does for setuid.
#define _GNU_SOURCE
#include "clinux_sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The numbers are those of every architecture since Linux 5.13; old headers lack the later rights.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self 446
#endif

// Rights that exist since each Landlock version; asking for one the kernel does not know is an error.
static const struct {
    int version;
    uint64_t file_system, network, scoped;
    size_t size;
} landlock_rights[] = {
    {1, (1ull << 13) - 1, 0, 0, 8},  // execute to make_sym
    {2, (1ull << 14) - 1, 0, 0, 8},  // refer
    {3, (1ull << 15) - 1, 0, 0, 8},  // truncate
    {4, (1ull << 15) - 1, 3, 0, 16}, // bind and connect
    {5, (1ull << 16) - 1, 3, 0, 16}, // ioctl of devices opened later
    {6, (1ull << 16) - 1, 3, 3, 24}, // abstract sockets and signals
};

struct landlock_attributes {
    uint64_t file_system, network, scoped;
};

int clinux_landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1u);
    return version < 0 ? -errno : (int)version;
}

static int deny_all_ruleset(void) {
    int version = clinux_landlock_version();
    if (version < 0)
        return version;
    size_t row = 0;
    for (size_t i = 0; i < sizeof landlock_rights / sizeof *landlock_rights; i++)
        if (landlock_rights[i].version <= version)
            row = i;
    struct landlock_attributes attributes = {landlock_rights[row].file_system, landlock_rights[row].network,
                                             landlock_rights[row].scoped};
    long ruleset = syscall(SYS_landlock_create_ruleset, &attributes, landlock_rights[row].size, 0u);
    return ruleset < 0 ? -errno : (int)ruleset;
}

// What the signal handler works on: it runs once on each thread other than the caller's.
enum { MOST_THREADS = 512 };
static int shared_ruleset = -1;
static struct {
    atomic_int thread;
    atomic_bool is_confined;
} asked[MOST_THREADS];
static atomic_int asked_count;
static atomic_int first_failure;

static int confine_this_thread(int ruleset) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -errno;
    if (ruleset >= 0 && syscall(SYS_landlock_restrict_self, ruleset, 0u) != 0)
        return -errno;
    return 0;
}

static void confine_on_signal(int signal) {
    (void)signal;
    int saved = errno;
    int result = confine_this_thread(shared_ruleset);
    if (result != 0)
        atomic_store(&first_failure, result);
    int self = (int)syscall(SYS_gettid);
    for (int i = 0; i < atomic_load(&asked_count); i++)
        if (atomic_load(&asked[i].thread) == self)
            atomic_store(&asked[i].is_confined, true);
    errno = saved;
}

// A thread that was joined is listed until the kernel has put it away, takes the signal and runs nothing any more.
static bool has_ended(int thread) {
    return syscall(SYS_tgkill, getpid(), thread, 0) != 0 && errno == ESRCH;
}

static int wait_for_threads(void) {
    const struct timespec pause = {0, 1000000};
    int settled = 0;
    for (int i = 0; i < 2000; i++) {
        while (settled < atomic_load(&asked_count) &&
               (atomic_load(&asked[settled].is_confined) || has_ended(atomic_load(&asked[settled].thread))))
            settled++;
        if (settled == atomic_load(&asked_count))
            return atomic_load(&first_failure);
        nanosleep(&pause, NULL);
    }
    return -ETIMEDOUT;
}

static int signal_other_threads(int signal) {
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL)
        return -errno;
    int result = 0;
    pid_t self = (pid_t)syscall(SYS_gettid);
    for (struct dirent *entry = readdir(tasks); entry != NULL && result == 0; entry = readdir(tasks)) {
        pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
        if (thread <= 0 || thread == self)
            continue;
        int place = atomic_load(&asked_count);
        if (place == MOST_THREADS) {
            result = -EAGAIN;
            break;
        }
        // Noted before it is asked, so that its handler finds itself.
        atomic_store(&asked[place].thread, thread);
        atomic_store(&asked[place].is_confined, false);
        atomic_store(&asked_count, place + 1);
        if (syscall(SYS_tgkill, getpid(), thread, signal) != 0 && errno != ESRCH)
            result = -errno;
    }
    closedir(tasks);
    int waited = wait_for_threads();
    return result != 0 ? result : waited;
}

int clinux_confine_threads(bool landlock) {
    int ruleset = -1;
    if (landlock && (ruleset = deny_all_ruleset()) < 0)
        return ruleset;
    int signal = SIGRTMAX - 1;
    struct sigaction action = {.sa_handler = confine_on_signal, .sa_flags = SA_RESTART}, before;
    sigfillset(&action.sa_mask);
    shared_ruleset = ruleset;
    atomic_store(&asked_count, 0);
    atomic_store(&first_failure, 0);
    int result = sigaction(signal, &action, &before) == 0 ? 0 : -errno;
    if (result == 0) {
        result = signal_other_threads(signal);
        sigaction(signal, &before, NULL);
    }
    // The caller's own thread comes last, since it has to read /proc until then.
    if (result == 0)
        result = confine_this_thread(ruleset);
    if (ruleset >= 0)
        close(ruleset);
    shared_ruleset = -1;
    return result;
}

static int drop_bounding_set(void) {
    for (unsigned long capability = 0; capability < 64; capability++) {
        int present = prctl(PR_CAPBSET_READ, capability, 0, 0, 0);
        if (present < 0)
            break; // beyond the kernel's last
        if (present == 1 && prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0)
            return -errno;
    }
    return 0;
}

static int clear_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0}, {0}};
    if (syscall(SYS_capset, &header, none) != 0)
        return -errno;
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 && errno != EINVAL)
        return -errno;
    return 0;
}

bool clinux_has_no_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2];
    if (syscall(SYS_capget, &header, sets) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        if (sets[i].effective != 0 || sets[i].permitted != 0 || sets[i].inheritable != 0)
            return false;
    return true;
}

int clinux_become(uid_t user, gid_t group) {
    if (user == 0 || group == 0)
        return -EINVAL;
    int result = drop_bounding_set();
    if (result != 0)
        return result;
    // The kernel forgets the signal that comes with the parent's death when the user changes.
    int parting_signal = 0;
    if (prctl(PR_GET_PDEATHSIG, &parting_signal, 0, 0, 0) != 0)
        return -errno;
    // The C library reaches every thread with these three; leaving user 0 empties each thread's capability sets.
    if (setgroups(0, NULL) != 0 || setresgid(group, group, group) != 0 || setresuid(user, user, user) != 0)
        return -errno;
    if ((result = clear_capabilities()) != 0)
        return result;
    if (parting_signal != 0 && prctl(PR_SET_PDEATHSIG, parting_signal, 0, 0, 0) != 0)
        return -errno;
    uid_t real, effective, saved;
    gid_t real_group, effective_group, saved_group;
    if (getresuid(&real, &effective, &saved) != 0 || getresgid(&real_group, &effective_group, &saved_group) != 0)
        return -errno;
    bool became = real == user && effective == user && saved == user && real_group == group &&
                  effective_group == group && saved_group == group && getgroups(0, NULL) == 0;
    if (!became || setuid(0) == 0 || !clinux_has_no_capabilities())
        return -EPERM;
    return 0;
}

// Bytes of address space mapped now; 0 when it cannot be told.
static uint64_t mapped_bytes(void) {
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL)
        return 0;
    unsigned long long pages = 0;
    if (fscanf(file, "%llu", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

// Lowers a limit, never raises it: the caller may have been given less already.
static int lower_limit(int resource, uint64_t most) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0)
        return -errno;
    if (limit.rlim_max > most)
        limit.rlim_max = most;
    if (limit.rlim_cur > limit.rlim_max)
        limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit) == 0 ? 0 : -errno;
}

int clinux_limit_resources(uint64_t descriptors, uint64_t extra_bytes, uint64_t cpu_seconds) {
    uint64_t mapped = mapped_bytes();
    if (mapped == 0)
        return -ENOENT;
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) != 0)
        return -errno;
    cpu_seconds += (uint64_t)used.ru_utime.tv_sec + (uint64_t)used.ru_stime.tv_sec + 1;
    const struct {
        int resource;
        uint64_t most;
    } limits[] = {
        {RLIMIT_CORE, 0},
        {RLIMIT_FSIZE, 0},
        {RLIMIT_NPROC, 0},
        {RLIMIT_MEMLOCK, 0},
        {RLIMIT_MSGQUEUE, 0},
        {RLIMIT_NOFILE, descriptors},
        {RLIMIT_AS, mapped + extra_bytes},
        {RLIMIT_CPU, cpu_seconds},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        int result = lower_limit(limits[i].resource, limits[i].most);
        if (result != 0)
            return result;
    }
    return 0;
}

uid_t clinux_effective_user(void) {
    return geteuid();
}
