// SPDX-License-Identifier: Apache-2.0
#ifndef SECONDLOOK_CSECCOMP_H
#define SECONDLOOK_CSECCOMP_H
#endif
