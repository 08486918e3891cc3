// SPDX-License-Identifier: Apache-2.0
// libpam in a child process: fork, an authentication, one number through a pipe.
#define _GNU_SOURCE
#include "CPam.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <security/pam_appl.h>
#include <security/pam_misc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/// What a child sends back.
struct report {
    int code;
    char text[256];
};

/// Answers every question by the same text.
static int answer(int count, const struct pam_message **messages, struct pam_response **responses, void *password) {
    if (count <= 0 || count > PAM_MAX_NUM_MSG)
        return PAM_CONV_ERR;
    struct pam_response *all = calloc((size_t)count, sizeof *all);
    if (all == NULL)
        return PAM_BUF_ERR;
    for (int i = 0; i < count; i++) {
        const int style = messages[i]->msg_style;
        if (style != PAM_PROMPT_ECHO_OFF && style != PAM_PROMPT_ECHO_ON)
            continue;
        all[i].resp = strdup(password);
        if (all[i].resp == NULL) {
            while (i-- > 0)
                free(all[i].resp);
            free(all);
            return PAM_BUF_ERR;
        }
    }
    *responses = all;
    return PAM_SUCCESS;
}

/// A refusal need not be waited for here.
static void no_delay(int code, unsigned microseconds, void *data) {
    (void)code;
    (void)microseconds;
    (void)data;
}

static void authenticate(const void *request, struct report *report) {
    const struct cpam_trial *trial = request;
    const int person = trial->password == NULL;
    char *password = person ? NULL : strdup(trial->password);
    const struct pam_conv conversation = {.conv = person ? misc_conv : answer, .appdata_ptr = password};
    pam_handle_t *pamh = NULL;
    report->code = trial->folder == NULL
                       ? pam_start(trial->service, trial->user, &conversation, &pamh)
                       : pam_start_confdir(trial->service, trial->user, &conversation, trial->folder, &pamh);
    if (report->code != PAM_SUCCESS || pamh == NULL)
        return;
    const union {
        void (*function)(int, unsigned, void *);
        const void *item;
    } delay = {.function = no_delay};
    pam_set_item(pamh, PAM_FAIL_DELAY, delay.item);
    const char *terminal = person ? ttyname(STDIN_FILENO) : NULL;
    if (terminal != NULL)
        pam_set_item(pamh, PAM_TTY, terminal);
    report->code = pam_authenticate(pamh, 0);
    pam_end(pamh, report->code);
}

static void load(const void *request, struct report *report) {
    void *module = dlopen(request, RTLD_NOW);
    const char *problem = NULL;
    if (module == NULL)
        problem = dlerror();
    else if (dlsym(module, "pam_sm_authenticate") == NULL)
        problem = "it has no pam_sm_authenticate";
    report->code = problem == NULL ? 0 : -ELIBBAD;
    if (problem != NULL)
        snprintf(report->text, sizeof report->text, "%s", problem);
}

static long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000L + now.tv_nsec / 1000000L;
}

/// Reads the report or gives up: at the end of the time, or when `signals`, a descriptor or -1, tells of one.
static int receive(int from, int signals, struct report *report, int seconds) {
    const long deadline = milliseconds() + seconds * 1000L;
    size_t got = 0;
    while (got < sizeof *report) {
        const long left = deadline - milliseconds();
        struct pollfd ready[] = {{.fd = from, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
        const int count = left > 0 ? poll(ready, 2, (int)left) : 0;
        if (count == 0)
            return -ETIME;
        if (count < 0 && errno != EINTR)
            return -errno;
        if (count > 0 && ready[1].revents != 0)
            return -EINTR;
        if (count < 0)
            continue;
        const ssize_t part = read(from, (char *)report + got, sizeof *report - got);
        if (part == 0)
            return -ECHILD;
        if (part < 0 && errno != EINTR)
            return -errno;
        if (part > 0)
            got += (size_t)part;
    }
    return 0;
}

/// The terminal of a person who is asked: libpam hides what is typed, and only a child that comes to its end shows it
/// again.
struct terminal {
    struct termios shown;
    sigset_t before;
    int signals;
    int is_there;
};

static void keep_terminal(struct terminal *terminal) {
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGHUP);
    sigaddset(&ending, SIGQUIT);
    sigprocmask(SIG_BLOCK, &ending, &terminal->before);
    terminal->signals = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
    terminal->is_there = tcgetattr(STDIN_FILENO, &terminal->shown) == 0;
}

static void restore_terminal(struct terminal *terminal, int result) {
    if (terminal->is_there)
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal->shown);
    // A signal that ended the attempt has been answered by that: the caller has yet to clean up.
    struct signalfd_siginfo heard;
    while (result == -EINTR && read(terminal->signals, &heard, sizeof heard) > 0) {
    }
    if (terminal->signals >= 0)
        close(terminal->signals);
    sigprocmask(SIG_SETMASK, &terminal->before, NULL);
}

/// Runs `body` in a child that has the terminal only where a person is asked.
static int in_child(void (*body)(const void *, struct report *), const void *request, int quiet, int seconds,
                    struct report *report) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -errno;
    struct terminal terminal = {.signals = -1};
    if (!quiet)
        keep_terminal(&terminal);
    const pid_t child = fork();
    if (child < 0) {
        const int error = errno;
        if (!quiet)
            restore_terminal(&terminal, 0);
        close(ends[0]);
        close(ends[1]);
        return -error;
    }
    if (child == 0) {
        struct report mine = {.code = PAM_ABORT};
        if (!quiet)
            sigprocmask(SIG_SETMASK, &terminal.before, NULL);
        const int nothing = quiet ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
        for (int fd = 0; nothing >= 0 && fd <= 2; fd++)
            dup2(nothing, fd);
        body(request, &mine);
        _exit(write(ends[1], &mine, sizeof mine) == (ssize_t)sizeof mine ? 0 : 1);
    }
    close(ends[1]);
    const int result = receive(ends[0], terminal.signals, report, seconds);
    close(ends[0]);
    if (result != 0)
        kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    if (!quiet)
        restore_terminal(&terminal, result);
    return result;
}

int cpam_try(const struct cpam_trial *trial, int *code) {
    if (trial->seconds < 1 || trial->seconds > 600)
        return -EINVAL;
    struct report report;
    const int result = in_child(authenticate, trial, trial->password != NULL, trial->seconds, &report);
    if (result == 0)
        *code = report.code;
    return result;
}

int cpam_load_module(const char *path, char *problem, size_t room) {
    struct report report;
    const int result = in_child(load, path, 1, 20, &report);
    snprintf(problem, room, "%s", result == 0 ? report.text : "it ends the process that loads it");
    return result == 0 ? report.code : result;
}

int cpam_find_module_folder(char *path, size_t room) {
    const union {
        int (*function)(pam_handle_t *, int);
        void *address;
    } place = {.function = pam_authenticate};
    Dl_info info;
    if (dladdr(place.address, &info) == 0 || info.dli_fname == NULL)
        return -ENOENT;
    const char *slash = strrchr(info.dli_fname, '/');
    if (slash == NULL)
        return -ENOENT;
    const int length = snprintf(path, room, "%.*s/security", (int)(slash - info.dli_fname), info.dli_fname);
    return length < 0 || (size_t)length >= room ? -ENAMETOOLONG : length;
}

const char *cpam_describe(int code) {
    const char *text = pam_strerror(NULL, code);
    return text != NULL ? text : "unknown";
}
