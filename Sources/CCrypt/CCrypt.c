// SPDX-License-Identifier: Apache-2.0
// The shadow entry of a user and the check of a password against a hash, for every scheme libcrypt knows.
#define _GNU_SOURCE
#include "CCrypt.h"

#include <crypt.h>
#include <errno.h>
#include <shadow.h>
#include <stdlib.h>
#include <string.h>

static int copy_shadow(const struct spwd *found, struct ccrypt_shadow *shadow) {
    const char *hash = found->sp_pwdp != NULL ? found->sp_pwdp : "*";
    size_t length = strlen(hash);
    if (length >= sizeof shadow->hash)
        return -EOVERFLOW;
    memcpy(shadow->hash, hash, length + 1);
    shadow->last_change = found->sp_lstchg;
    shadow->longest_age = found->sp_max;
    shadow->inactive = found->sp_inact;
    shadow->expires = found->sp_expire;
    return 1;
}

int ccrypt_find_shadow(const char *name, struct ccrypt_shadow *shadow) {
    for (size_t size = 4096; size <= 1 << 20; size *= 4) {
        char *room = malloc(size);
        if (room == NULL)
            return -ENOMEM;
        struct spwd entry;
        struct spwd *found = NULL;
        int error;
        do
            error = getspnam_r(name, &entry, room, size, &found);
        while (error == EINTR);
        int result = found != NULL ? copy_shadow(found, shadow) : error == ENOENT || error == 0 ? 0 : -error;
        explicit_bzero(room, size);
        free(room);
        if (result != -ERANGE)
            return result;
    }
    return -ERANGE;
}

int ccrypt_check(const void *password, size_t count, const char *hash) {
    char *phrase = malloc(count + 1);
    struct crypt_data *data = calloc(1, sizeof *data);
    int result = -1;
    if (phrase != NULL && data != NULL) {
        memcpy(phrase, password, count);
        phrase[count] = '\0';
        const char *made = crypt_r(phrase, hash, data);
        // A failure token begins with '*', as no hash does.
        if (made != NULL && made[0] != '*') {
            size_t length = strlen(hash);
            unsigned char differs = strlen(made) != length;
            for (size_t i = 0; differs == 0 && i < length; i++)
                differs |= (unsigned char)(made[i] ^ hash[i]);
            result = differs == 0;
        } else if (count >= CRYPT_MAX_PASSPHRASE_SIZE && errno == ERANGE) {
            // Longer than any password can have been set.
            result = 0;
        }
    }
    if (phrase != NULL) {
        explicit_bzero(phrase, count + 1);
        free(phrase);
    }
    if (data != NULL) {
        explicit_bzero(data, sizeof *data);
        free(data);
    }
    return result;
}

int ccrypt_make_salt(char *salt, size_t room) {
    return crypt_gensalt_rn(NULL, 0, NULL, 0, salt, (int)room) != NULL ? 0 : -1;
}

int ccrypt_make_hash(const char *password, const char *salt, char *hash, size_t room) {
    struct crypt_data *data = calloc(1, sizeof *data);
    if (data == NULL)
        return -1;
    const char *made = crypt_r(password, salt, data);
    int result = made != NULL && made[0] != '*' && strlen(made) < room ? 0 : -1;
    if (result == 0)
        memcpy(hash, made, strlen(made) + 1);
    explicit_bzero(data, sizeof *data);
    free(data);
    return result;
}

void ccrypt_wipe(struct ccrypt_shadow *shadow) {
    explicit_bzero(shadow, sizeof *shadow);
}
