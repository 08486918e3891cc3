// SPDX-License-Identifier: Apache-2.0
// What a worker that was taken over would try, as plain system calls so that no C library stands between the attempt
// and the wall.
#define _GNU_SOURCE
#include "CProbe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/vt.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int outcome(long result) {
    return result < 0 ? -errno : 0;
}

static int outcome_closing(long descriptor) {
    if (descriptor < 0)
        return -errno;
    close((int)descriptor);
    return 0;
}

static int open_file(void) {
    return outcome_closing(syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY, 0));
}
static int open_device(void) {
    return outcome_closing(syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR, 0));
}
static int open_store(void) {
    return outcome_closing(syscall(SYS_openat, AT_FDCWD, "/var/lib/secondlook/secondlook.db", O_RDONLY, 0));
}
static int open_folder(void) {
    return outcome_closing(syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY, 0));
}
static int open_path(void) {
    return outcome_closing(syscall(SYS_openat, AT_FDCWD, "/", O_PATH, 0));
}
static int create_file(void) {
    return outcome_closing(syscall(SYS_openat, AT_FDCWD, "/tmp/secondlook-probe", O_CREAT | O_WRONLY, 0600));
}
static int look_at_file(void) {
    char status[256];
    return outcome(syscall(SYS_newfstatat, AT_FDCWD, "/etc/passwd", status, 0));
}
static int read_link(void) {
    char target[64];
    return outcome(syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", target, sizeof target));
}
static int remove_file(void) {
    return outcome(syscall(SYS_unlinkat, AT_FDCWD, "/tmp/secondlook-probe-none", 0));
}
static int change_folder(void) {
    return outcome(syscall(SYS_chdir, "/"));
}
static int make_inet_socket(void) {
    return outcome_closing(syscall(SYS_socket, AF_INET, SOCK_STREAM, 0));
}
static int make_inet6_socket(void) {
    return outcome_closing(syscall(SYS_socket, AF_INET6, SOCK_DGRAM, 0));
}
static int make_unix_socket(void) {
    return outcome_closing(syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0));
}
static int make_netlink_socket(void) {
    return outcome_closing(syscall(SYS_socket, AF_NETLINK, SOCK_RAW, 0));
}
static int make_socket_pair(void) {
    int pair[2];
    return outcome(syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, pair));
}

