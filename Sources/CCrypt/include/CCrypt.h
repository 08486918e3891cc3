// SPDX-License-Identifier: Apache-2.0
// The shadow entry of a user and the check of a password against a hash, for every scheme libcrypt knows.
#ifndef SECONDLOOK_CCRYPT_H
#define SECONDLOOK_CCRYPT_H
#include <stddef.h>

/// A shadow entry; times are days since 1970, -1 is "not set".
struct ccrypt_shadow {
    char hash[512];
    long last_change;
    long longest_age;
    long inactive;
    long expires;
};

/// 1 when found, 0 when there is no entry, or a negative errno.
int ccrypt_find_shadow(const char *name, struct ccrypt_shadow *shadow);
/// 1 when the password (`count` bytes without a NUL) has this hash, 0 when not, -1 when the scheme is unknown or the
/// call failed. All copies of the password are wiped.
int ccrypt_check(const void *password, size_t count, const char *hash);
/// A fresh salt of the system's preferred scheme, with its usual cost; 0 or -1.
int ccrypt_make_salt(char *salt, size_t room);
/// The hash of a password, for tests; 0 or -1.
int ccrypt_make_hash(const char *password, const char *salt, char *hash, size_t room);
void ccrypt_wipe(struct ccrypt_shadow *shadow);
#endif
