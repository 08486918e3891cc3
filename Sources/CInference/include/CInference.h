// SPDX-License-Identifier: Apache-2.0
#ifndef SECONDLOOK_CINFERENCE_H
#define SECONDLOOK_CINFERENCE_H
#endif
