// SPDX-License-Identifier: Apache-2.0
// The parts of the webcam of software: what it shows (reels.c), what it says of itself (description.c), and the
// conversation (camera.c).
#ifndef SECONDLOOK_VM_CAMERA_H
#define SECONDLOOK_VM_CAMERA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WIDTH = 640,
    HEIGHT = 480,
    MOST_FORMATS = 4,
    ENDPOINT = 1,
};

// What the command line says.
struct camera {
    unsigned vendor, product;
    const char *serial;
    int rate;
    int format_count;
    const struct format *formats[MOST_FORMATS];
    // The folder with what is seen.
    const char *scene;
};

struct format {
    const char *name;
    uint8_t bits; // of a pixel; 0 for JPEG
    char code[5];
};

_Noreturn void fail(const char *what);

// NULL for a name that is not known.
const struct format *find_format(const char *name);

// Bytes of a frame, at most.
uint32_t frame_size(const struct format *format);

// The next frame of the camera's format of this number; false when there is none.
bool next_frame(const struct camera *camera, int number, const uint8_t **frame, size_t *size);

// The answers to requests of descriptors: the size, or -EPIPE for one that does not exist.
int describe_device(const struct camera *camera, uint8_t *answer);
int describe_configuration(const struct camera *camera, uint8_t *answer);
int describe_text(const struct camera *camera, int number, uint8_t *answer);

#endif
