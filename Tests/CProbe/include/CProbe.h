// SPDX-License-Identifier: Apache-2.0
// What a worker that was taken over would try. Linked by tests and by secondlook-replay, never by an installed program.
#ifndef SECONDLOOK_CPROBE_H
#define SECONDLOOK_CPROBE_H

/// How many attempts there are.
int cprobe_count(void);

/// What the attempt does, in a few words.
const char *cprobe_name(int attempt);

/// Makes the attempt. 0 when it SUCCEEDED, which is a hole in the wall; else a negative errno.
int cprobe_attempt(int attempt);

/// Runs every attempt in a new thread's place: prints "name: errno" lines on a descriptor; returns how many attempts succeeded.
int cprobe_report(int descriptor);

/// Forks; the child calls `inside` with `context`, then makes every attempt, and exits with the number of those that succeeded (or 200
/// when `inside` did not return 0, 201 when it could not be started). `threads` idle threads are running in the child beforehand.
/// The report's lines are written to `descriptor`.
int cprobe_run_child(int (*inside)(void *context), void *context, int threads, int descriptor);

#endif
