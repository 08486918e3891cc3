// SPDX-License-Identifier: Apache-2.0
#ifndef SECONDLOOK_CSODIUM_H
#define SECONDLOOK_CSODIUM_H
#endif
