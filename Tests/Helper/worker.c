// SPDX-License-Identifier: Apache-2.0
/*
 * A worker that sees the same invented person in every frame, at once and always live: for the test that makes the
 * helper's calls fail, which has to run hundreds of logins. It has no sandbox and is never installed.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Compiled with STRANGER it is another person. */
#ifdef STRANGER
#define PERSON(i) ((i) % 2 == 0 ? 1.0f : -1.0f)
#else
#define PERSON(i) 1.0f
#endif

static unsigned char frame[8192];
static size_t length;

static void put(uint64_t value, int bytes) {
    while (bytes-- > 0)
        frame[length++] = (unsigned char)(value >> (8 * bytes));
}

static void put_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    put(bits, 4);
}

static void begin(unsigned type) {
    length = 0;
    put(1, 1);
    put(type, 1);
    put(0, 2);
}

static void end(void) {
    frame[2] = (unsigned char)((length - 4) >> 8);
    frame[3] = (unsigned char)(length - 4);
    if (send(3, frame, length, MSG_NOSIGNAL) != (ssize_t)length)
        _exit(0);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* One person; `variety` is how much a frame differs from the next, as an enrolment wants it. */
static void put_embedding(uint32_t number, float variety) {
    float values[128];
    float squares = 0;
    for (int i = 0; i < 128; i++) {
        values[i] = PERSON(i) + variety * sinf((float)(number * 37 + (uint32_t)i * 11));
        squares += values[i] * values[i];
    }
    for (int i = 0; i < 128; i++)
        put_float(values[i] / sqrtf(squares));
}

static void send_evidence(uint32_t number, float variety) {
    static const float box[] = {240, 140, 160, 200, 0.95f, 285, 220, 355, 220, 320, 262, 290, 295, 350, 295};
    begin(0x93);
    put(number, 4);
    put(now(), 8);
    put(0, 1);
    put(640, 2);
    put(480, 2);
    put_float(120);
    put_float(40);
    put(number + 1, 8);
    put(1, 1);
    put(1, 4);
    for (size_t i = 0; i < sizeof box / sizeof *box; i++)
        put_float(box[i]);
    put_float(120);
    put_float(45);
    put_float(150);
    put(1 | 2 | 8, 1);
    put_embedding(number, variety);
    put_float(4);
    put_float(number % 2 == 0 ? 2 : -2);
    for (int i = 0; i < 3; i++)
        put_float(0);
    put_float(3);
    put_float(1);
    end();
}

int main(void) {
    begin(0x91);
    put(1 | 2, 1);
    put(31, 1);
    end();
    unsigned char request[5];
    if (recv(3, request, sizeof request, MSG_WAITALL) != sizeof request || request[1] != 0x13)
        return 1;
    begin(0x92);
    put(0, 1);
    put(640, 2);
    put(480, 2);
    put(0, 4);
    put(300, 2);
    end();
    for (uint32_t number = 0;; number++) {
        send_evidence(number, request[4] == 1 ? 0.5f : 0);
        nanosleep(&(struct timespec){.tv_nsec = 55000000}, NULL);
    }
}
