// SPDX-License-Identifier: Apache-2.0
#ifndef SECONDLOOK_CCRYPT_H
#define SECONDLOOK_CCRYPT_H
#endif
