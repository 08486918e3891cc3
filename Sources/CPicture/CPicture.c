// SPDX-License-Identifier: Apache-2.0
// The libjpeg half: error manager with longjmp, a source that never waits for more, and a bound on progressive scans.
#include "CPicture.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

// A progressive picture may repeat scans without end at a few bytes each; encoders write about ten.
enum { most_scans = 64 };

struct failure {
    struct jpeg_error_mgr manager;
    jmp_buf leave;
    int damaged;
    char *message;
};

static void fail(j_common_ptr shared) {
    struct failure *failure = (struct failure *)shared->err;
    char text[JMSG_LENGTH_MAX];
    failure->manager.format_message(shared, text);
    snprintf(failure->message, CPICTURE_MESSAGE_BYTES, "%s", text);
    longjmp(failure->leave, 1);
}

// Level -1 is a warning: the decoder goes on with made-up pixels. Only stray bytes before a marker leave the picture
// whole.
static void note(j_common_ptr shared, int level) {
    struct failure *failure = (struct failure *)shared->err;
    int code = failure->manager.msg_code;
    if (level >= 0 || code == JWRN_EXTRANEOUS_DATA || code == JWRN_ADOBE_XFORM || code == JWRN_JFIF_MAJOR)
        return;
    failure->damaged = 1;
    char text[JMSG_LENGTH_MAX];
    failure->manager.format_message(shared, text);
    snprintf(failure->message, CPICTURE_MESSAGE_BYTES, "%s", text);
}

static void print_nothing(j_common_ptr shared) {
    (void)shared;
}

static void bound_scans(j_common_ptr shared) {
    j_decompress_ptr decoder = (j_decompress_ptr)shared;
    if (shared->is_decompressor && decoder->input_scan_number > most_scans) {
        struct failure *failure = (struct failure *)shared->err;
        snprintf(failure->message, CPICTURE_MESSAGE_BYTES, "more than %d scans", most_scans);
        longjmp(failure->leave, 1);
    }
}

static struct jpeg_error_mgr *prepare(struct failure *failure, char *message) {
    struct jpeg_error_mgr *manager = jpeg_std_error(&failure->manager);
    manager->error_exit = fail;
    manager->emit_message = note;
    manager->output_message = print_nothing;
    failure->damaged = 0;
    failure->message = message;
    message[0] = 0;
    return manager;
}

int cpicture_measure_jpeg(const uint8_t *bytes, size_t length, uint32_t limit, struct cpicture_size *size,
                          char *message) {
    struct jpeg_decompress_struct decoder;
    struct failure failure;
    memset(&decoder, 0, sizeof decoder);
    decoder.err = prepare(&failure, message);
    if (setjmp(failure.leave)) {
        jpeg_destroy_decompress(&decoder);
        return -EBADMSG;
    }
    jpeg_create_decompress(&decoder);
    jpeg_mem_src(&decoder, bytes, (unsigned long)length);
    jpeg_read_header(&decoder, TRUE);
    size->width = decoder.image_width;
    size->height = decoder.image_height;
    int components = decoder.num_components;
    jpeg_destroy_decompress(&decoder);
    if (size->width > limit || size->height > limit)
        return -EFBIG;
    return components == 1 || components == 3 ? 0 : -ENOTSUP;
}

int cpicture_decode_jpeg(const uint8_t *bytes, size_t length, struct cpicture_size size, int channels, uint8_t *pixels,
                         char *message) {
    struct jpeg_decompress_struct decoder;
    struct jpeg_progress_mgr progress = {.progress_monitor = bound_scans};
    struct failure failure;
    memset(&decoder, 0, sizeof decoder);
    decoder.err = prepare(&failure, message);
    if (setjmp(failure.leave)) {
        jpeg_destroy_decompress(&decoder);
        return -EBADMSG;
    }
    jpeg_create_decompress(&decoder);
    decoder.progress = &progress;
    jpeg_mem_src(&decoder, bytes, (unsigned long)length);
    jpeg_read_header(&decoder, TRUE);
    if (decoder.image_width != size.width || decoder.image_height != size.height) {
        jpeg_destroy_decompress(&decoder);
        return -EINVAL;
    }
    decoder.out_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_start_decompress(&decoder);
    while (decoder.output_scanline < decoder.output_height) {
        JSAMPROW row = pixels + (size_t)decoder.output_scanline * size.width * (size_t)channels;
        jpeg_read_scanlines(&decoder, &row, 1);
    }
    jpeg_finish_decompress(&decoder);
    jpeg_destroy_decompress(&decoder);
    return failure.damaged ? -EBADMSG : 0;
}

int cpicture_encode_jpeg(const uint8_t *pixels, struct cpicture_size size, int channels, int quality, uint8_t *bytes,
                         size_t *length, char *message) {
    struct jpeg_compress_struct encoder;
    struct failure failure;
    // Both are written between setjmp and longjmp.
    unsigned char *volatile made = NULL;
    volatile unsigned long used = 0;
    unsigned char *buffer = NULL;
    unsigned long written = 0;
    memset(&encoder, 0, sizeof encoder);
    encoder.err = prepare(&failure, message);
    if (setjmp(failure.leave)) {
        jpeg_destroy_compress(&encoder);
        free(made);
        return -EBADMSG;
    }
    jpeg_create_compress(&encoder);
    jpeg_mem_dest(&encoder, &buffer, &written);
    encoder.image_width = size.width;
    encoder.image_height = size.height;
    encoder.input_components = channels;
    encoder.in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&encoder);
    jpeg_set_quality(&encoder, quality, TRUE);
    jpeg_start_compress(&encoder, TRUE);
    while (encoder.next_scanline < encoder.image_height) {
        JSAMPROW row = (JSAMPROW)(uintptr_t)(pixels + (size_t)encoder.next_scanline * size.width * (size_t)channels);
        jpeg_write_scanlines(&encoder, &row, 1);
    }
    jpeg_finish_compress(&encoder);
    made = buffer;
    used = written;
    jpeg_destroy_compress(&encoder);
    size_t room = *length;
    *length = used;
    int result = used <= room ? 0 : -ENOSPC;
    if (result == 0)
        memcpy(bytes, made, used);
    free(made);
    return result;
}
