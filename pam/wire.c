// SPDX-License-Identifier: Apache-2.0
/*
 * Frames of the conversation between module and helper: see wire.h. Every read is behind a check of what is left, so
 * that no sequence of bytes reaches beyond its buffer; Tests/Fuzz tries to prove otherwise.
 */
#include "wire.h"

#include <string.h>

/* Where the next byte goes; room is guaranteed by the constants of wire.h. */
struct writer {
    uint8_t *bytes;
    size_t count;
};

/* What is left of a payload. */
struct reader {
    const uint8_t *bytes;
    size_t left;
};

static void put_u8(struct writer *writer, uint8_t value) {
    writer->bytes[writer->count++] = value;
}

static void put_u16(struct writer *writer, size_t value) {
    put_u8(writer, (uint8_t)(value >> 8));
    put_u8(writer, (uint8_t)value);
}

static struct writer start_frame(uint8_t *frame, enum wire_type type) {
    struct writer writer = {.bytes = frame, .count = 0};
    put_u8(&writer, WIRE_VERSION);
    put_u8(&writer, (uint8_t)type);
    put_u16(&writer, 0);
    return writer;
}

static size_t end_frame(const struct writer *writer) {
    const size_t payload = writer->count - WIRE_HEADER;
    writer->bytes[2] = (uint8_t)(payload >> 8);
    writer->bytes[3] = (uint8_t)payload;
    return writer->count;
}

/* Bytes of the UTF-8 character at `bytes`, 0 when there is none: no overlong forms, no surrogates, nothing above
 * 10FFFF. */
static size_t character_length(const uint8_t *bytes, size_t left) {
    if (left == 0)
        return 0;
    const uint8_t lead = bytes[0];
    if (lead < 0x80)
        return 1;
    size_t length;
    uint8_t least = 0x80, most = 0xBF; /* of the second byte */
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
        if (lead == 0xE0)
            least = 0xA0;
        if (lead == 0xED)
            most = 0x9F;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        if (lead == 0xF0)
            least = 0x90;
        if (lead == 0xF4)
            most = 0x8F;
    } else {
        return 0;
    }
    if (left < length || bytes[1] < least || bytes[1] > most)
        return 0;
    for (size_t i = 2; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
    }
    return length;
}

/* True for UTF-8 without a NUL. */
static bool is_text(const uint8_t *bytes, size_t count) {
    while (count > 0) {
        const size_t length = character_length(bytes, count);
        if (length == 0 || bytes[0] == 0)
            return false;
        bytes += length;
        count -= length;
    }
    return true;
}

/* Puts a text that only informs: it is made fit to send, and one that is not empty never becomes empty. */
static void put_mended_text(struct writer *writer, const char *text) {
    const uint8_t *bytes = (const uint8_t *)(text != NULL ? text : "");
    size_t left = strlen((const char *)bytes);
    const size_t start = writer->count;
    put_u16(writer, 0);
    size_t written = 0;
    while (left > 0) {
        const size_t length = character_length(bytes, left);
        const size_t step = length == 0 ? 1 : length;
        if (written + step > WIRE_FIELD_MOST)
            break;
        if (length == 0)
            put_u8(writer, '?');
        for (size_t i = 0; i < length; i++)
            put_u8(writer, bytes[i]);
        written += step;
        bytes += step;
        left -= step;
    }
    writer->bytes[start] = (uint8_t)(written >> 8);
    writer->bytes[start + 1] = (uint8_t)written;
}

enum wire_status wire_encode_begin(const struct wire_begin *begin, uint8_t *frame, size_t *length) {
    const size_t user_length = begin->user != NULL ? strlen(begin->user) : 0;
    if (user_length < 1 || user_length > WIRE_FIELD_MOST)
        return WIRE_BAD_RANGE;
    if (!is_text((const uint8_t *)begin->user, user_length))
        return WIRE_BAD_TEXT;
    if (begin->deadline < WIRE_DEADLINE_LEAST || begin->deadline > WIRE_DEADLINE_MOST)
        return WIRE_BAD_RANGE;
    struct writer writer = start_frame(frame, WIRE_BEGIN);
    put_u8(&writer, (uint8_t)((begin->face_only ? 1 : 0) | (begin->debug ? 2 : 0)));
    put_u16(&writer, begin->deadline >> 16);
    put_u16(&writer, begin->deadline & 0xFFFF);
    put_mended_text(&writer, begin->user); /* checked above, so that nothing is mended */
    put_mended_text(&writer, begin->service);
    put_mended_text(&writer, begin->tty);
    put_mended_text(&writer, begin->rhost);
    put_mended_text(&writer, begin->ruser);
    *length = end_frame(&writer);
    return WIRE_OK;
}

