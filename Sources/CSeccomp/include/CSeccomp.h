// SPDX-License-Identifier: Apache-2.0
// The system-call filter around the worker, by libseccomp.
#ifndef SECONDLOOK_CSECCOMP_H
#define SECONDLOOK_CSECCOMP_H

#include <stdbool.h>

/// True when the kernel can filter system calls and spread a filter to all threads.
bool cseccomp_is_available(void);

/// Installs the worker's allow-list on all threads; every other call is answered with EPERM. Returns 0 or a negative
/// errno.
int cseccomp_confine_worker(void);

#endif
