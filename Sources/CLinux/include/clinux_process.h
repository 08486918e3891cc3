// SPDX-License-Identifier: Apache-2.0
// Starting one child that inherits nothing but what it is given, and ending it.
#ifndef SECONDLOOK_CLINUX_PROCESS_H
#define SECONDLOOK_CLINUX_PROCESS_H
#include <stddef.h>
#include <stdint.h>

/// What a child is started with.
struct clinux_spawn_request {
    /// The program, opened; it is executed by descriptor, so that what was checked is what runs.
    int program;
    /// Arguments, ended by NULL; the first is the program's name.
    const char *const *arguments;
    /// The environment, ended by NULL.
    const char *const *environment;
    /// `from[i]` of this process becomes `to[i]` of the child; every other descriptor is closed. At most 16.
    const int *from;
    const int *to;
    size_t count;
    /// 1: the child is killed when this process ends.
    int dies_with_parent;
    /// 1: the child becomes `user` and `group`, without further groups.
    int changes_user;
    uint32_t user;
    uint32_t group;
};

/// Starts a child in a session of its own, in `/`, with umask 077, default signal dispositions and an empty signal
/// mask. The process id, and in `pidfd` a descriptor of the process; or the negative errno of the step that failed,
/// also of the exec itself.
int clinux_spawn(const struct clinux_spawn_request *request, int *pidfd);
/// Waits for the end of a child until the deadline (milliseconds of the monotonic clock). 0 still running, 1 exited
/// with `*code`, 2 killed by signal `*code`, or a negative errno (-ECHILD: someone else has reaped it).
int clinux_wait_child(int pidfd, uint64_t deadline, int *code);
/// Sends a signal to the process behind a descriptor; 0 or a negative errno.
int clinux_kill(int pidfd, int signal);
/// SIGKILL, for callers that import no C library.
int clinux_kill_signal(void);
/// Default dispositions for all signals but SIGPIPE, which is ignored; an empty mask; umask 077; working directory `/`.
int clinux_reset_process(void);
/// Opens /dev/null on each of 0, 1 and 2 that is closed; 0 or a negative errno.
int clinux_fill_standard_descriptors(void);
/// Ends the process by SIGALRM after so many seconds whatever happens; 0 takes it back.
void clinux_set_alarm(unsigned seconds);
/// No core file and no ptrace by processes of the same user; 0 or a negative errno.
int clinux_forbid_dumps(void);
/// 1: large blocks of the heap go back to the kernel the moment they are freed, and threads share one heap; 0: the C
/// library keeps blocks of up to 32 MB again, which is quicker for buffers that come and go.
void clinux_return_freed_memory(int at_once);
/// Lets the heap grow by `bytes`, at most 512 MB, and has all of it made at once (Linux 5.14). It is an improvement and
/// no condition, so there is nothing to answer.
void clinux_widen_heap(size_t bytes);
/// Ends the process at once with this code, running no exit handlers.
_Noreturn void clinux_exit(int code);
#endif
