// SPDX-License-Identifier: Apache-2.0
// The functions live in channel.c, files.c, process.c and system.c; this file only proves that the headers stand by
// themselves.
#include "CLinux.h"
