// SPDX-License-Identifier: Apache-2.0
/*
 * poll() with an end that is a point in time, not a duration: under a storm of signals the time that has passed is
 * measured anew at each turn, in nanoseconds, so that rounding cannot stretch it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "deadline.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <time.h>

bool deadline_now(int64_t *now) {
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0)
        return false;
    *now = (int64_t)time.tv_sec * 1000 * DEADLINE_NS_PER_MS + time.tv_nsec;
    return true;
}

static enum deadline_result poll_until(struct pollfd *watched, nfds_t count, int64_t deadline) {
    for (;;) {
        int64_t now;
        if (!deadline_now(&now))
            return DEADLINE_FAILED;
        const int64_t left = deadline > now ? deadline - now : 0;
        const struct timespec wait = {.tv_sec = left / (1000 * DEADLINE_NS_PER_MS),
                                      .tv_nsec = left % (1000 * DEADLINE_NS_PER_MS)};
        const int ready = ppoll(watched, count, &wait, NULL);
        if (ready > 0)
            return DEADLINE_READY;
        if (ready == 0 && left == 0)
            return DEADLINE_PASSED;
        if (ready < 0 && errno != EINTR)
            return DEADLINE_FAILED;
        if (ready < 0 && left == 0)
            return DEADLINE_PASSED;
    }
}

enum deadline_result deadline_poll(int descriptor, int64_t deadline) {
    struct pollfd watched = {.fd = descriptor, .events = POLLIN};
    return poll_until(&watched, 1, deadline);
}

enum deadline_result deadline_poll_writable(int descriptor, int64_t deadline) {
    struct pollfd watched = {.fd = descriptor, .events = POLLOUT};
    return poll_until(&watched, 1, deadline);
}

enum deadline_result deadline_sleep(int64_t deadline, int ms) {
    int64_t now;
    if (!deadline_now(&now))
        return DEADLINE_FAILED;
    const int64_t end = now + ms * DEADLINE_NS_PER_MS;
    if (end >= deadline)
        return DEADLINE_PASSED;
    const enum deadline_result result = poll_until(NULL, 0, end);
    return result == DEADLINE_PASSED ? DEADLINE_READY : result;
}
