// SPDX-License-Identifier: Apache-2.0
/*
 * A helper that follows a script, so that the module can be tested against every good and bad one. The script is the
 * file that `--conf` names; what the program finds at its start and what it receives is written to SCRIPT.seen. With
 * `--listen SOCKET UID` in front it plays the service: as that user it accepts one connection and goes on with it.
 *
 *   read               receive one frame and note its bytes
 *   send HEX           send bytes; `send HEX COUNT` sends them that many times, stopping when nobody listens
 *   wait               receive until the other side closes, and note that
 *   close              close the socket
 *   sleep MS           do nothing for a while
 *   stop / signal N    stop by SIGSTOP / end by a signal
 *   exit N             end
 *
 * After the last line it does nothing until it is killed.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void note_bytes(FILE *seen, const char *name, const unsigned char *bytes, size_t count) {
    fprintf(seen, "%s=", name);
    for (size_t i = 0; i < count; i++)
        fprintf(seen, "%02x", bytes[i]);
    fprintf(seen, "\n");
    fflush(seen);
}

static void note_descriptors(FILE *seen) {
    DIR *directory = opendir("/proc/self/fd");
    fprintf(seen, "descriptors=");
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        const int number = atoi(entry->d_name);
        if (isdigit((unsigned char)entry->d_name[0]) && number != dirfd(directory) && number != fileno(seen))
            fprintf(seen, "%d ", number);
    }
    fprintf(seen, "\n");
    if (directory != NULL)
        closedir(directory);
}

static void note_signals(FILE *seen) {
    int blocked = 0, changed = 0;
    sigset_t mask;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        blocked += sigismember(&mask, number) == 1;
        if (sigaction(number, NULL, &action) == 0)
            changed += action.sa_handler != SIG_DFL;
    }
    fprintf(seen, "signals-blocked=%d\nsignals-changed=%d\n", blocked, changed);
}

static void note_start(FILE *seen, int argc, char **argv) {
    char directory[4096] = "?", target[64] = "?";
    struct rlimit files, core, size;
    const mode_t mask = umask(0);
    size_t variables = 0;
    umask(mask);
    while (environ[variables] != NULL)
        variables++;
    getrlimit(RLIMIT_NOFILE, &files);
    getrlimit(RLIMIT_CORE, &core);
    getrlimit(RLIMIT_FSIZE, &size);
    fprintf(seen, "pid=%d\narguments=", (int)getpid());
    for (int i = 0; i < argc; i++)
        fprintf(seen, "%s ", argv[i]);
    fprintf(seen, "\nenvironment=%zu\ndirectory=%s\numask=%03o\n", variables,
            getcwd(directory, sizeof directory) != NULL ? directory : "?", (unsigned)mask);
    fprintf(seen, "ids=%d %d %d %d groups=%d\n", getuid(), geteuid(), getgid(), getegid(), getgroups(0, NULL));
    fprintf(seen, "leads-session=%d\n", getsid(0) == getpid());
    fprintf(seen, "limits=%ld %ld %ld\n", (long)files.rlim_cur, (long)core.rlim_max, (long)size.rlim_cur);
    const ssize_t length = readlink("/proc/self/fd/1", target, sizeof target - 1);
    fprintf(seen, "output=%.*s\n", length > 0 ? (int)length : 1, target);
    note_descriptors(seen);
    note_signals(seen);
    fflush(seen);
}

static bool read_fully(unsigned char *bytes, size_t count) {
    for (size_t got = 0; got < count;) {
        const ssize_t more = read(0, bytes + got, count - got);
        if (more <= 0 && !(more == -1 && errno == EINTR))
            return false;
        got += more > 0 ? (size_t)more : 0;
    }
    return true;
}

static void read_frame(FILE *seen) {
    static unsigned char frame[4 + 65535];
    if (!read_fully(frame, 4) || !read_fully(frame + 4, (size_t)(frame[2] << 8 | frame[3]))) {
        fprintf(seen, "closed=1\n");
        fflush(seen);
        return;
    }
    note_bytes(seen, "frame", frame, 4 + (size_t)(frame[2] << 8 | frame[3]));
}

static void wait_for_end(FILE *seen) {
    unsigned char bytes[256];
    ssize_t count;
    while ((count = read(0, bytes, sizeof bytes)) > 0)
        note_bytes(seen, "more", bytes, (size_t)count);
    fprintf(seen, "ended=1\n");
    fflush(seen);
}

static void send_bytes(const char *digits, long times) {
    static unsigned char bytes[65536];
    size_t count = 0;
    for (; count < sizeof bytes && sscanf(digits + 2 * count, "%2hhx", &bytes[count]) == 1; count++)
        continue;
    for (long i = 0; i < times; i++) {
        if (send(0, bytes, count, MSG_NOSIGNAL) != (ssize_t)count)
            return;
    }
}

static void follow(FILE *seen, char *line) {
    char *word = strtok(line, " \n");
    char *first = strtok(NULL, " \n");
    char *second = strtok(NULL, " \n");
    const long number = first != NULL ? strtol(first, NULL, 10) : 0;
    if (word == NULL)
        return;
    if (strcmp(word, "read") == 0) {
        read_frame(seen);
    } else if (strcmp(word, "send") == 0) {
        send_bytes(first, second != NULL ? strtol(second, NULL, 10) : 1);
    } else if (strcmp(word, "wait") == 0) {
        wait_for_end(seen);
    } else if (strcmp(word, "close") == 0) {
        close(0);
    } else if (strcmp(word, "sleep") == 0) {
        usleep((useconds_t)number * 1000);
    } else if (strcmp(word, "stop") == 0) {
        raise(SIGSTOP);
    } else if (strcmp(word, "signal") == 0) {
        raise((int)number);
    } else if (strcmp(word, "exit") == 0) {
        _exit((int)number);
    } else {
        abort();
    }
}

/* Plays the service manager: accepts one connection as descriptor 0. */
static void serve(const char *path, uid_t user) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    unlink(path);
    if (listener == -1 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || chmod(path, 0666) != 0)
        abort();
    /* The mark is made while root still can; the listener's credentials are those of its listen(). */
    char mark[4096];
    snprintf(mark, sizeof mark, "%s.listens", path);
    FILE *file = fopen(mark, "w");
    if (file == NULL || setresuid(user, user, user) != 0 || listen(listener, 1) != 0)
        abort();
    fputs("yes", file);
    fclose(file);
    alarm(20);
    const int connection = accept(listener, NULL, NULL);
    alarm(0);
    if (connection == -1 || dup2(connection, 0) == -1)
        abort();
    close(connection);
    close(listener);
}

int main(int argc, char **argv) {
    char path[4096], line[200000];
    if (argc > 3 && strcmp(argv[1], "--listen") == 0) {
        serve(argv[2], (uid_t)atoi(argv[3]));
        argv += 3;
        argc -= 3;
    }
    if (argc != 3 || strcmp(argv[1], "--conf") != 0)
        return 2;
    snprintf(path, sizeof path, "%s.seen", argv[2]);
    FILE *script = fopen(argv[2], "re");
    FILE *seen = fopen(path, "we");
    if (script == NULL || seen == NULL)
        return 3;
    static char kept[64][200000];
    size_t lines = 0;
    while (lines < 64 && fgets(line, sizeof line, script) != NULL)
        strcpy(kept[lines++], line);
    fclose(script);
    note_start(seen, argc, argv);
    for (size_t i = 0; i < lines; i++)
        follow(seen, kept[i]);
    for (;;)
        pause();
}
