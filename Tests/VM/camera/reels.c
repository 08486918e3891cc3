// SPDX-License-Identifier: Apache-2.0
// What the webcam shows: SCENE/FORMAT is a file of frames of 640x480, one after the other, played round and round. It
// may be replaced at any time.
#define _GNU_SOURCE
#include "camera.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FRAMES = 4096 };

static const struct format known_formats[] = {
    {"mjpeg", 0, "MJPG"}, {"yuyv", 16, "YUY2"}, {"grey", 8, "Y800"}, {"nv12", 12, "NV12"}};

const struct format *find_format(const char *name) {
    for (size_t i = 0; i < sizeof known_formats / sizeof *known_formats; i++)
        if (strcmp(known_formats[i].name, name) == 0)
            return &known_formats[i];
    return NULL;
}

uint32_t frame_size(const struct format *format) {
    // A JPEG picture takes no more than the plainest raw one.
    return WIDTH * HEIGHT * (format->bits ? format->bits : 16u) / 8;
}

struct reel {
    uint8_t *bytes;
    size_t size;
    size_t starts[MOST_FRAMES + 1];
    int count, next;
    dev_t device;
    ino_t inode;
};

static struct reel reels[MOST_FORMATS];

static void find_frames(struct reel *reel, const struct format *format) {
    reel->count = 0;
    for (size_t at = 0; at < reel->size && reel->count < MOST_FRAMES; reel->count++) {
        reel->starts[reel->count] = at;
        if (format->bits) {
            at += frame_size(format);
        } else {
            // A picture ends with FF D9, and the next one begins right after it with FF D8.
            const uint8_t *seam = memmem(reel->bytes + at, reel->size - at, "\xff\xd9\xff\xd8", 4);
            at = seam == NULL ? reel->size : (size_t)(seam - reel->bytes) + 2;
        }
    }
    reel->starts[reel->count] = reel->size;
    reel->next = 0;
}

static void map(struct reel *reel, int file, const struct stat *status, const char *path) {
    if (reel->bytes != NULL)
        munmap(reel->bytes, reel->size);
    reel->size = (size_t)status->st_size;
    reel->device = status->st_dev;
    reel->inode = status->st_ino;
    reel->bytes = mmap(NULL, reel->size, PROT_READ, MAP_PRIVATE, file, 0);
    if (reel->bytes == MAP_FAILED)
        fail(path);
}

bool next_frame(const struct camera *camera, int number, const uint8_t **frame, size_t *size) {
    struct reel *reel = &reels[number];
    char path[512];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", camera->scene, camera->formats[number]->name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    if (fstat(file, &status) != 0)
        fail(path);
    if (reel->bytes == NULL || status.st_ino != reel->inode || status.st_dev != reel->device) {
        map(reel, file, &status, path);
        find_frames(reel, camera->formats[number]);
    }
    close(file);
    if (reel->count == 0)
        return false;
    *frame = reel->bytes + reel->starts[reel->next];
    *size = reel->starts[reel->next + 1] - reel->starts[reel->next];
    reel->next = (reel->next + 1) % reel->count;
    return true;
}