enum wire_status wire_encode_typed(enum wire_type type, const char *bytes, size_t count, uint8_t *frame,
                                   size_t *length) {
    if (type != WIRE_SECRET && type != WIRE_ANSWER)
        return WIRE_BAD_TYPE;
    if (count > WIRE_SECRET_MOST)
        return WIRE_BAD_RANGE;
    if (count > 0 && memchr(bytes, 0, count) != NULL)
        return WIRE_BAD_TEXT;
    struct writer writer = start_frame(frame, type);
    if (count > 0)
        memcpy(frame + writer.count, bytes, count);
    writer.count += count;
    *length = end_frame(&writer);
    return WIRE_OK;
}

void wire_encode_cancel(uint8_t *frame) {
    const struct writer writer = start_frame(frame, WIRE_CANCEL);
    (void)end_frame(&writer);
}

static bool take_u8(struct reader *reader, uint8_t *value) {
    if (reader->left < 1)
        return false;
    *value = reader->bytes[0];
    reader->bytes += 1;
    reader->left -= 1;
    return true;
}

static enum wire_status take_flag(struct reader *reader, bool *flag) {
    uint8_t value;
    if (!take_u8(reader, &value))
        return WIRE_SHORT;
    if (value > 1)
        return WIRE_BAD_RANGE;
    *flag = value == 1;
    return WIRE_OK;
}

static enum wire_status take_text(struct reader *reader, size_t most, struct wire_reply *reply) {
    uint8_t high, low;
    if (!take_u8(reader, &high) || !take_u8(reader, &low))
        return WIRE_SHORT;
    const size_t length = (size_t)high << 8 | low;
    if (length > most)
        return WIRE_BAD_RANGE;
    if (reader->left < length)
        return WIRE_SHORT;
    if (!is_text(reader->bytes, length))
        return WIRE_BAD_TEXT;
    memcpy(reply->text, reader->bytes, length);
    reply->text[length] = 0;
    reply->length = length;
    reader->bytes += length;
    reader->left -= length;
    return WIRE_OK;
}

static enum wire_status take_outcome(struct reader *reader, uint8_t *outcome) {
    if (!take_u8(reader, outcome))
        return WIRE_SHORT;
    switch (*outcome) {
    case WIRE_ACCEPTED:
    case WIRE_REFUSED:
    case WIRE_NOT_JUDGED:
    case WIRE_LOCKED:
    case WIRE_UNKNOWN_USER:
    case WIRE_SKIPPED:
    case WIRE_FAULT:
        return WIRE_OK;
    default:
        return WIRE_BAD_RANGE;
    }
}

/* The longest text of a type with one, 0 of the verdict; false for a type that this side does not receive. */
static bool text_limit(uint8_t type, size_t *most) {
    switch (type) {
    case WIRE_READY:
    case WIRE_PROMPT:
        *most = WIRE_FIELD_MOST;
        return true;
    case WIRE_NOTICE:
        *most = WIRE_NOTICE_MOST;
        return true;
    case WIRE_VERDICT:
        *most = 0;
        return true;
    default:
        return false;
    }
}

enum wire_status wire_decode_reply(const uint8_t *bytes, size_t count, struct wire_reply *reply, size_t *used) {
    memset(reply, 0, sizeof *reply);
    size_t most;
    if (count < 1)
        return WIRE_MORE;
    if (bytes[0] != WIRE_VERSION)
        return WIRE_BAD_VERSION;
    if (count < 2)
        return WIRE_MORE;
    if (!text_limit(bytes[1], &most))
        return WIRE_BAD_TYPE;
    if (count < WIRE_HEADER)
        return WIRE_MORE;
    const size_t length = (size_t)bytes[2] << 8 | bytes[3];
    if (length > (bytes[1] == WIRE_VERDICT ? 1 : 3 + most))
        return WIRE_BAD_LENGTH;
    if (count - WIRE_HEADER < length)
        return WIRE_MORE;

    struct reader reader = {.bytes = bytes + WIRE_HEADER, .left = length};
    enum wire_status status;
    reply->type = bytes[1];
    if (reply->type == WIRE_VERDICT) {
        status = take_outcome(&reader, &reply->outcome);
    } else {
        status = take_flag(&reader, &reply->flag);
        if (status == WIRE_OK)
            status = take_text(&reader, most, reply);
    }
    if (status == WIRE_OK && reader.left > 0)
        status = WIRE_TRAILING;
    if (status == WIRE_OK)
        *used = WIRE_HEADER + length;
    return status;
}
