// SPDX-License-Identifier: Apache-2.0
// Still pictures and the JPEG frames of cameras, decoded from memory. libjpeg reports errors by longjmp and libpng by
// setjmp, neither of which Swift may be on the stack of: here they become return values. No function keeps a pointer
// after its return.
#ifndef SECONDLOOK_CPICTURE_H
#define SECONDLOOK_CPICTURE_H

#include <stddef.h>
#include <stdint.h>

// Every function returns 0 or a negative errno: -EBADMSG for bytes that are damaged or end too soon, -EFBIG for sides
// beyond the limit, -ENOTSUP for a kind of picture that is not read, -EINVAL for another size than announced, -ENOMEM.

struct cpicture_size {
    uint32_t width;
    uint32_t height;
};

enum { CPICTURE_MESSAGE_BYTES = 200 };

// Reads the header alone. `message` (CPICTURE_MESSAGE_BYTES) is set to the library's words when it fails.
int cpicture_measure_jpeg(const uint8_t *bytes, size_t length, uint32_t limit, struct cpicture_size *size,
                          char *message);
int cpicture_measure_png(const uint8_t *bytes, size_t length, uint32_t limit, struct cpicture_size *size,
                         char *message);

// Decodes into `pixels`, which holds exactly width * height * channels bytes (channels 1: grey, 3: RGB). Damage that
// the library would paper over with grey (data that ends too soon, broken entropy coding) is an error; stray bytes
// between segments, which some cameras send with every good frame, are not.
int cpicture_decode_jpeg(const uint8_t *bytes, size_t length, struct cpicture_size size, int channels, uint8_t *pixels,
                         char *message);
int cpicture_decode_png(const uint8_t *bytes, size_t length, struct cpicture_size size, int channels, uint8_t *pixels,
                        char *message);

// Encodes; on entry *length is the room in `bytes`, afterwards what was (or, with -ENOSPC, would be) used.
int cpicture_encode_png(const uint8_t *pixels, struct cpicture_size size, int channels, uint8_t *bytes, size_t *length,
                        char *message);
int cpicture_encode_jpeg(const uint8_t *pixels, struct cpicture_size size, int channels, int quality, uint8_t *bytes,
                         size_t *length, char *message);

#endif
