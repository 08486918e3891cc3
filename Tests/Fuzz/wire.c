// SPDX-License-Identifier: Apache-2.0
/*
 * Fuzz target of the module's codec (pam/wire.c). The bytes are what a helper might send, then what a login program
 * might hand over. Besides memory errors, which the sanitizers find, it stops at anything wire.h rules out.
 */
#include "../../pam/wire.h"

#include "target.h"

#include <stdlib.h>
#include <string.h>

static void must(bool held) {
    if (!held)
        abort();
}

/* A copy of exactly that size, so that a read beyond it is seen. */
static uint8_t *copy_of(const uint8_t *bytes, size_t count) {
    uint8_t *copy = malloc(count > 0 ? count : 1);
    must(copy != NULL);
    if (count > 0)
        memcpy(copy, bytes, count);
    return copy;
}

static void check_reply(const struct wire_reply *reply, size_t used, size_t count) {
    must(used >= WIRE_HEADER && used <= count && used <= WIRE_REPLY_MOST);
    must(reply->length <= WIRE_NOTICE_MOST && strlen(reply->text) == reply->length);
    must(reply->type >= WIRE_READY && reply->type <= WIRE_VERDICT);
    must((reply->type == WIRE_VERDICT) == (reply->outcome != 0));
    must(reply->type == WIRE_NOTICE || reply->length <= WIRE_FIELD_MOST);
}

/* Reads messages until the bytes are no message, as the module does. */
static void read_stream(const uint8_t *bytes, size_t count) {
    size_t start = 0;
    for (;;) {
        struct wire_reply reply, again;
        size_t used = 0, ignored = 0;
        uint8_t *copy = copy_of(bytes + start, count - start);
        const enum wire_status status = wire_decode_reply(copy, count - start, &reply, &used);
        if (status == WIRE_OK) {
            check_reply(&reply, used, count - start);
            /* With a byte less it is not whole, and nothing that follows changes it. */
            must(wire_decode_reply(copy, used - 1, &again, &ignored) == WIRE_MORE);
            must(wire_decode_reply(copy, used, &again, &ignored) == WIRE_OK && ignored == used);
            must(memcmp(&reply, &again, sizeof reply) == 0);
        }
        free(copy);
        if (status != WIRE_OK)
            return;
        start += used;
    }
}

/* Takes a text off the bytes, up to the next NUL. */
static char *take_text(const uint8_t **bytes, size_t *count) {
    const uint8_t *end = *count > 0 ? memchr(*bytes, 0, *count) : NULL;
    const size_t length = end != NULL ? (size_t)(end - *bytes) : *count;
    char *text = malloc(length + 1);
    must(text != NULL);
    if (length > 0)
        memcpy(text, *bytes, length);
    text[length] = 0;
    const size_t taken = end != NULL ? length + 1 : length;
    *bytes += taken;
    *count -= taken;
    return text;
}

static void write_begin(const uint8_t *bytes, size_t count) {
    char *texts[5];
    size_t length = 0;
    uint8_t *frame = malloc(WIRE_BEGIN_MOST);
    must(frame != NULL);
    const uint32_t deadline = count > 0 ? bytes[0] * 2000U : 0;
    for (int i = 0; i < 5; i++)
        texts[i] = take_text(&bytes, &count);
    const struct wire_begin begin = {.deadline = deadline,
                                     .user = texts[0],
                                     .service = texts[1],
                                     .tty = texts[2],
                                     .rhost = texts[3],
                                     .ruser = texts[4]};
    if (wire_encode_begin(&begin, frame, &length) == WIRE_OK) {
        must(length <= WIRE_BEGIN_MOST && length == WIRE_HEADER + (size_t)(frame[2] << 8 | frame[3]));
        const size_t user = (size_t)frame[9] << 8 | frame[10];
        must(user == strlen(texts[0]) && memcmp(frame + 11, texts[0], user) == 0);
        for (int i = 0, at = 9; i < 5; i++) {
            const size_t sent = (size_t)frame[at] << 8 | frame[at + 1];
            must(sent <= WIRE_FIELD_MOST && (sent == 0) == (texts[i][0] == 0));
            at += 2 + (int)sent;
        }
    }
    for (int i = 0; i < 5; i++)
        free(texts[i]);
    free(frame);
}

static void write_typed(const uint8_t *bytes, size_t count) {
    uint8_t *frame = malloc(WIRE_TYPED_MOST);
    size_t length = 0;
    must(frame != NULL);
    const bool fits = count <= WIRE_SECRET_MOST && (count == 0 || memchr(bytes, 0, count) == NULL);
    const enum wire_status status = wire_encode_typed(WIRE_SECRET, (const char *)bytes, count, frame, &length);
    must((status == WIRE_OK) == fits);
    must(!fits || (length == WIRE_HEADER + count && (count == 0 || memcmp(frame + WIRE_HEADER, bytes, count) == 0)));
    free(frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    read_stream(bytes, count);
    write_begin(bytes, count);
    write_typed(bytes, count);
    return 0;
}