static int fork_with(long number, long first) {
    long child = syscall(number, first, 0, 0, 0, 0);
    if (child < 0)
        return -errno;
    if (child == 0)
        syscall(SYS_exit_group, 0);
    waitpid((pid_t)child, NULL, 0);
    return 0;
}
static int fork_process(void) {
    return fork_with(SYS_clone, SIGCHLD);
}
static int fork_process_anew(void) {
    struct {
        uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
    } arguments = {.exit_signal = SIGCHLD};
    return fork_with(SYS_clone3, (long)&arguments) == 0 ? 0 : -errno;
}
static void *end_at_once(void *unused) {
    return unused;
}
static int start_thread(void) {
    pthread_t thread;
    int result = pthread_create(&thread, NULL, end_at_once, NULL);
    if (result == 0)
        pthread_join(thread, NULL);
    return -result;
}
static int execute(void) {
    char *const arguments[] = {"true", NULL}, *const environment[] = {NULL};
    // A success would end the report, which the test notices as well.
    return outcome(syscall(SYS_execve, "/bin/true", arguments, environment));
}
static int execute_descriptor(void) {
    char *const arguments[] = {"true", NULL}, *const environment[] = {NULL};
    return outcome(syscall(SYS_execveat, 0, "", arguments, environment, AT_EMPTY_PATH));
}
static int trace_parent(void) {
    return outcome(syscall(SYS_ptrace, PTRACE_SEIZE, getppid(), 0, 0));
}
static int be_traced(void) {
    return outcome(syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0));
}
static int read_parent_memory(void) {
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)&cprobe_count, 1};
    return outcome(syscall(SYS_process_vm_readv, getppid(), &here, 1, &there, 1, 0));
}
static int signal_parent(void) {
    return outcome(syscall(SYS_kill, syscall(SYS_getppid), 0));
}
static int signal_everyone(void) {
    return outcome(syscall(SYS_kill, -1, 0));
}
static int open_parent(void) {
    return outcome_closing(syscall(SYS_pidfd_open, 1, 0));
}
static int become_root(void) {
    return outcome(syscall(SYS_setuid, 0));
}
static int become_other_group(void) {
    return outcome(syscall(SYS_setgid, 0));
}
static int allow_dumps(void) {
    return outcome(syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0));
}
static int raise_limit(void) {
    struct rlimit limit = {1, 1};
    return outcome(syscall(SYS_prlimit64, 0, RLIMIT_CORE, &limit, NULL));
}
static int enter_namespace(void) {
    return outcome(syscall(SYS_unshare, CLONE_NEWUSER));
}
static int mount_something(void) {
    return outcome(syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, NULL));
}
static int change_root(void) {
    return outcome(syscall(SYS_chroot, "/"));
}
static int load_bpf(void) {
    return outcome_closing(syscall(SYS_bpf, 0, NULL, 0));
}
static int use_io_uring(void) {
    char parameters[128] = {0};
    return outcome_closing(syscall(SYS_io_uring_setup, 1, parameters));
}
static int use_keys(void) {
    return outcome(syscall(SYS_keyctl, 0, -3, 0, 0, 0));
}
static int make_memory_file(void) {
    return outcome_closing(syscall(SYS_memfd_create, "probe", 0));
}
static int make_shared_memory(void) {
    return outcome(syscall(SYS_shmget, 0, 4096, 0600));
}
static int measure_performance(void) {
    char attributes[112] = {0};
    return outcome_closing(syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0));
}
static int map_code(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return -errno;
    munmap(page, 4096);
    return 0;
}
static int turn_data_into_code(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return 0; // ordinary memory must be had, so this is a fault too
    int result = outcome(mprotect(page, 4096, PROT_READ | PROT_EXEC));
    munmap(page, 4096);
    return result;
}
// The answer of a descriptor that is no terminal would be ENOTTY or EBADF: the request must not even get there.
static int refused_before_device(unsigned long request) {
    char argument[256] = {0};
    int result = outcome(syscall(SYS_ioctl, 0, request, argument));
    return result == -EPERM ? result : 0;
}
static int type_into_terminal(void) {
    return refused_before_device(TIOCSTI);
}
static int switch_terminal(void) {
    return refused_before_device(VT_ACTIVATE);
}
static int copy_descriptor(void) {
    return outcome_closing(syscall(SYS_fcntl, 0, F_DUPFD, 100));
}

static const struct {
    const char *name;
    int (*make)(void);
} attempts[] = {
    {"open a file", open_file},
    {"open a device", open_device},
    {"read the store", open_store},
    {"open a folder", open_folder},
    {"open a path", open_path},
    {"create a file", create_file},
    {"look at a file", look_at_file},
    {"read a link", read_link},
    {"remove a file", remove_file},
    {"change the folder", change_folder},
    {"make an internet socket", make_inet_socket},
    {"make an internet v6 socket", make_inet6_socket},
    {"make a local socket", make_unix_socket},
    {"make a netlink socket", make_netlink_socket},
    {"make a socket pair", make_socket_pair},
    {"fork", fork_process},
    {"fork by clone3", fork_process_anew},
    {"start a thread", start_thread},
    {"exec", execute},
    {"exec a descriptor", execute_descriptor},
    {"ptrace the parent", trace_parent},
    {"be traced", be_traced},
    {"read the parent's memory", read_parent_memory},
    {"signal the parent", signal_parent},
    {"signal everyone", signal_everyone},
    {"open a process", open_parent},
    {"become root", become_root},
    {"become the root group", become_other_group},
    {"allow dumps", allow_dumps},
    {"change a limit", raise_limit},
    {"enter a namespace", enter_namespace},
    {"mount", mount_something},
    {"change the root", change_root},
    {"load bpf", load_bpf},
    {"use io_uring", use_io_uring},
    {"use keys", use_keys},
    {"make a memory file", make_memory_file},
    {"make shared memory", make_shared_memory},
    {"measure performance", measure_performance},
    {"map code", map_code},
    {"turn data into code", turn_data_into_code},
    {"type into a terminal", type_into_terminal},
    {"switch the terminal", switch_terminal},
    {"copy a descriptor", copy_descriptor},
};

