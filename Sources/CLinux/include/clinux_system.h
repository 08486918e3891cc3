// SPDX-License-Identifier: Apache-2.0
// Clocks, randomness, users, the system log and memory for secrets.
#ifndef SECONDLOOK_CLINUX_SYSTEM_H
#define SECONDLOOK_CLINUX_SYSTEM_H
#include <stddef.h>
#include <stdint.h>

/// Milliseconds of CLOCK_MONOTONIC.
uint64_t clinux_monotonic_milliseconds(void);
/// Milliseconds of CLOCK_BOOTTIME: since the boot, sleep counted.
uint64_t clinux_boot_milliseconds(void);
/// Milliseconds of CLOCK_REALTIME since 1970.
int64_t clinux_wall_milliseconds(void);
/// Milliseconds of processor time this process has used.
uint64_t clinux_processor_milliseconds(void);
/// Fills `bytes` from the kernel's generator; 0 or a negative errno.
int clinux_fill_random(void *bytes, size_t count);
/// Memory that is not swapped (where the limit allows) and not dumped; NULL when there is none.
void *clinux_allocate_secret(size_t count);
/// Overwrites and frees it.
void clinux_free_secret(void *bytes, size_t count);
/// Overwrites memory in a way the compiler keeps.
void clinux_wipe(void *bytes, size_t count);

/// An account, its texts in the caller's room.
struct clinux_user {
    uint32_t uid;
    uint32_t gid;
    const char *name;
    const char *home;
};
/// 1 when found, 0 when there is none, or a negative errno (-ERANGE: more room is needed).
int clinux_find_user(const char *name, char *room, size_t size, struct clinux_user *user);
int clinux_find_user_by_id(uint32_t uid, char *room, size_t size, struct clinux_user *user);

int clinux_own_process(void);
/// The kind of this processor, as far as number-crunching libraries choose their code by it: printable, ended by a NUL.
void clinux_describe_processor(char *room, size_t size);
/// One line to the facility AUTHPRIV under the name secondlook. `severity` is 0 (emergency) to 7 (debug).
void clinux_log(int severity, const char *line);
/// What strerror says, into the caller's room.
void clinux_describe_error(int number, char *room, size_t size);
/// A variable of the environment, or NULL; for programs that an administrator starts.
const char *clinux_find_variable(const char *name);
/// 1 when the descriptor is a terminal, else 0.
int clinux_is_terminal(int fd);
#endif
