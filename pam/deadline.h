// SPDX-License-Identifier: Apache-2.0
/*
 * Waiting that ends. Every wait of the module goes through here, so that interruptions by signals neither end one early
 * nor let it go on for ever.
 */
#ifndef SECONDLOOK_DEADLINE_H
#define SECONDLOOK_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

#define DEADLINE_NS_PER_MS ((int64_t)1000000)

enum deadline_result { DEADLINE_READY, DEADLINE_PASSED, DEADLINE_FAILED };

/* ns of the monotonic clock. */
bool deadline_now(int64_t *now);

/* Waits until `descriptor` can be read (or has ended), or `deadline` has passed. */
enum deadline_result deadline_poll(int descriptor, int64_t deadline);

/* The same until it can be written. */
enum deadline_result deadline_poll_writable(int descriptor, int64_t deadline);

/* Sleeps `ms`; DEADLINE_PASSED when `deadline` comes first. */
enum deadline_result deadline_sleep(int64_t deadline, int ms);

#endif