int cprobe_count(void) {
    return (int)(sizeof attempts / sizeof *attempts);
}

const char *cprobe_name(int attempt) {
    return attempts[attempt].name;
}

int cprobe_attempt(int attempt) {
    errno = 0;
    return attempts[attempt].make();
}

// Threads that were there before the walls try on their own account once they are told to.
enum { most_bystanders = 8 };
static pthread_t bystanders[most_bystanders];
static int bystander_holes[most_bystanders];
static int bystander_count;
static pthread_barrier_t walls;

static void *try_from_bystander(void *context) {
    pthread_barrier_wait(&walls);
    *(int *)context = open_file() == 0 || execute() == 0 || become_root() == 0 || make_unix_socket() == 0;
    return NULL;
}

int cprobe_start_bystanders(int count) {
    if (count < 0 || count > most_bystanders)
        return -EINVAL;
    int result = pthread_barrier_init(&walls, NULL, (unsigned)count + 1);
    for (int i = 0; i < count && result == 0; i++) {
        bystander_holes[i] = 1;
        result = pthread_create(&bystanders[i], NULL, try_from_bystander, &bystander_holes[i]);
        if (result == 0)
            bystander_count++;
    }
    return -result;
}

static void *end_unheard(void *context) {
    const long life = *(const long *)context;
    const struct timespec time = {life / 1000, life % 1000 * 1000000};
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    nanosleep(&time, NULL);
    return NULL;
}

int cprobe_start_deaf_thread(int milliseconds) {
    static long life;
    pthread_t thread;
    life = milliseconds;
    int result = pthread_create(&thread, NULL, end_unheard, &life);
    if (result == 0)
        result = pthread_detach(thread);
    return -result;
}

static size_t add_line(char *room, size_t size, size_t used, const char *name, int value) {
    int length = snprintf(room + used, size - used, "%s: %d\n", name, value);
    return length < 0 || (size_t)length >= size - used ? used : used + (size_t)length;
}

int cprobe_report(char *room, size_t size) {
    size_t used = 0;
    int holes = 0;
    if (bystander_count > 0)
        pthread_barrier_wait(&walls);
    for (int i = 0; i < bystander_count; i++) {
        pthread_join(bystanders[i], NULL);
        used = add_line(room, size, used, "bystander", bystander_holes[i] == 0 ? -EPERM : 0);
        holes += bystander_holes[i];
    }
    for (int i = 0; i < cprobe_count(); i++) {
        int result = cprobe_attempt(i);
        holes += result == 0;
        used = add_line(room, size, used, attempts[i].name, result);
    }
    add_line(room, size, used, "holes", holes);
    return holes;
}

void *cprobe_map(const char *path, int writable, size_t *length) {
    int descriptor = open(path, writable ? O_RDWR | O_CLOEXEC : O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    struct stat status;
    void *mapping = MAP_FAILED;
    if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
        *length = (size_t)status.st_size;
        mapping = mmap(NULL, *length, writable ? PROT_READ | PROT_WRITE : PROT_READ,
                       writable ? MAP_SHARED : MAP_PRIVATE, descriptor, 0);
    }
    close(descriptor);
    return mapping == MAP_FAILED ? NULL : mapping;
}

void cprobe_sleep_until(uint64_t milliseconds) {
    struct timespec until = {(time_t)(milliseconds / 1000), (long)(milliseconds % 1000) * 1000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {
    }
}

void cprobe_die(void) {
    _exit(7);
}
