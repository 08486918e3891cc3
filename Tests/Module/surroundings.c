// SPDX-License-Identifier: Apache-2.0
/* See surroundings.h. */
#define _GNU_SOURCE
#include "surroundings.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

volatile sig_atomic_t surroundings_handled;
volatile sig_atomic_t surroundings_reaped;

static void list_descriptors(char *text, size_t room, int report) {
    size_t used = 0;
    text[0] = 0;
    for (int number = 0; number < 1024; number++) {
        char link[64], target[256];
        snprintf(link, sizeof link, "/proc/self/fd/%d", number);
        const ssize_t length = readlink(link, target, sizeof target - 1);
        if (length > 0 && number != report && used + (size_t)length + 32 < room)
            used += (size_t)snprintf(text + used, room - used, "%d:%.*s ", number, (int)length, target);
    }
}

void surroundings_picture(struct picture *picture, int report) {
    struct rlimit files;
    memset(picture, 0, sizeof *picture);
    list_descriptors(picture->descriptors, sizeof picture->descriptors, report);
    for (int number = 1; number < NSIG; number++)
        sigaction(number, NULL, &picture->actions[number]);
    sigprocmask(SIG_SETMASK, NULL, &picture->mask);
    if (getcwd(picture->directory, sizeof picture->directory) == NULL)
        strcpy(picture->directory, "(lost)");
    picture->umask = umask(0);
    umask(picture->umask);
    getresuid(&picture->ids[0], &picture->ids[1], &picture->ids[2]);
    getresgid(&picture->ids[3], &picture->ids[4], &picture->ids[5]);
    getrlimit(RLIMIT_NOFILE, &files);
    picture->limits[0] = files.rlim_cur;
    picture->limits[1] = files.rlim_max;
}

void surroundings_compare(const struct picture *before, const struct picture *after, FILE *report) {
    bool same = true;
    if (strcmp(before->descriptors, after->descriptors) != 0)
        fprintf(report, "changed=descriptors: %s-> %s\n", before->descriptors, after->descriptors);
    for (int number = 1; number < NSIG; number++) {
        const struct sigaction *old = &before->actions[number], *new = &after->actions[number];
        same = same && old->sa_handler == new->sa_handler && old->sa_flags == new->sa_flags;
    }
    for (int number = 1; number < NSIG; number++)
        same = same && sigismember(&before->mask, number) == sigismember(&after->mask, number);
    if (!same)
        fprintf(report, "changed=signals\n");
    if (strcmp(before->directory, after->directory) != 0 || before->umask != after->umask)
        fprintf(report, "changed=directory or umask\n");
    if (memcmp(before->ids, after->ids, sizeof before->ids) != 0)
        fprintf(report, "changed=ids\n");
    if (memcmp(before->limits, after->limits, sizeof before->limits) != 0)
        fprintf(report, "changed=limits\n");
}

static void reap_all(int number) {
    (void)number;
    surroundings_handled++;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        surroundings_reaped++;
}

/* Written as if a SIGCHLD always meant that there is a child to wait for: hangs when there is none. */
static void wait_for_one(int number) {
    (void)number;
    surroundings_handled++;
    if (wait(NULL) > 0)
        surroundings_reaped++;
}

bool surroundings_set_children(const char *how) {
    struct sigaction action = {.sa_flags = SA_RESTART};
    if (strcmp(how, "default") == 0)
        action.sa_handler = SIG_DFL;
    else if (strcmp(how, "ignore") == 0)
        action.sa_handler = SIG_IGN;
    else if (strcmp(how, "no-wait") == 0)
        action.sa_flags = SA_NOCLDWAIT;
    else if (strcmp(how, "reap") == 0)
        action.sa_handler = reap_all;
    else if (strcmp(how, "wait") == 0)
        action.sa_handler = wait_for_one;
    else
        return false;
    return sigaction(SIGCHLD, &action, NULL) == 0;
}

static void *wait_for_any(void *unused) {
    (void)unused;
    for (;;) {
        if (waitpid(-1, NULL, 0) > 0)
            surroundings_reaped++;
        else
            usleep(200);
    }
    return NULL;
}

bool surroundings_start_waiting_thread(void) {
    sigset_t all, before;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool good = pthread_create(&thread, NULL, wait_for_any, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

static void do_nothing(int number) {
    (void)number;
}

bool surroundings_storm(long microseconds) {
    const struct sigaction action = {.sa_handler = do_nothing};
    const struct itimerval timer = {.it_interval = {0, microseconds}, .it_value = {0, microseconds}};
    return sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &timer, NULL) == 0;
}

bool surroundings_lose_directory(void) {
    char path[] = "/tmp/module-tests-XXXXXX";
    return mkdtemp(path) != NULL && chdir(path) == 0 && rmdir(path) == 0;
}

void surroundings_poison_environment(void) {
    static const char *const names[] = {
        "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT",  "TMPDIR", "HOME", "XDG_RUNTIME_DIR", "PATH",
        "LANG",       "SWIFT_BACKTRACE", "GCONV_PATH"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        setenv(names[i], "/nonexistent/../../hostile", 1);
}

bool surroundings_private_dev(void) {
    return unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("tmpfs", "/dev", "tmpfs", MS_NOSUID, "mode=755") == 0 &&
           mknod("/dev/null", S_IFCHR | 0666, makedev(1, 3)) == 0 && chmod("/dev/null", 0666) == 0;
}
