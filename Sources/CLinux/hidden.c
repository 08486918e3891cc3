// SPDX-License-Identifier: Apache-2.0
// A line typed at the terminal that is not shown.
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void note_signal(int number) {
    caught = number;
}

/// Reads up to the line end, the end of the input or a signal; the rest of a line too long is read and dropped.
static long read_line(int fd, char *bytes, size_t room, const sigset_t *open_mask) {
    size_t count = 0;
    int is_longer = 0;
    for (;;) {
        char letter;
        struct pollfd input = {.fd = fd, .events = POLLIN};
        // Signals come in here alone, so that none slips in between looking for one and waiting.
        if (ppoll(&input, 1, NULL, open_mask) < 0)
            return -errno;
        ssize_t got = read(fd, &letter, 1);
        if (got < 0)
            return -errno;
        if (got == 0 || letter == '\n' || letter == '\r')
            return is_longer ? -E2BIG : (long)count;
        if (count < room)
            bytes[count++] = letter;
        else
            is_longer = 1;
    }
}

long clinux_read_hidden(const char *prompt, void *bytes, size_t room) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
    enum { COUNT = sizeof numbers / sizeof *numbers };
    int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return -errno;
    struct termios shown;
    if (tcgetattr(fd, &shown) != 0) {
        int error = errno;
        close(fd);
        return -error;
    }
    // Without SA_RESTART, so that a signal ends the reading.
    struct sigaction note = {.sa_handler = note_signal}, before[COUNT];
    caught = 0;
    sigset_t blocked, open_mask;
    sigemptyset(&blocked);
    for (int i = 0; i < COUNT; i++)
        sigaddset(&blocked, numbers[i]);
    sigprocmask(SIG_BLOCK, &blocked, &open_mask);
    for (int i = 0; i < COUNT; i++)
        sigaction(numbers[i], &note, &before[i]);
    struct termios hidden = shown;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    hidden.c_lflag |= ECHONL | ICANON | ISIG;
    long result = -EIO;
    if (tcsetattr(fd, TCSAFLUSH, &hidden) != 0)
        result = -errno;
    else if (write(fd, prompt, strlen(prompt)) < 0)
        result = -errno;
    else
        result = read_line(fd, bytes, room, &open_mask);
    tcsetattr(fd, TCSAFLUSH, &shown);
    for (int i = 0; i < COUNT; i++)
        sigaction(numbers[i], &before[i], NULL);
    sigprocmask(SIG_SETMASK, &open_mask, NULL);
    close(fd);
    if (caught != 0) {
        raise(caught);
        return -EINTR;
    }
    return result;
}
