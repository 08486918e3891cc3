// SPDX-License-Identifier: Apache-2.0
// Video4Linux requests with plain arguments. The kernel's structures, with their unions and bit fields, stay in C.
// Every function returns 0 (or what its comment says) or a negative errno, and restarts a request that a signal
// interrupted.
#ifndef SECONDLOOK_CLINUX_VIDEO_H
#define SECONDLOOK_CLINUX_VIDEO_H

#include <stddef.h>
#include <stdint.h>

struct clinux_video_identity {
    char driver[17], card[33], bus[33];
    uint32_t capabilities; // of this node, not of the whole device
};

struct clinux_video_format {
    uint32_t code; // four characters, the first one lowest
    uint32_t width, height;
    uint32_t bytes_per_line, image_bytes;
    uint32_t full_range; // 1: luminance 0 to 255 instead of 16 to 235
};

/// The sizes from the least to the most in steps; a single size has both equal.
struct clinux_video_sizes {
    uint32_t least_width, most_width, step_width;
    uint32_t least_height, most_height, step_height;
};

struct clinux_video_buffer {
    uint32_t index, bytes, sequence;
    uint32_t damaged;      // 1: the driver says the picture is incomplete
    uint64_t milliseconds; // monotonic clock; 0 when the driver uses another clock
};

enum {
    CLINUX_VIDEO_CAPTURE = 0x00000001,
    CLINUX_VIDEO_CAPTURE_PLANES = 0x00001000,
    CLINUX_VIDEO_MEMORY_TO_MEMORY = 0x00008000,
    CLINUX_VIDEO_MEMORY_TO_MEMORY_PLANES = 0x00004000,
    CLINUX_VIDEO_OUTPUT = 0x00000002,
    CLINUX_VIDEO_METADATA = 0x00800000,
    CLINUX_VIDEO_STREAMING = 0x04000000,
};

int clinux_video_identify(int camera, struct clinux_video_identity *identity);

/// Row `index` of the list of formats; -EINVAL after the last.
int clinux_video_format_at(int camera, uint32_t index, uint32_t *code);

/// Row `index` of the list of sizes of a format; -EINVAL after the last.
int clinux_video_sizes_at(int camera, uint32_t code, uint32_t index, struct clinux_video_sizes *sizes);

/// Returns the highest rate of a mode in tenths of frames a second; 0 when the driver does not tell.
int clinux_video_best_rate(int camera, uint32_t code, uint32_t width, uint32_t height);

/// Asks for a format; afterwards it holds what the driver chose.
int clinux_video_set_format(int camera, struct clinux_video_format *format);

/// Asks for a rate in tenths of frames a second; returns what the driver chose, 0 when it does not tell.
int clinux_video_set_rate(int camera, uint32_t tenths);

/// Returns how many buffers the driver granted; 0 frees them.
int clinux_video_request_buffers(int camera, uint32_t count);

int clinux_video_map_buffer(int camera, uint32_t index, const uint8_t **address, size_t *length);
void clinux_video_unmap_buffer(const uint8_t *address, size_t length);
int clinux_video_queue_buffer(int camera, uint32_t index);

/// -EAGAIN when none is ready.
int clinux_video_take_buffer(int camera, struct clinux_video_buffer *buffer);
int clinux_video_start(int camera);
int clinux_video_stop(int camera);

#endif
