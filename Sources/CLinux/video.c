// SPDX-License-Identifier: Apache-2.0
// See clinux_video.h.
#define _GNU_SOURCE
#include "clinux_video.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

static int request(int camera, unsigned long number, void *argument) {
    int result;
    do {
        result = ioctl(camera, number, argument);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

int clinux_video_identify(int camera, struct clinux_video_identity *identity) {
    struct v4l2_capability capability = {0};
    int result = request(camera, VIDIOC_QUERYCAP, &capability);
    if (result != 0)
        return result;
    memset(identity, 0, sizeof *identity);
    memcpy(identity->driver, capability.driver, sizeof capability.driver);
    memcpy(identity->card, capability.card, sizeof capability.card);
    memcpy(identity->bus, capability.bus_info, sizeof capability.bus_info);
    identity->capabilities =
        capability.capabilities & V4L2_CAP_DEVICE_CAPS ? capability.device_caps : capability.capabilities;
    return 0;
}

int clinux_video_format_at(int camera, uint32_t index, uint32_t *code) {
    struct v4l2_fmtdesc description = {.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    int result = request(camera, VIDIOC_ENUM_FMT, &description);
    *code = description.pixelformat;
    return result;
}

int clinux_video_sizes_at(int camera, uint32_t code, uint32_t index, struct clinux_video_sizes *sizes) {
    struct v4l2_frmsizeenum row = {.index = index, .pixel_format = code};
    int result = request(camera, VIDIOC_ENUM_FRAMESIZES, &row);
    if (result != 0)
        return result;
    if (row.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
        *sizes = (struct clinux_video_sizes){row.discrete.width,  row.discrete.width,  1,
                                             row.discrete.height, row.discrete.height, 1};
    } else {
        if (index > 0)
            return -EINVAL; // a range has one row only
        *sizes =
            (struct clinux_video_sizes){row.stepwise.min_width,  row.stepwise.max_width,  row.stepwise.step_width,
                                        row.stepwise.min_height, row.stepwise.max_height, row.stepwise.step_height};
    }
    return 0;
}

static uint32_t rate_of(struct v4l2_fract interval) {
    if (interval.numerator == 0)
        return 0;
    uint64_t tenths = 10ull * interval.denominator / interval.numerator;
    return tenths > 10000 ? 10000 : (uint32_t)tenths;
}

int clinux_video_best_rate(int camera, uint32_t code, uint32_t width, uint32_t height) {
    uint32_t best = 0;
    for (uint32_t index = 0; index < 64; index++) {
        struct v4l2_frmivalenum row = {.index = index, .pixel_format = code, .width = width, .height = height};
        int result = request(camera, VIDIOC_ENUM_FRAMEINTERVALS, &row);
        if (result != 0)
            break;
        uint32_t rate = rate_of(row.type == V4L2_FRMIVAL_TYPE_DISCRETE ? row.discrete : row.stepwise.min);
        if (rate > best)
            best = rate;
        if (row.type != V4L2_FRMIVAL_TYPE_DISCRETE)
            break;
    }
    return (int)best;
}

int clinux_video_set_format(int camera, struct clinux_video_format *format) {
    struct v4l2_format wanted = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    wanted.fmt.pix.width = format->width;
    wanted.fmt.pix.height = format->height;
    wanted.fmt.pix.pixelformat = format->code;
    wanted.fmt.pix.field = V4L2_FIELD_ANY;
    int result = request(camera, VIDIOC_S_FMT, &wanted);
    if (result != 0)
        return result;
    struct v4l2_pix_format chosen = wanted.fmt.pix;
    uint32_t quantization = chosen.quantization;
    if (quantization == V4L2_QUANTIZATION_DEFAULT)
        quantization = V4L2_MAP_QUANTIZATION_DEFAULT(0, chosen.colorspace, chosen.ycbcr_enc);
    *format = (struct clinux_video_format){chosen.pixelformat, chosen.width,
                                           chosen.height,      chosen.bytesperline,
                                           chosen.sizeimage,   quantization == V4L2_QUANTIZATION_FULL_RANGE};
    return 0;
}

int clinux_video_set_rate(int camera, uint32_t tenths) {
    struct v4l2_streamparm parameters = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    if (tenths > 0) {
        parameters.parm.capture.timeperframe = (struct v4l2_fract){10, tenths};
        int result = request(camera, VIDIOC_S_PARM, &parameters);
        // A driver without rates answers ENOTTY or EINVAL, which is no fault.
        if (result != 0)
            return result == -ENOTTY || result == -EINVAL ? 0 : result;
    }
    return (int)rate_of(parameters.parm.capture.timeperframe);
}

int clinux_video_request_buffers(int camera, uint32_t count) {
    struct v4l2_requestbuffers wanted = {
        .count = count, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    int result = request(camera, VIDIOC_REQBUFS, &wanted);
    return result != 0 ? result : (int)wanted.count;
}

static struct v4l2_buffer buffer_at(uint32_t index) {
    return (struct v4l2_buffer){.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
}

int clinux_video_map_buffer(int camera, uint32_t index, const uint8_t **address, size_t *length) {
    struct v4l2_buffer buffer = buffer_at(index);
    int result = request(camera, VIDIOC_QUERYBUF, &buffer);
    if (result != 0)
        return result;
    if (buffer.length == 0)
        return -EINVAL;
    // Some drivers insist on a writable mapping although the pictures are only read.
    void *mapping = mmap(NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, camera, buffer.m.offset);
    if (mapping == MAP_FAILED)
        return -errno;
    *address = mapping;
    *length = buffer.length;
    return 0;
}

void clinux_video_unmap_buffer(const uint8_t *address, size_t length) {
    munmap((void *)address, length);
}

int clinux_video_queue_buffer(int camera, uint32_t index) {
    struct v4l2_buffer buffer = buffer_at(index);
    return request(camera, VIDIOC_QBUF, &buffer);
}

int clinux_video_take_buffer(int camera, struct clinux_video_buffer *taken) {
    struct v4l2_buffer buffer = buffer_at(0);
    int result = request(camera, VIDIOC_DQBUF, &buffer);
    if (result != 0)
        return result;
    bool monotonic = (buffer.flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    uint64_t milliseconds = (uint64_t)buffer.timestamp.tv_sec * 1000 + (uint64_t)buffer.timestamp.tv_usec / 1000;
    *taken = (struct clinux_video_buffer){buffer.index, buffer.bytesused, buffer.sequence,
                                          (buffer.flags & V4L2_BUF_FLAG_ERROR) != 0, monotonic ? milliseconds : 0};
    return 0;
}

int clinux_video_start(int camera) {
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    return request(camera, VIDIOC_STREAMON, &type);
}

int clinux_video_stop(int camera) {
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    return request(camera, VIDIOC_STREAMOFF, &type);
}
