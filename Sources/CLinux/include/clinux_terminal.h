// SPDX-License-Identifier: Apache-2.0
// The terminal as a screen that is given back as it was found.
#ifndef SECONDLOOK_CLINUX_TERMINAL_H
#define SECONDLOOK_CLINUX_TERMINAL_H
#include <stddef.h>

/// What a signal asks for.
enum clinux_signal {
    CLINUX_SIGNAL_NONE = 0,
    /// SIGINT, SIGTERM, SIGHUP, SIGQUIT: end.
    CLINUX_SIGNAL_END = 1,
    /// SIGTSTP: leave the screen and stop.
    CLINUX_SIGNAL_STOP = 2,
    /// SIGCONT: the terminal may have been used meanwhile.
    CLINUX_SIGNAL_CONTINUE = 3,
    /// SIGWINCH: the terminal has another size.
    CLINUX_SIGNAL_RESIZE = 4,
};

/// Takes the terminal: another screen without a cursor, keys one by one and not shown. A crash gives it back. One
/// at a time; 0 or a negative errno.
int clinux_screen_enter(int input, int output);
/// Gives the terminal back as it was; 0 (also when it was not taken) or a negative errno.
int clinux_screen_leave(void);
/// Size of a terminal in characters; 0 or a negative errno.
int clinux_screen_size(int fd, int *columns, int *rows);
/// Writes to the terminal that was taken; 0 or a negative errno (-EINTR: a signal wants the end).
int clinux_screen_write(const void *bytes, size_t count);
/// Notes the signals above instead of what they do; a descriptor that becomes readable, or a negative errno.
int clinux_catch_signals(void);
/// Lets the signals do again what they do.
void clinux_release_signals(void);
/// The next noted one as a `clinux_signal`, CLINUX_SIGNAL_NONE when there is none.
int clinux_next_signal(void);
/// Stops this process as SIGTSTP does; returns when it was continued.
int clinux_stop_here(void);
#endif
