// SPDX-License-Identifier: Apache-2.0
#ifndef SECONDLOOK_CSQLITE_H
#define SECONDLOOK_CSQLITE_H
#endif
