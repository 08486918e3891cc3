// SPDX-License-Identifier: Apache-2.0
/*
 * The C half of the conversation between module and helper (docs/protocol.md): what the module says is put into bytes,
 * what it hears is taken out of them and every number checked. No I/O, no allocation, no state. It is also the SwiftPM
 * target CWire, so that Tests/WireTests runs both codecs against the same frames.
 */
#ifndef SECONDLOOK_WIRE_H
#define SECONDLOOK_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WIRE_VERSION = 1,
    WIRE_HEADER = 4,         /* bytes before a payload */
    WIRE_FIELD_MOST = 256,   /* bytes of a text in `begin`, of a prompt */
    WIRE_NOTICE_MOST = 512,  /* bytes of a notice */
    WIRE_SECRET_MOST = 1024, /* bytes of a secret or an answer */
    WIRE_DEADLINE_LEAST = 1000,
    WIRE_DEADLINE_MOST = 300000,
    WIRE_BEGIN_MOST = WIRE_HEADER + 1 + 4 + 5 * (2 + WIRE_FIELD_MOST),
    WIRE_TYPED_MOST = WIRE_HEADER + WIRE_SECRET_MOST,
    WIRE_REPLY_MOST = WIRE_HEADER + 1 + 2 + WIRE_NOTICE_MOST,
};

/* The types of frames that this side sends and receives. */
enum wire_type {
    WIRE_BEGIN = 0x01,
    WIRE_SECRET = 0x02,
    WIRE_CANCEL = 0x03,
    WIRE_ANSWER = 0x04,
    WIRE_READY = 0x81,
    WIRE_NOTICE = 0x82,
    WIRE_PROMPT = 0x83,
    WIRE_VERDICT = 0x84,
};

/* The bytes of a verdict; the helper's exit code is the same number. */
enum wire_outcome {
    WIRE_ACCEPTED = 0x41,
    WIRE_REFUSED = 0x52,
    WIRE_NOT_JUDGED = 0x4E,
    WIRE_LOCKED = 0x4C,
    WIRE_UNKNOWN_USER = 0x55,
    WIRE_SKIPPED = 0x49,
    WIRE_FAULT = 0x46,
};

/* What became of a decoding or an encoding; the names are those of Swift's WireError. */
enum wire_status {
    WIRE_OK = 0,
    WIRE_MORE,        /* not whole yet: more bytes are needed */
    WIRE_BAD_VERSION, /* another version of the protocol */
    WIRE_BAD_TYPE,    /* a type that this side does not receive */
    WIRE_BAD_LENGTH,  /* longer than the type allows */
    WIRE_SHORT,       /* the payload ends before the message does */
    WIRE_TRAILING,    /* bytes are left over after the message */
    WIRE_BAD_TEXT,    /* not UTF-8, or with a NUL */
    WIRE_BAD_RANGE,   /* a number or a length outside its range */
};

/* What an attempt begins with. Texts are NUL-terminated; a null pointer is an empty text. */
struct wire_begin {
    bool face_only;    /* factor=face: the password is checked elsewhere */
    bool debug;        /* log more */
    uint32_t deadline; /* ms, WIRE_DEADLINE_LEAST to WIRE_DEADLINE_MOST */
    const char *user;  /* 1 to 256 bytes of UTF-8; anything else is refused, never changed */
    const char *service;
    const char *tty; /* these four: bytes that are not UTF-8 become '?', what is too long is cut */
    const char *rhost;
    const char *ruser;
};

/* What the helper said. */
struct wire_reply {
    enum wire_type type;
    bool flag;       /* ready: a secret is wanted; notice: an error; prompt: echo what is typed */
    uint8_t outcome; /* verdict: one of enum wire_outcome */
    size_t length;   /* of the text, without its NUL */
    char text[WIRE_NOTICE_MOST + 1];
};

/*
 * Puts a `begin` into `frame`, which has room for WIRE_BEGIN_MOST bytes, and its length into `length`. WIRE_BAD_TEXT or
 * WIRE_BAD_RANGE when the user's name or the deadline cannot be sent as it is.
 */
enum wire_status wire_encode_begin(const struct wire_begin *begin, uint8_t *frame, size_t *length);

/*
 * Puts a secret or an answer of `count` bytes into `frame`, which has room for WIRE_TYPED_MOST bytes. WIRE_BAD_RANGE
 * when it is longer than WIRE_SECRET_MOST, WIRE_BAD_TEXT when it has a NUL, WIRE_BAD_TYPE when `type` is another.
 */
enum wire_status wire_encode_typed(enum wire_type type, const char *bytes, size_t count, uint8_t *frame,
                                   size_t *length);

/* Puts a `cancel` into `frame`, which has room for WIRE_HEADER bytes. */
void wire_encode_cancel(uint8_t *frame);

/*
 * Takes the first frame off `count` received bytes. WIRE_OK fills in `reply` and how many bytes the frame `used`;
 * WIRE_MORE when it is not whole; anything else ends the conversation. Faults are found as early as the bytes allow.
 */
enum wire_status wire_decode_reply(const uint8_t *bytes, size_t count, struct wire_reply *reply, size_t *used);

#endif
