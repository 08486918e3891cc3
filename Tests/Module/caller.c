// SPDX-License-Identifier: Apache-2.0
/*
 * A calling program of every bad kind: it arranges its surroundings as told, calls pam_authenticate through libpam with
 * services from a folder of its own (nothing below /etc is read), and writes what came of it, and what is no longer as
 * it was, to a report. It prints nothing.
 *
 *   caller REPORT CONFDIR SERVICE USER [OPTION]...
 *
 *   answer=TEXT          what the conversation answers to the next question (repeated); after the last one it fails
 *   conversation=HOW     none (null function), fail, again, null, no-replies, empty, no-notices (fails for notices)
 *   closed=DIGITS        these of descriptors 0, 1 and 2 are closed
 *   children=HOW         disposition of SIGCHLD: default, ignore, no-wait, reap, wait
 *   bystander=MS         a child of the caller that ends after a time, with 7
 *   waiting-thread storm=US nofile=N umask=0 silent lost-directory environment no-new-privileges private-dev
 *   item=NAME=TEXT       tty, rhost or ruser
 *   uid=N repeat=N delay=MS (of the conversation's answers) log (to standard error, what else goes to the system's log)
 */
#define _GNU_SOURCE
#include "surroundings.h"

#include <errno.h>
#include <fcntl.h>
#include <security/pam_appl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

static struct {
    FILE *report;
    const char *answers[16];
    int answer_count, answered;
    const char *conversation, *closed, *children;
    const char *items[3];
    long bystander, storm, nofile, delay;
    int repeat, flags;
    uid_t uid;
    bool log, waiting_thread, lost_directory, environment, no_new_privileges, private_dev, open_umask;
} options = {.repeat = 1, .conversation = "", .closed = "", .children = "default", .bystander = -1};

static const char *next_answer(void) {
    if (options.answered < options.answer_count)
        return options.answers[options.answered++];
    return NULL;
}

static int reply_to(const struct pam_message *message, struct pam_response *response) {
    const bool question = message->msg_style == PAM_PROMPT_ECHO_OFF || message->msg_style == PAM_PROMPT_ECHO_ON;
    fprintf(options.report, "said=%d %s\n", message->msg_style, message->msg);
    if (!question)
        return strcmp(options.conversation, "no-notices") == 0 ? PAM_CONV_ERR : PAM_SUCCESS;
    if (options.delay > 0)
        usleep((useconds_t)options.delay * 1000);
    if (strcmp(options.conversation, "fail") == 0)
        return PAM_CONV_ERR;
    if (strcmp(options.conversation, "again") == 0)
        return PAM_CONV_AGAIN;
    if (strcmp(options.conversation, "null") == 0)
        return PAM_SUCCESS;
    const char *answer = strcmp(options.conversation, "empty") == 0 ? "" : next_answer();
    if (answer == NULL)
        return PAM_CONV_ERR;
    response->resp = strdup(answer);
    return PAM_SUCCESS;
}

static int converse(int count, const struct pam_message **messages, struct pam_response **responses, void *data) {
    (void)data;
    *responses = NULL;
    if (count < 1)
        return PAM_CONV_ERR;
    if (strcmp(options.conversation, "no-replies") == 0)
        return PAM_SUCCESS;
    struct pam_response *made = calloc((size_t)count, sizeof *made);
    for (int i = 0; i < count; i++) {
        const int code = reply_to(messages[i], &made[i]);
        if (code != PAM_SUCCESS) {
            free(made);
            return code;
        }
    }
    *responses = made;
    return PAM_SUCCESS;
}

static const char *value_of(const char *option, const char *name) {
    const size_t length = strlen(name);
    return strncmp(option, name, length) == 0 && option[length] == '=' ? option + length + 1 : NULL;
}

static bool parse_number(const char *option) {
    const char *value;
    if ((value = value_of(option, "bystander")) != NULL)
        options.bystander = atol(value);
    else if ((value = value_of(option, "storm")) != NULL)
        options.storm = atol(value);
    else if ((value = value_of(option, "nofile")) != NULL)
        options.nofile = atol(value);
    else if ((value = value_of(option, "delay")) != NULL)
        options.delay = atol(value);
    else if ((value = value_of(option, "repeat")) != NULL)
        options.repeat = atoi(value);
    else if ((value = value_of(option, "uid")) != NULL)
        options.uid = (uid_t)atoi(value);
    return value != NULL;
}

static bool parse_text(const char *option) {
    const char *value;
    if ((value = value_of(option, "answer")) != NULL && options.answer_count < 16)
        options.answers[options.answer_count++] = value;
    else if ((value = value_of(option, "conversation")) != NULL)
        options.conversation = value;
    else if ((value = value_of(option, "closed")) != NULL)
        options.closed = value;
    else if ((value = value_of(option, "children")) != NULL)
        options.children = value;
    else if ((value = value_of(option, "tty")) != NULL)
        options.items[0] = value;
    else if ((value = value_of(option, "rhost")) != NULL)
        options.items[1] = value;
    else if ((value = value_of(option, "ruser")) != NULL)
        options.items[2] = value;
    return value != NULL;
}

