// SPDX-License-Identifier: Apache-2.0
// The libpng half, by its simplified interface: it keeps setjmp to itself and always answers 8 bits in sRGB.
#include "CPicture.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <png.h>

static int open_png(png_image *image, const uint8_t *bytes, size_t length, char *message) {
    memset(image, 0, sizeof *image);
    image->version = PNG_IMAGE_VERSION;
    message[0] = 0;
    if (png_image_begin_read_from_memory(image, bytes, length))
        return 0;
    snprintf(message, CPICTURE_MESSAGE_BYTES, "%s", image->message);
    return -EBADMSG;
}

int cpicture_measure_png(const uint8_t *bytes, size_t length, uint32_t limit, struct cpicture_size *size,
                         char *message) {
    png_image image;
    int result = open_png(&image, bytes, length, message);
    if (result)
        return result;
    size->width = image.width;
    size->height = image.height;
    png_image_free(&image);
    return size->width > limit || size->height > limit ? -EFBIG : 0;
}

int cpicture_decode_png(const uint8_t *bytes, size_t length, struct cpicture_size size, int channels, uint8_t *pixels,
                        char *message) {
    png_image image;
    int result = open_png(&image, bytes, length, message);
    if (result)
        return result;
    if (image.width != size.width || image.height != size.height) {
        png_image_free(&image);
        return -EINVAL;
    }
    // Transparent parts are laid on white, as a viewer shows them.
    png_color white = {255, 255, 255};
    image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    int whole = png_image_finish_read(&image, &white, pixels, (png_int_32)(size.width * (uint32_t)channels), NULL);
    if (!whole)
        snprintf(message, CPICTURE_MESSAGE_BYTES, "%s", image.message);
    png_image_free(&image);
    return whole ? 0 : -EBADMSG;
}

int cpicture_encode_png(const uint8_t *pixels, struct cpicture_size size, int channels, uint8_t *bytes, size_t *length,
                        char *message) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = size.width;
    image.height = size.height;
    image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    message[0] = 0;
    png_alloc_size_t used = *length;
    png_alloc_size_t room = used;
    int done =
        png_image_write_to_memory(&image, bytes, &used, 0, pixels, (png_int_32)(size.width * (uint32_t)channels), NULL);
    *length = used;
    if (done)
        return 0;
    snprintf(message, CPICTURE_MESSAGE_BYTES, "%s", image.message);
    png_image_free(&image);
    return used > room ? -ENOSPC : -EBADMSG;
}
