// SPDX-License-Identifier: Apache-2.0
// See CVideo.h.
#include "CVideo.h"

#include <errno.h>
#include <libv4lconvert.h>
#include <limits.h>

void *cvideo_open(int camera) {
    return v4lconvert_create(camera);
}

void cvideo_close(void *converter) {
    if (converter != NULL)
        v4lconvert_destroy(converter);
}

static struct v4l2_format rgb_format(uint32_t width, uint32_t height) {
    struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    format.fmt.pix.width = width;
    format.fmt.pix.height = height;
    format.fmt.pix.pixelformat = V4L2_PIX_FMT_RGB24;
    format.fmt.pix.field = V4L2_FIELD_ANY;
    format.fmt.pix.bytesperline = width * 3;
    format.fmt.pix.sizeimage = width * height * 3;
    return format;
}

int cvideo_choose_source(void *converter, uint32_t width, uint32_t height, struct cvideo_format *source) {
    struct v4l2_format wanted = rgb_format(width, height), found = {0};
    if (v4lconvert_try_format(converter, &wanted, &found) != 0)
        return errno != 0 ? -errno : -EINVAL;
    if (wanted.fmt.pix.pixelformat != V4L2_PIX_FMT_RGB24)
        return -EINVAL;
    *source = (struct cvideo_format){found.fmt.pix.pixelformat, found.fmt.pix.width, found.fmt.pix.height,
                                     found.fmt.pix.bytesperline, found.fmt.pix.sizeimage};
    return 0;
}

int cvideo_convert(void *converter, const struct cvideo_format *source, const uint8_t *bytes, size_t length,
                   uint8_t *rgb, size_t rgb_length) {
    if (length > INT_MAX || rgb_length > INT_MAX)
        return -EINVAL;
    if (rgb_length != (size_t)source->width * source->height * 3)
        return -EINVAL;
    struct v4l2_format from = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    from.fmt.pix.pixelformat = source->code;
    from.fmt.pix.width = source->width;
    from.fmt.pix.height = source->height;
    from.fmt.pix.bytesperline = source->bytes_per_line;
    from.fmt.pix.sizeimage = source->image_bytes;
    from.fmt.pix.field = V4L2_FIELD_NONE;
    struct v4l2_format to = rgb_format(source->width, source->height);
    to.fmt.pix.field = V4L2_FIELD_NONE;
    int written = v4lconvert_convert(converter, &from, &to, (unsigned char *)bytes, (int)length, rgb, (int)rgb_length);
    return written == (int)rgb_length ? 0 : -EBADMSG;
}
