// SPDX-License-Identifier: Apache-2.0
// Everything the product asks of the kernel and the C library, as functions that return a result or a negative errno.
// One header a concern.
#ifndef SECONDLOOK_CLINUX_H
#define SECONDLOOK_CLINUX_H
#include "clinux_channel.h"
#include "clinux_files.h"
#include "clinux_hidden.h"
#include "clinux_process.h"
#include "clinux_sandbox.h"
#include "clinux_system.h"
#include "clinux_terminal.h"
#include "clinux_video.h"
#endif
