// SPDX-License-Identifier: Apache-2.0
// The few parts of libsodium that are used: sealing, keyed hashing, comparing.
#ifndef SECONDLOOK_CSODIUM_H
#define SECONDLOOK_CSODIUM_H
#include <stddef.h>
#include <stdint.h>

enum csodium_length {
    CSODIUM_KEY = 32,
    CSODIUM_NONCE = 24,
    CSODIUM_TAG = 16,
    CSODIUM_HASH = 32,
    CSODIUM_SALT = 16,
};

/// 0 once the library is ready, else -1.
int csodium_start(void);
/// XChaCha20-Poly1305: `sealed` has room for `count` + CSODIUM_TAG bytes. 0 or -1.
int csodium_seal(uint8_t *sealed, const uint8_t *plain, size_t count, const uint8_t *bound, size_t bound_count,
                 const uint8_t *nonce, const uint8_t *key);
/// Opens what was sealed; `plain` has room for `count` - CSODIUM_TAG bytes. 0, or -1 when anything is not as it was
/// sealed.
int csodium_open(uint8_t *plain, const uint8_t *sealed, size_t count, const uint8_t *bound, size_t bound_count,
                 const uint8_t *nonce, const uint8_t *key);
/// BLAKE2b-256, keyed when `key_count` is not 0. 0 or -1.
int csodium_hash(uint8_t *hash, const uint8_t *bytes, size_t count, const uint8_t *key, size_t key_count);
/// Argon2id: CSODIUM_KEY bytes of a passphrase and CSODIUM_SALT bytes of salt. 0, or -1 when there is not enough
/// memory.
int csodium_stretch(uint8_t *key, const char *passphrase, size_t count, const uint8_t *salt, uint32_t passes,
                    uint32_t kibibytes);
/// 1 when equal, in time that does not depend on the content.
int csodium_is_equal(const uint8_t *one, const uint8_t *other, size_t count);

/// A hash under way: BLAKE2b-256 or SHA-256.
struct csodium_digest;
/// Begins; NULL when there is no memory.
struct csodium_digest *csodium_begin_digest(int sha256);
int csodium_add_to_digest(struct csodium_digest *digest, const void *bytes, size_t count);
/// Writes CSODIUM_HASH bytes; 0 or -1.
int csodium_finish_digest(struct csodium_digest *digest, uint8_t *hash);
void csodium_free_digest(struct csodium_digest *digest);
#endif
