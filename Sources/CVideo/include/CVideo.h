// SPDX-License-Identifier: Apache-2.0
#ifndef SECONDLOOK_CVIDEO_H
#define SECONDLOOK_CVIDEO_H
#endif
