// SPDX-License-Identifier: Apache-2.0
// The long tail of pixel formats, by libv4lconvert. It runs in the sandbox only; its helper processes (for some webcams
// of the nineties) cannot be started there, and such a camera counts as one without a usable format.
#ifndef SECONDLOOK_CVIDEO_H
#define SECONDLOOK_CVIDEO_H

#include <stddef.h>
#include <stdint.h>

struct cvideo_format {
    uint32_t code, width, height, bytes_per_line, image_bytes;
};

/// An opaque converter for a camera's descriptor, which must stay open as long; null when there is none.
void *cvideo_open(int camera);
void cvideo_close(void *converter);

/// Which of the camera's own formats is best turned into RGB of about this size; `source` is to be set with S_FMT. 0 or
/// a negative errno.
int cvideo_choose_source(void *converter, uint32_t width, uint32_t height, struct cvideo_format *source);

/// Converts one picture into interleaved RGB, width * height * 3 bytes. 0 or a negative errno (-EBADMSG: the picture is
/// damaged or too short).
int cvideo_convert(void *converter, const struct cvideo_format *source, const uint8_t *bytes, size_t length,
                   uint8_t *rgb, size_t rgb_length);

#endif
