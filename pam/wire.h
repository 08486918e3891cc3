// SPDX-License-Identifier: Apache-2.0
#ifndef SECONDLOOK_WIRE_H
#define SECONDLOOK_WIRE_H
#endif
