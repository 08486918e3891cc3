// SPDX-License-Identifier: Apache-2.0
#ifndef SECONDLOOK_CPICTURE_H
#define SECONDLOOK_CPICTURE_H
#endif
