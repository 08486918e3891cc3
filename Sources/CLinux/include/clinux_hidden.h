// SPDX-License-Identifier: Apache-2.0
// A line typed at the terminal that is not shown.
#ifndef SECONDLOOK_CLINUX_HIDDEN_H
#define SECONDLOOK_CLINUX_HIDDEN_H
#include <stddef.h>

/// Shows `prompt` on the controlling terminal and reads a line from it without echo. Whatever happens, a signal
/// included, the terminal is put back first; then the signal takes its course. The bytes without the line end,
/// -ENXIO without a terminal, -E2BIG for a longer line, or another negative errno.
long clinux_read_hidden(const char *prompt, void *bytes, size_t room);
#endif
