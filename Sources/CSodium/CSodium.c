// SPDX-License-Identifier: Apache-2.0
// The few parts of libsodium that are used: sealing, keyed hashing, comparing.
#include "CSodium.h"

#include <sodium.h>
#include <stdlib.h>

_Static_assert(CSODIUM_KEY == crypto_aead_xchacha20poly1305_ietf_KEYBYTES, "key");
_Static_assert(CSODIUM_NONCE == crypto_aead_xchacha20poly1305_ietf_NPUBBYTES, "nonce");
_Static_assert(CSODIUM_TAG == crypto_aead_xchacha20poly1305_ietf_ABYTES, "tag");
_Static_assert(CSODIUM_HASH == crypto_generichash_BYTES && CSODIUM_HASH == crypto_hash_sha256_BYTES, "hash");
_Static_assert(CSODIUM_SALT == crypto_pwhash_SALTBYTES, "salt");

int csodium_start(void) {
    return sodium_init() < 0 ? -1 : 0;
}

int csodium_seal(uint8_t *sealed, const uint8_t *plain, size_t count, const uint8_t *bound, size_t bound_count,
                 const uint8_t *nonce, const uint8_t *key) {
    return crypto_aead_xchacha20poly1305_ietf_encrypt(sealed, NULL, plain, count, bound, bound_count, NULL, nonce, key);
}

int csodium_open(uint8_t *plain, const uint8_t *sealed, size_t count, const uint8_t *bound, size_t bound_count,
                 const uint8_t *nonce, const uint8_t *key) {
    if (count < CSODIUM_TAG)
        return -1;
    return crypto_aead_xchacha20poly1305_ietf_decrypt(plain, NULL, NULL, sealed, count, bound, bound_count, nonce, key);
}

int csodium_hash(uint8_t *hash, const uint8_t *bytes, size_t count, const uint8_t *key, size_t key_count) {
    return crypto_generichash(hash, CSODIUM_HASH, bytes, count, key, key_count);
}

int csodium_stretch(uint8_t *key, const char *passphrase, size_t count, const uint8_t *salt, uint32_t passes,
                    uint32_t kibibytes) {
    return crypto_pwhash(key, CSODIUM_KEY, passphrase, count, salt, passes, (size_t)kibibytes * 1024,
                         crypto_pwhash_ALG_ARGON2ID13);
}

int csodium_is_equal(const uint8_t *one, const uint8_t *other, size_t count) {
    return sodium_memcmp(one, other, count) == 0;
}

struct csodium_digest {
    crypto_generichash_state blake;
    crypto_hash_sha256_state sha;
    int is_sha;
};

struct csodium_digest *csodium_begin_digest(int sha256) {
    struct csodium_digest *digest = NULL;
    // The state of BLAKE2b wants 64-byte alignment.
    if (posix_memalign((void **)&digest, 64, (sizeof *digest + 63) / 64 * 64) != 0)
        return NULL;
    digest->is_sha = sha256;
    int failed =
        sha256 ? crypto_hash_sha256_init(&digest->sha) : crypto_generichash_init(&digest->blake, NULL, 0, CSODIUM_HASH);
    if (failed == 0)
        return digest;
    free(digest);
    return NULL;
}

int csodium_add_to_digest(struct csodium_digest *digest, const void *bytes, size_t count) {
    return digest->is_sha ? crypto_hash_sha256_update(&digest->sha, bytes, count)
                          : crypto_generichash_update(&digest->blake, bytes, count);
}

int csodium_finish_digest(struct csodium_digest *digest, uint8_t *hash) {
    return digest->is_sha ? crypto_hash_sha256_final(&digest->sha, hash)
                          : crypto_generichash_final(&digest->blake, hash, CSODIUM_HASH);
}

void csodium_free_digest(struct csodium_digest *digest) {
    free(digest);
}
