// SPDX-License-Identifier: Apache-2.0
/*
 * The helper process as the module sees it: started or connected to, talked to until a deadline, ended and reaped. It
 * knows no PAM types. It must leave the calling program as it was: no descriptor, child, signal or handler changed.
 */
#ifndef SECONDLOOK_HELPER_H
#define SECONDLOOK_HELPER_H

#include "guard.h"
#include "wire.h"

/* How a step went. Everything but HELPER_OK ends the attempt as a fault. */
enum helper_status {
    HELPER_OK = 0,
    HELPER_ABSENT,    /* nobody listens at the service's socket */
    HELPER_UNTRUSTED, /* the file or the peer is not what root put there */
    HELPER_SYSTEM,    /* a system call failed, `error` says how */
    HELPER_LATE,      /* the deadline has passed */
    HELPER_CLOSED,    /* it ended without a verdict */
    HELPER_GARBLED,   /* it sent bytes that are no message, or more after its verdict */
    HELPER_DISAGREES, /* its verdict and the way it ended are not the same */
    HELPER_LOST,      /* somebody else took its exit status */
};

/* One conversation. All fields belong to helper.c and exchange.c; zero it before the first call. */
struct helper {
    int socket;           /* -1 when closed */
    int process;          /* pidfd, -1 when there is none or it has been reaped */
    int64_t deadline;     /* ns of the monotonic clock; ns left while the clock stands still */
    bool reset;           /* the stream broke off instead of ending */
    int error;            /* errno of the last HELPER_SYSTEM, HELPER_ABSENT or HELPER_UNTRUSTED */
    int exit_code;        /* siginfo's si_code once reaped, else 0 */
    int exit_status;      /* siginfo's si_status once reaped */
    struct guard signals; /* the caller's SIGCHLD */
    size_t held;
    uint8_t buffer[WIRE_REPLY_MOST];
};

/*
 * Starts the program at `path` with `--conf CONF` (unless null) as root with nothing of the caller's surroundings, a
 * socket as its descriptor 0. The file must be regular, owned by root and writable by nobody else; what was checked is
 * what is executed. `deadline` in ms counts until helper_end, except while the conversation is paused.
 */
enum helper_status helper_start(struct helper *helper, const char *path, const char *conf, uint32_t deadline);

/* Connects to the service at `path` instead; HELPER_UNTRUSTED when the listener is not root. No child, no signals. */
enum helper_status helper_connect(struct helper *helper, const char *path, uint32_t deadline);

/* Sends all `count` bytes. */
enum helper_status helper_send(struct helper *helper, const uint8_t *bytes, size_t count);

/* Sets `quiet` when the helper has said nothing that was not received yet, and has not left. */
enum helper_status helper_is_quiet(struct helper *helper, bool *quiet);

/*
 * Waits for the next message. A verdict is given only when it is to be believed: it was the last thing said, and a
 * helper that was started has exited with the same number.
 */
enum helper_status helper_receive(struct helper *helper, struct wire_reply *reply);

/*
 * Stops the clock while the caller's conversation function runs. With `asking`, when the helper has nothing to do but
 * wait for the answer, the caller's SIGCHLD is given back too, so that it may run programs of its own.
 */
enum helper_status helper_pause(struct helper *helper, bool asking);

/* Goes on after helper_pause. */
enum helper_status helper_resume(struct helper *helper);

/*
 * Closes the socket and ends the process: it has `grace` ms to go by itself, then it is killed; in 80 ms more it is
 * reaped or given up. Puts everything of the caller's back. Safe after any failure and when nothing was started.
 */
enum helper_status helper_end(struct helper *helper, int grace);

/* A short text for the log. */
const char *helper_describe(enum helper_status status);

#endif
