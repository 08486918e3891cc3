// SPDX-License-Identifier: Apache-2.0
/*
 * What is said between start and end of a helper: see helper.h. The verdict is where the care is: it is handed on only
 * when nothing follows it, the other side has closed, and a helper that was started has exited with the same number.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "helper.h"

#include "deadline.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

static enum helper_status failed(struct helper *helper, enum helper_status status) {
    helper->error = errno;
    return status;
}

static enum helper_status waited(struct helper *helper, enum deadline_result result) {
    switch (result) {
    case DEADLINE_READY:
        return HELPER_OK;
    case DEADLINE_PASSED:
        return HELPER_LATE;
    case DEADLINE_FAILED:
        break;
    }
    return failed(helper, HELPER_SYSTEM);
}

enum helper_status helper_send(struct helper *helper, const uint8_t *bytes, size_t count) {
    size_t sent = 0;
    while (sent < count) {
        const ssize_t more = send(helper->socket, bytes + sent, count - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        enum helper_status status = HELPER_OK;
        if (more > 0)
            sent += (size_t)more;
        else if (more == -1 && errno == EAGAIN)
            status = waited(helper, deadline_poll_writable(helper->socket, helper->deadline));
        else if (more == -1 && (errno == EPIPE || errno == ECONNRESET))
            return HELPER_OK; /* it has left; what it said before leaving is still to be read */
        else if (more == 0 || errno != EINTR)
            status = failed(helper, HELPER_SYSTEM);
        if (status != HELPER_OK)
            return status;
    }
    return HELPER_OK;
}

enum helper_status helper_is_quiet(struct helper *helper, bool *quiet) {
    uint8_t next;
    ssize_t waiting;
    do
        waiting = recv(helper->socket, &next, sizeof next, MSG_DONTWAIT | MSG_PEEK);
    while (waiting == -1 && errno == EINTR);
    *quiet = waiting == -1 && errno == EAGAIN && helper->held == 0;
    return waiting != -1 || errno == EAGAIN || errno == ECONNRESET ? HELPER_OK : failed(helper, HELPER_SYSTEM);
}

/* Receives up to `room` bytes; HELPER_CLOSED at the end of the stream. */
static enum helper_status receive_some(struct helper *helper, uint8_t *bytes, size_t room, size_t *count) {
    for (;;) {
        const ssize_t more = recv(helper->socket, bytes, room, MSG_DONTWAIT);
        if (more > 0) {
            *count = (size_t)more;
            return HELPER_OK;
        }
        if (more == 0 || errno == ECONNRESET) {
            helper->reset = more != 0;
            return HELPER_CLOSED;
        }
        if (errno != EAGAIN && errno != EINTR)
            return failed(helper, HELPER_SYSTEM);
        const enum helper_status status = waited(helper, deadline_poll(helper->socket, helper->deadline));
        if (status != HELPER_OK)
            return status;
    }
}

/* Takes the exit status of a helper that was started: by itself, and with the verdict's number. */
static enum helper_status confirm_exit(struct helper *helper, uint8_t outcome) {
    siginfo_t info = {0};
    const enum helper_status status = waited(helper, deadline_poll(helper->process, helper->deadline));
    if (status != HELPER_OK)
        return status;
    if (waitid((idtype_t)P_PIDFD, (id_t)helper->process, &info, WEXITED | WNOHANG) != 0)
        return failed(helper, errno == ECHILD ? HELPER_LOST : HELPER_SYSTEM);
    helper->exit_code = info.si_code;
    helper->exit_status = info.si_status;
    return info.si_pid != 0 && info.si_code == CLD_EXITED && info.si_status == outcome ? HELPER_OK : HELPER_DISAGREES;
}

/* A verdict was read: nothing may follow it but the end. */
static enum helper_status settle(struct helper *helper, uint8_t outcome) {
    uint8_t extra;
    size_t count = 0;
    if (helper->held > 0)
        return HELPER_GARBLED;
    const enum helper_status status = receive_some(helper, &extra, 1, &count);
    if (status == HELPER_OK)
        return HELPER_GARBLED;
    if (status != HELPER_CLOSED)
        return status;
    if (helper->process != -1)
        return confirm_exit(helper, outcome);
    return helper->reset ? HELPER_GARBLED : HELPER_OK;
}

enum helper_status helper_receive(struct helper *helper, struct wire_reply *reply) {
    for (;;) {
        size_t used = 0, count = 0;
        const enum wire_status read = wire_decode_reply(helper->buffer, helper->held, reply, &used);
        if (read == WIRE_OK) {
            helper->held -= used;
            memmove(helper->buffer, helper->buffer + used, helper->held);
            return reply->type == WIRE_VERDICT ? settle(helper, reply->outcome) : HELPER_OK;
        }
        if (read != WIRE_MORE)
            return HELPER_GARBLED;
        const enum helper_status status =
            receive_some(helper, helper->buffer + helper->held, sizeof helper->buffer - helper->held, &count);
        if (status != HELPER_OK)
            return status;
        helper->held += count;
    }
}