static bool parse_word(const char *option) {
    if (strcmp(option, "log") == 0)
        options.log = true;
    else if (strcmp(option, "silent") == 0)
        options.flags |= PAM_SILENT;
    else if (strcmp(option, "waiting-thread") == 0)
        options.waiting_thread = true;
    else if (strcmp(option, "lost-directory") == 0)
        options.lost_directory = true;
    else if (strcmp(option, "environment") == 0)
        options.environment = true;
    else if (strcmp(option, "no-new-privileges") == 0)
        options.no_new_privileges = true;
    else if (strcmp(option, "private-dev") == 0)
        options.private_dev = true;
    else if (strcmp(option, "umask=0") == 0)
        options.open_umask = true;
    else
        return false;
    return true;
}

static bool arrange(void) {
    const struct rlimit files = {(rlim_t)options.nofile, (rlim_t)options.nofile};
    bool good = surroundings_set_children(options.children);
    if (options.waiting_thread)
        good = surroundings_start_waiting_thread() && good;
    if (options.private_dev)
        good = surroundings_private_dev() && good;
    if (options.lost_directory)
        good = surroundings_lose_directory() && good;
    if (options.environment)
        surroundings_poison_environment();
    if (options.open_umask)
        umask(0);
    if (options.no_new_privileges)
        good = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && good;
    if (options.nofile > 0)
        good = setrlimit(RLIMIT_NOFILE, &files) == 0 && good;
    if (options.uid != 0)
        good = setresgid(options.uid, options.uid, options.uid) == 0 &&
               setresuid(options.uid, options.uid, options.uid) == 0 && good;
    for (const char *digit = options.closed; *digit != 0; digit++)
        close(*digit - '0');
    if (options.storm > 0)
        good = surroundings_storm(options.storm) && good;
    return good;
}

static pid_t start_bystander(void) {
    const pid_t child = options.bystander >= 0 ? fork() : 0;
    if (options.bystander >= 0 && child == 0) {
        usleep((useconds_t)options.bystander * 1000);
        _exit(7);
    }
    return child;
}

/* What became of the caller's own child: it must not have been reaped by anyone but the caller. */
static void report_bystander(pid_t child) {
    int status = 0;
    pid_t result;
    if (options.bystander < 0)
        return;
    do
        result = waitpid(child, &status, 0);
    while (result == -1 && errno == EINTR);
    if (result == child)
        fprintf(options.report, "bystander=%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    else
        fprintf(options.report, "bystander=gone\n");
}

/* Children that are left although the caller started none, dead or alive. */
static void report_children(void) {
    siginfo_t info = {0};
    const int result = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT);
    if (result == 0)
        fprintf(options.report, "left=%s\n", info.si_pid != 0 ? "zombie" : "child");
}

static int64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void authenticate(pam_handle_t *pamh) {
    const int64_t start = now_ms();
    errno = 4242;
    const int code = pam_authenticate(pamh, options.flags);
    const int64_t end = now_ms();
    fprintf(options.report, "code=%d\nms=%lld\n", code, (long long)(end - start));
}

static void run(const char *confdir, const char *service, const char *user) {
    static struct picture before, after;
    const bool absent = strcmp(options.conversation, "none") == 0;
    const struct pam_conv conversation = {.conv = absent ? NULL : converse};
    const int names[] = {PAM_TTY, PAM_RHOST, PAM_RUSER};
    pam_handle_t *pamh = NULL;
    const pid_t child = start_bystander();
    if (pam_start_confdir(service, user, &conversation, confdir, &pamh) != PAM_SUCCESS) {
        fprintf(options.report, "failed=pam_start\n");
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (options.items[i] != NULL)
            pam_set_item(pamh, names[i], options.items[i]);
    }
    surroundings_picture(&before, fileno(options.report));
    for (int i = 0; i < options.repeat; i++) {
        options.answered = 0;
        authenticate(pamh);
    }
    fprintf(options.report, "setcred=%d\n", pam_setcred(pamh, PAM_ESTABLISH_CRED));
    surroundings_picture(&after, fileno(options.report));
    surroundings_compare(&before, &after, options.report);
    report_bystander(child);
    report_children();
    fprintf(options.report, "handled=%d\nreaped=%d\n", surroundings_handled, surroundings_reaped);
    pam_end(pamh, PAM_SUCCESS);
}

int main(int argc, char **argv) {
    sigset_t none;
    if (argc < 5 || sigemptyset(&none) != 0)
        return 2;
    /* Bounds of time are measured here; on a busy machine this is to come first. */
    (void)setpriority(PRIO_PROCESS, 0, -15);
    /* Whoever started this may have had signals blocked. */
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* Far from where descriptors are given out, so that a tiny limit leaves room for the module's. */
    const int file = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    const int high = file != -1 ? fcntl(file, F_DUPFD_CLOEXEC, 200) : -1;
    if (high == -1 || close(file) != 0 || (options.report = fdopen(high, "w")) == NULL)
        return 2;
    setvbuf(options.report, NULL, _IOLBF, 0);
    for (int i = 5; i < argc; i++) {
        if (!parse_number(argv[i]) && !parse_text(argv[i]) && !parse_word(argv[i])) {
            fprintf(options.report, "failed=option %s\n", argv[i]);
            return 2;
        }
    }
    /* The C library keeps the descriptor of its log; it is to be there before the first picture. */
    openlog("caller", LOG_NDELAY | (options.log ? LOG_PERROR : 0), LOG_AUTHPRIV);
    if (!arrange()) {
        fprintf(options.report, "failed=arrange\n");
        return 2;
    }
    run(argv[2], argv[3], argv[4]);
    return fclose(options.report) == 0 ? 0 : 2;
}
