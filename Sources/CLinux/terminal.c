// SPDX-License-Identifier: Apache-2.0
// The terminal as a screen that is given back as it was found, whatever ends the process but SIGKILL. Handlers only
// note a signal and wake the main loop, which answers it; they break off a write to a terminal that nobody reads. Only
// a crash is answered where it happens. What handlers need lies in static memory, because they can be given nothing.
#define _GNU_SOURCE
#include "clinux_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS};
static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
// Another screen, no cursor, nothing on it; and the way back, with colours and pending pictures ended.
static const char enter[] = "\033[?1049h\033[?25l\033[2J\033[H";
static const char leave[] = "\033\\\033[0m\033[?25h\033[?1049l";

static struct {
    int input;
    int output;
    volatile sig_atomic_t is_entered;
    struct termios before;
} screen;
static volatile sig_atomic_t noted[5];
static int wake[2];

int clinux_screen_write(const void *bytes, size_t count) {
    const char *next = bytes;
    while (count > 0) {
        ssize_t written = write(screen.output, next, count);
        if (written < 0 && errno == EINTR && !noted[CLINUX_SIGNAL_END])
            continue;
        if (written < 0)
            return -errno;
        next += written;
        count -= (size_t)written;
    }
    return 0;
}

int clinux_screen_leave(void) {
    if (!screen.is_entered)
        return 0;
    screen.is_entered = 0;
    int restored;
    do
        restored = tcsetattr(screen.input, TCSANOW, &screen.before);
    while (restored != 0 && errno == EINTR);
    int result = restored != 0 ? -errno : 0;
    // A terminal that nobody reads must not keep the process from ending.
    struct pollfd ready = {.fd = screen.output, .events = POLLOUT};
    if (poll(&ready, 1, 500) <= 0)
        return result != 0 ? result : -EAGAIN;
    int written = clinux_screen_write(leave, sizeof leave - 1);
    return result != 0 ? result : written;
}

static void crash(int number) {
    (void)clinux_screen_leave();
    // The handler is gone (SA_RESETHAND): now the signal does what it does.
    raise(number);
}

int clinux_screen_enter(int input, int output) {
    if (screen.is_entered)
        return -EBUSY;
    if (tcgetattr(input, &screen.before) != 0)
        return -errno;
    screen.input = input;
    screen.output = output;
    struct termios plain = screen.before;
    // Key by key and without echo; Ctrl-C and Ctrl-Z stay signals.
    plain.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    // Ctrl-S would hold the picture, and with it the process.
    plain.c_iflag &= ~(tcflag_t)IXON;
    plain.c_cc[VMIN] = 0;
    plain.c_cc[VTIME] = 0;
    struct sigaction action = {.sa_handler = crash, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        if (sigaction(crashes[i], &action, NULL) != 0)
            return -errno;
    screen.is_entered = 1;
    if (tcsetattr(input, TCSAFLUSH, &plain) != 0) {
        screen.is_entered = 0;
        return -errno;
    }
    int result = clinux_screen_write(enter, sizeof enter - 1);
    if (result != 0)
        (void)clinux_screen_leave();
    return result;
}

int clinux_screen_size(int fd, int *columns, int *rows) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0)
        return -errno;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}

static void note(int number) {
    int before = errno;
    noted[number == SIGTSTP    ? CLINUX_SIGNAL_STOP
          : number == SIGCONT  ? CLINUX_SIGNAL_CONTINUE
          : number == SIGWINCH ? CLINUX_SIGNAL_RESIZE
                               : CLINUX_SIGNAL_END] = 1;
    // A full pipe wakes the loop as well.
    if (write(wake[1], "", 1) < 0)
        errno = before;
    errno = before;
}

int clinux_catch_signals(void) {
    if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return -errno;
    memset((void *)noted, 0, sizeof noted);
    // Without SA_RESTART, so that a write that nobody reads ends.
    struct sigaction action = {.sa_handler = note};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], &action, NULL) != 0)
            return -errno;
    return wake[0];
}

void clinux_release_signals(void) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        (void)sigaction(signals[i], &standard, NULL);
    close(wake[0]);
    close(wake[1]);
}

int clinux_next_signal(void) {
    char emptied[64];
    while (read(wake[0], emptied, sizeof emptied) > 0) {
    }
    for (int wish = CLINUX_SIGNAL_END; wish <= CLINUX_SIGNAL_RESIZE; wish++)
        if (noted[wish]) {
            noted[wish] = 0;
            return wish;
        }
    return CLINUX_SIGNAL_NONE;
}

int clinux_stop_here(void) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    struct sigaction before;
    // SIGTSTP and not SIGSTOP: where nobody could continue the process, the kernel does not stop it.
    if (sigaction(SIGTSTP, &standard, &before) != 0 || raise(SIGTSTP) != 0)
        return -errno;
    return sigaction(SIGTSTP, &before, NULL) != 0 ? -errno : 0;
}
