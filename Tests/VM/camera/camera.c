// SPDX-License-Identifier: Apache-2.0
// A webcam of software, for tests in a virtual machine only: it speaks USB over a socket (USB/IP), the kernel's
// vhci-hcd takes that for a plug, and uvcvideo drives it as any other webcam. It is plugged in while the process lives.
//
//     usb-camera PORT VENDOR:PRODUCT SERIAL RATE SCENE FORMAT...
//
// SCENE is a folder, or a link to one, that may be replaced at any time; SCENE/FORMAT is what is seen in a format
// (mjpeg, yuyv, grey, nv12). Without the file the camera delivers nothing, as one does that hangs.
#define _GNU_SOURCE
#include "camera.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/usb/ch9.h>
#include <linux/usb/video.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_TRANSFERS = 64,
    MOST_SERIAL = 60,
    // 32 packets of 512 bytes: what uvcvideo asks for at once.
    PAYLOAD = 32 * 512,
    HIGH_SPEED = 3,
};

static struct camera camera;

_Noreturn void fail(const char *what) {
    fprintf(stderr, "usb-camera: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t microseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

// The wire: every message begins with this, big-endian.

enum { SUBMIT = 1, UNLINK = 2, SUBMITTED = 3, UNLINKED = 4 };

struct message {
    uint32_t command, sequence, device, is_inward, endpoint;
    union {
        struct {
            uint32_t flags, length, start, packets, interval;
            struct usb_ctrlrequest setup;
        } submit;
        struct {
            uint32_t status, length, start, packets, errors;
            uint8_t padding[8];
        } submitted;
        uint32_t unlink_sequence;
        uint32_t unlinked_status;
    };
};
_Static_assert(sizeof(struct message) == 48, "a header of the protocol");

static int wire;

static void receive(void *bytes, size_t size) {
    if (size > 0 && recv(wire, bytes, size, MSG_WAITALL) != (ssize_t)size)
        exit(0); // unplugged by the kernel's side
}

static void transmit(const struct message *message, const void *bytes, size_t size) {
    if (send(wire, message, sizeof *message, MSG_NOSIGNAL | (size > 0 ? MSG_MORE : 0)) < 0)
        exit(0);
    for (size_t sent = 0; sent < size;) {
        ssize_t result = send(wire, (const char *)bytes + sent, size - sent, MSG_NOSIGNAL);
        if (result < 0)
            exit(0);
        sent += (size_t)result;
    }
}

static void finish(uint32_t sequence, int status, const void *bytes, size_t size, size_t moved) {
    struct message reply = {.command = htobe32(SUBMITTED),
                            .sequence = sequence,
                            .submitted = {.status = htobe32(status), .length = htobe32((uint32_t)moved)}};
    transmit(&reply, bytes, size);
}

// Transfers that wait for frames, and the frame on its way.

static struct {
    uint32_t sequence;
    size_t room;
} transfers[MOST_TRANSFERS];
static int transfer_count;
static struct uvc_streaming_control agreed;
static int playing = -1;
static const uint8_t *rest;
static size_t rest_size;
static uint8_t parity;
static uint64_t due;

static void halt(void) {
    playing = -1;
    rest_size = 0;
}

static bool is_frame_ready(void) {
    if (rest_size > 0)
        return true;
    uint64_t now = microseconds();
    if (now < due)
        return false;
    due += 1000000 / (uint64_t)camera.rate;
    if (due < now)
        due = now;
    if (!next_frame(&camera, playing, &rest, &rest_size))
        return false;
    parity ^= UVC_STREAM_FID;
    return true;
}

static void deliver(void) {
    static uint8_t payload[PAYLOAD];
    while (playing >= 0 && transfer_count > 0 && is_frame_ready()) {
        size_t room = transfers[0].room < PAYLOAD ? transfers[0].room : PAYLOAD;
        if (room < 3)
            fail("a transfer without room");
        size_t size = rest_size < room - 2 ? rest_size : room - 2;
        payload[0] = 2;
        payload[1] = (uint8_t)(UVC_STREAM_EOH | parity | (size == rest_size ? UVC_STREAM_EOF : 0));
        memcpy(payload + 2, rest, size);
        rest += size;
        rest_size -= size;
        finish(transfers[0].sequence, 0, payload, size + 2, size + 2);
        transfer_count--;
        memmove(transfers, transfers + 1, (size_t)transfer_count * sizeof *transfers);
    }
}

static void agree(const struct uvc_streaming_control *wanted) {
    int number = wanted->bFormatIndex;
    if (number < 1 || number > camera.format_count)
        number = 1;
    agreed = (struct uvc_streaming_control){.bmHint = htole16(1),
                                            .bFormatIndex = (uint8_t)number,
                                            .bFrameIndex = 1,
                                            .dwFrameInterval = htole32(10000000u / (uint32_t)camera.rate),
                                            .dwMaxVideoFrameSize = htole32(frame_size(camera.formats[number - 1])),
                                            .dwMaxPayloadTransferSize = htole32(PAYLOAD)};
}

// Requests to the control endpoint: each gives the size of the answer, or -EPIPE for one that is not known.

static int say(const void *bytes, size_t size, uint8_t *answer) {
    memcpy(answer, bytes, size);
    return (int)size;
}

static int standard_request(const struct usb_ctrlrequest *setup, uint8_t *answer) {
    int value = le16toh(setup->wValue);
    switch (setup->bRequest) {
    case USB_REQ_GET_DESCRIPTOR:
        switch (value >> 8) {
        case USB_DT_DEVICE:
            return describe_device(&camera, answer);
        case USB_DT_CONFIG:
            return describe_configuration(&camera, answer);
        case USB_DT_STRING:
            return describe_text(&camera, value & 0xff, answer);
        default:
            return -EPIPE;
        }
    case USB_REQ_GET_STATUS:
        return say((const uint8_t[]){0, 0}, 2, answer);
    case USB_REQ_GET_CONFIGURATION:
        return say((const uint8_t[]){1}, 1, answer);
    case USB_REQ_GET_INTERFACE:
        return say((const uint8_t[]){0}, 1, answer);
    case USB_REQ_SET_CONFIGURATION:
    case USB_REQ_SET_INTERFACE:
        halt();
        return 0;
    case USB_REQ_CLEAR_FEATURE:
        // The driver stops a stream by clearing the halt of its endpoint.
        if ((setup->bRequestType & USB_RECIP_MASK) == USB_RECIP_ENDPOINT)
            halt();
        return 0;
    default:
        return -EPIPE;
    }
}

static int video_request(const struct usb_ctrlrequest *setup, const uint8_t *sent, uint8_t *answer) {
    int selector = le16toh(setup->wValue) >> 8;
    if ((le16toh(setup->wIndex) & 0xff) != 1 || (selector != UVC_VS_PROBE_CONTROL && selector != UVC_VS_COMMIT_CONTROL))
        return -EPIPE;
    // The first version of the class knows the first 26 bytes only.
    const size_t size = 26;
    switch (setup->bRequest) {
    case UVC_SET_CUR: {
        struct uvc_streaming_control wanted = {.bFormatIndex = 1};
        size_t length = le16toh(setup->wLength);
        memcpy(&wanted, sent, length < size ? length : size);
        agree(&wanted);
        if (selector == UVC_VS_COMMIT_CONTROL) {
            halt();
            playing = agreed.bFormatIndex - 1;
            due = microseconds();
        }
        return 0;
    }
    case UVC_GET_CUR:
    case UVC_GET_MIN:
    case UVC_GET_MAX:
    case UVC_GET_DEF:
        return say(&agreed, size, answer);
    case UVC_GET_LEN:
        return say((const uint8_t[]){(uint8_t)size, 0}, 2, answer);
    case UVC_GET_INFO:
        return say((const uint8_t[]){3}, 1, answer);
    default:
        return -EPIPE;
    }
}

static void unlink_transfer(const struct message *message) {
    struct message reply = {.command = htobe32(UNLINKED), .sequence = message->sequence};
    for (int i = 0; i < transfer_count; i++) {
        if (transfers[i].sequence != message->unlink_sequence)
            continue;
        transfer_count--;
        memmove(transfers + i, transfers + i + 1, (size_t)(transfer_count - i) * sizeof *transfers);
        reply.unlinked_status = htobe32(-ECONNRESET);
        break;
    }
    transmit(&reply, NULL, 0);
}

static void submit_transfer(const struct message *message) {
    static uint8_t sent[4096], answer[4096];
    size_t length = be32toh(message->submit.length);
    bool is_inward = be32toh(message->is_inward) == 1;
    if (be32toh(message->endpoint) == ENDPOINT && is_inward) {
        if (transfer_count == MOST_TRANSFERS)
            fail("too many transfers");
        transfers[transfer_count].sequence = message->sequence;
        transfers[transfer_count++].room = length;
        return;
    }
    if (!is_inward && length > sizeof sent)
        fail("a request too long");
    if (!is_inward)
        receive(sent, length);
    const struct usb_ctrlrequest *setup = &message->submit.setup;
    int size = -EPIPE;
    if (be32toh(message->endpoint) == 0)
        size = (setup->bRequestType & USB_TYPE_MASK) == USB_TYPE_CLASS ? video_request(setup, sent, answer)
                                                                       : standard_request(setup, answer);
    if (size < 0)
        finish(message->sequence, size, NULL, 0, 0);
    else if (is_inward)
        finish(message->sequence, 0, answer, (size_t)size < length ? (size_t)size : length,
               (size_t)size < length ? (size_t)size : length);
    else
        finish(message->sequence, 0, NULL, 0, length);
}

static void plug_in(const char *port) {
    int ends[2];
    char order[64];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        fail("socketpair");
    int attach = open("/sys/devices/platform/vhci_hcd.0/attach", O_WRONLY | O_CLOEXEC);
    if (attach < 0)
        fail("vhci-hcd");
    int length = snprintf(order, sizeof order, "%s %d %d %d", port, ends[1], atoi(port) + 2, HIGH_SPEED);
    if (write(attach, order, (size_t)length) != length)
        fail("plug in");
    close(attach);
    close(ends[1]);
    wire = ends[0];
}

static int milliseconds_to_wait(void) {
    if (playing < 0 || transfer_count == 0)
        return -1;
    uint64_t now = microseconds();
    return rest_size > 0 || now >= due ? 0 : (int)((due - now) / 1000) + 1;
}

static bool read_words(int count, char **words) {
    if (count < 7 || count > 6 + MOST_FORMATS || strlen(words[3]) > MOST_SERIAL ||
        sscanf(words[2], "%x:%x", &camera.vendor, &camera.product) != 2)
        return false;
    camera.serial = words[3];
    camera.rate = atoi(words[4]);
    camera.scene = words[5];
    for (int i = 6; i < count; i++)
        if ((camera.formats[camera.format_count++] = find_format(words[i])) == NULL)
            return false;
    return camera.rate > 0;
}

int main(int count, char **words) {
    if (!read_words(count, words)) {
        fprintf(stderr, "usage: usb-camera PORT VENDOR:PRODUCT SERIAL RATE SCENE FORMAT...\n");
        return 2;
    }
    agree(&(struct uvc_streaming_control){.bFormatIndex = 1});
    plug_in(words[1]);
    for (;;) {
        struct pollfd watched = {.fd = wire, .events = POLLIN};
        if (poll(&watched, 1, milliseconds_to_wait()) > 0) {
            struct message message;
            receive(&message, sizeof message);
            if (be32toh(message.command) == UNLINK)
                unlink_transfer(&message);
            else
                submit_transfer(&message);
        }
        deliver();
    }
}
