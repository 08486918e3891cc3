// SPDX-License-Identifier: Apache-2.0
// Starting one child that inherits nothing but what it is given, and ending it. The child shares this process's memory
// until its exec (like posix_spawn), so between clone and exec it calls nothing but system calls and writes nothing but
// its error.
#define _GNU_SOURCE
#include "clinux_process.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clinux_channel.h"

enum { MOST_DESCRIPTORS = 16, STACK_SIZE = 64 * 1024 };

struct start {
    const struct clinux_spawn_request *request;
    volatile int error;
};

static int reset_signals(void) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    // SIGKILL, SIGSTOP and the two signals the C library keeps for itself refuse as invalid; that is no fault.
    for (int number = 1; number < NSIG; number++)
        if (sigaction(number, &standard, NULL) != 0 && errno != EINVAL)
            return -errno;
    return 0;
}

// Moves every wanted descriptor out of the way first, because one's target may be another's source.
static int place_descriptors(const struct clinux_spawn_request *request) {
    int held[MOST_DESCRIPTORS];
    int highest = -1;
    for (size_t i = 0; i < request->count; i++)
        if (request->to[i] > highest)
            highest = request->to[i];
    int program = fcntl(request->program, F_DUPFD_CLOEXEC, highest + 1);
    if (program < 0)
        return -errno;
    for (size_t i = 0; i < request->count; i++) {
        held[i] = fcntl(request->from[i], F_DUPFD_CLOEXEC, highest + 1);
        if (held[i] < 0)
            return -errno;
    }
    for (int target = 0; target <= highest; target++) {
        size_t i = 0;
        while (i < request->count && request->to[i] != target)
            i++;
        if (i == request->count)
            close(target);
        else if (dup2(held[i], target) < 0)
            return -errno;
    }
    if (syscall(SYS_close_range, (unsigned)highest + 1, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */) != 0)
        return -errno;
    return program;
}

// By system call: the C library's own functions would tell threads of a process that this child shares memory with.
static int change_user(const struct clinux_spawn_request *request) {
    if (!request->changes_user)
        return 0;
    if (syscall(SYS_setgroups, 0, NULL) != 0 ||
        syscall(SYS_setresgid, request->group, request->group, request->group) != 0 ||
        syscall(SYS_setresuid, request->user, request->user, request->user) != 0)
        return -1;
    return 0;
}

static int run_child(void *argument) {
    struct start *start = argument;
    const struct clinux_spawn_request *request = start->request;
    int program = -1;
    // A change of the user takes the death signal back, so it goes first.
    if (reset_signals() != 0 || setsid() < 0 || chdir("/") != 0 || change_user(request) != 0 ||
        (request->dies_with_parent && prctl(PR_SET_PDEATHSIG, SIGKILL) != 0))
        start->error = errno;
    else {
        umask(077);
        program = place_descriptors(request);
        sigset_t none;
        sigemptyset(&none);
        if (program < 0)
            start->error = -program;
        else if (sigprocmask(SIG_SETMASK, &none, NULL) != 0)
            start->error = errno;
        else {
            syscall(SYS_execveat, program, "", request->arguments, request->environment, AT_EMPTY_PATH);
            start->error = errno;
        }
    }
    _exit(127);
}

int clinux_spawn(const struct clinux_spawn_request *request, int *pidfd) {
    if (request->count > MOST_DESCRIPTORS)
        return -EINVAL;
    char *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED)
        return -errno;
    struct start start = {.request = request, .error = 0};
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    int descriptor = -1;
    int result = sigprocmask(SIG_BLOCK, &all, &before) != 0 ? -errno : 0;
    if (result == 0) {
        result =
            clone(run_child, stack + STACK_SIZE, CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &start, &descriptor);
        if (result < 0)
            result = -errno;
        // With signals left blocked the alarm that bounds this process would never come.
        if (sigprocmask(SIG_SETMASK, &before, NULL) != 0)
            start.error = errno;
    }
    munmap(stack, STACK_SIZE);
    if (result > 0 && start.error != 0) {
        siginfo_t ignored;
        (void)clinux_kill(descriptor, SIGKILL);
        while (waitid(P_PIDFD, (id_t)descriptor, &ignored, WEXITED) != 0 && errno == EINTR) {
        }
        result = -start.error;
    }
    if (result < 0) {
        if (descriptor >= 0)
            close(descriptor);
        return result;
    }
    *pidfd = descriptor;
    return result;
}

int clinux_wait_child(int pidfd, uint64_t deadline, int *code) {
    int ready = clinux_wait_ready(&pidfd, 1, 0, deadline);
    if (ready <= 0)
        return ready;
    siginfo_t info = {0};
    int result;
    do
        result = waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED | WNOHANG);
    while (result != 0 && errno == EINTR);
    if (result != 0)
        return -errno;
    if (info.si_pid == 0)
        return 0;
    *code = info.si_status;
    return info.si_code == CLD_EXITED ? 1 : 2;
}

int clinux_kill(int pidfd, int number) {
    return syscall(SYS_pidfd_send_signal, pidfd, number, NULL, 0) != 0 ? -errno : 0;
}

int clinux_kill_signal(void) {
    return SIGKILL;
}

int clinux_reset_process(void) {
    if (reset_signals() != 0)
        return -errno;
    struct sigaction ignored = {.sa_handler = SIG_IGN};
    if (sigaction(SIGPIPE, &ignored, NULL) != 0)
        return -errno;
    sigset_t none;
    sigemptyset(&none);
    if (sigprocmask(SIG_SETMASK, &none, NULL) != 0)
        return -errno;
    umask(077);
    return chdir("/") != 0 ? -errno : 0;
}

int clinux_fill_standard_descriptors(void) {
    for (int fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) >= 0)
            continue;
        int opened = open("/dev/null", O_RDWR);
        if (opened < 0)
            return -errno;
        if (opened != fd)
            return -EBADF;
    }
    return 0;
}

void clinux_set_alarm(unsigned seconds) {
    alarm(seconds);
}

int clinux_forbid_dumps(void) {
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0)
        return -errno;
    return prctl(PR_SET_DUMPABLE, 0) != 0 ? -errno : 0;
}

void clinux_return_freed_memory(int at_once) {
    if (at_once)
        mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, at_once ? 4 << 20 : 32 << 20);
}

void clinux_widen_heap(size_t bytes) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t from = (uintptr_t)sbrk(0);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TOP_PAD, (int)bytes);
    mallopt(M_TRIM_THRESHOLD, (int)(2 * bytes));
    // Larger than what is left of the heap as it is, so that it has to grow. (A compiler leaves out a block that nobody
    // sees.)
    void *volatile block = malloc(mallinfo2().keepcost + (1 << 20));
    free(block);
    mallopt(M_TOP_PAD, 128 << 10);
    uintptr_t to = (uintptr_t)sbrk(0) & ~(page - 1);
    from = (from + page - 1) & ~(page - 1);
    if (from < to)
        madvise((void *)from, to - from, MADV_POPULATE_WRITE);
}

_Noreturn void clinux_exit(int code) {
    _exit(code);
}
