// SPDX-License-Identifier: Apache-2.0
// The walls around the worker that are plain system calls: user, capabilities, Landlock, resource limits. The
// system-call filter is CSeccomp's. Every function returns 0 or a negative errno.
#ifndef SECONDLOOK_CLINUX_SANDBOX_H
#define SECONDLOOK_CLINUX_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// The Landlock version of the kernel, or a negative errno (-ENOSYS, -EOPNOTSUPP) where there is none.
int clinux_landlock_version(void);

/// No new privileges and a Landlock domain that allows no path, no port and no signal, on every thread of the process:
/// a thread that the inference runtime had started would otherwise stay outside. With `landlock` false only
/// no_new_privs is set.
int clinux_confine_threads(bool landlock);

/// Leaves all groups, becomes `user` and `group` for good on every thread, and empties every capability set. Proves it
/// afterwards.
int clinux_become(uid_t user, gid_t group);

/// Bounds what the process may use: no file can grow, no core is written, no process can be made, `descriptors` at
/// most, `extra_bytes` of address space beyond what is mapped now, `cpu_seconds` of processor time beyond what was
/// used.
int clinux_limit_resources(uint64_t descriptors, uint64_t extra_bytes, uint64_t cpu_seconds);

/// True when the process holds no capability and can gain none.
bool clinux_has_no_capabilities(void);

/// The effective user.
uid_t clinux_effective_user(void);

#endif
