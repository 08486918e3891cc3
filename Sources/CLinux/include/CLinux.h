// SPDX-License-Identifier: Apache-2.0
#ifndef SECONDLOOK_CLINUX_H
#define SECONDLOOK_CLINUX_H
#include "clinux_sandbox.h"
#endif
