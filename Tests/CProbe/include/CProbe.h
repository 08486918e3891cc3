// SPDX-License-Identifier: Apache-2.0
// What a worker that was taken over would try. Linked by tests and by secondlook-replay, never by an installed program.
#ifndef SECONDLOOK_CPROBE_H
#define SECONDLOOK_CPROBE_H

#include <stddef.h>
#include <stdint.h>

/// How many attempts there are.
int cprobe_count(void);

/// What the attempt does, in a few words.
const char *cprobe_name(int attempt);

/// Makes the attempt. 0 when it SUCCEEDED, which is a hole in the wall; else a negative errno.
int cprobe_attempt(int attempt);

/// Starts `count` (at most 8) threads that wait: they are there before the walls are. 0 or a negative errno.
int cprobe_start_bystanders(int count);

/// Starts a thread that takes no signal and ends after so long, as one does that was joined and is not yet
/// put away. 0 or a negative errno.
int cprobe_start_deaf_thread(int milliseconds);

/// Makes every attempt, and some from each bystander: writes "name: errno" lines and a last line "holes: N", where N is
/// how many attempts succeeded. Never writes beyond `size`; returns N.
int cprobe_report(char *room, size_t size);

/// A file in memory, private and read-only or shared and writable; NULL when it cannot be had.
void *cprobe_map(const char *path, int writable, size_t *length);

/// Waits until a time of the monotonic clock in milliseconds.
void cprobe_sleep_until(uint64_t milliseconds);

/// Ends the process at once, as a crash would.
_Noreturn void cprobe_die(void);

#endif
