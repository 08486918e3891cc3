// SPDX-License-Identifier: Apache-2.0
/*
 * Pictures from hostile files and cameras: measured and decoded as Capture does it, with the limits of the worker. What
 * is decoded must be filled, and nothing may be decoded that was not measured.
 */
#include "target.h"

#include "CPicture.h"

#include <stdlib.h>
#include <string.h>

/* Smaller than the worker's 4096: a fuzzer must not spend its time on large empty pictures. */
enum { SIDE_MOST = 512 };

static void must(int holds) {
    if (!holds)
        abort();
}

typedef int measure(const uint8_t *, size_t, uint32_t, struct cpicture_size *, char *);
typedef int decode(const uint8_t *, size_t, struct cpicture_size, int, uint8_t *, char *);

static void try_both(measure *measured, decode *decoded, const uint8_t *bytes, size_t count) {
    struct cpicture_size size = {0, 0};
    char message[CPICTURE_MESSAGE_BYTES] = {0};
    const int result = measured(bytes, count, SIDE_MOST, &size, message);
    must(memchr(message, 0, sizeof message) != NULL);
    if (result != 0)
        return;
    must(size.width >= 1 && size.width <= SIDE_MOST && size.height >= 1 && size.height <= SIDE_MOST);
    for (int channels = 1; channels <= 3; channels += 2) {
        uint8_t *pixels = malloc((size_t)size.width * size.height * (size_t)channels);
        must(pixels != NULL);
        (void)decoded(bytes, count, size, channels, pixels, message);
        must(memchr(message, 0, sizeof message) != NULL);
        free(pixels);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    try_both(cpicture_measure_jpeg, cpicture_decode_jpeg, bytes, count);
    try_both(cpicture_measure_png, cpicture_decode_png, bytes, count);
    return 0;
}
