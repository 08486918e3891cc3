// SPDX-License-Identifier: Apache-2.0
// What the webcam says of itself, in the words of USB and of its video class: one sensor without controls, one stream,
// a list of formats of one size and rate.
#include "camera.h"

#include <endian.h>
#include <errno.h>
#include <linux/usb/ch9.h>
#include <linux/usb/video.h>
#include <stdlib.h>
#include <string.h>

static uint8_t description[1024];
static size_t description_size;

static void *put(const void *bytes, size_t size) {
    if (description_size + size > sizeof description)
        abort();
    void *place = memcpy(description + description_size, bytes, size);
    description_size += size;
    return place;
}
#define PUT(type, ...) ((type *)put(&(const type){__VA_ARGS__}, sizeof(type)))
#define CLASS_DESCRIPTOR(type, subtype)                                                                                \
    .bLength = sizeof(type), .bDescriptorType = USB_DT_CS_INTERFACE, .bDescriptorSubType = subtype

DECLARE_UVC_HEADER_DESCRIPTOR(1);
DECLARE_UVC_FRAME_UNCOMPRESSED(1);
typedef struct UVC_HEADER_DESCRIPTOR(1) header_descriptor;
typedef struct UVC_FRAME_UNCOMPRESSED(1) frame_descriptor;

static void put_interface(uint8_t number, uint8_t endpoints, uint8_t subclass) {
    PUT(struct usb_interface_descriptor, .bLength = USB_DT_INTERFACE_SIZE, .bDescriptorType = USB_DT_INTERFACE,
        .bInterfaceNumber = number, .bNumEndpoints = endpoints, .bInterfaceClass = USB_CLASS_VIDEO,
        .bInterfaceSubClass = subclass);
}

// A sensor without any controls, and the wire to the computer.
static void put_control(void) {
    PUT(struct usb_interface_assoc_descriptor, .bLength = sizeof(struct usb_interface_assoc_descriptor),
        .bDescriptorType = USB_DT_INTERFACE_ASSOCIATION, .bInterfaceCount = 2, .bFunctionClass = USB_CLASS_VIDEO,
        .bFunctionSubClass = UVC_SC_VIDEO_INTERFACE_COLLECTION);
    put_interface(0, 0, UVC_SC_VIDEOCONTROL);
    size_t start = description_size;
    header_descriptor *header = PUT(header_descriptor, CLASS_DESCRIPTOR(header_descriptor, UVC_VC_HEADER),
                                    .bcdUVC = htole16(0x0100), .bInCollection = 1, .baInterfaceNr = {1});
    PUT(struct uvc_camera_terminal_descriptor,
        CLASS_DESCRIPTOR(struct uvc_camera_terminal_descriptor, UVC_VC_INPUT_TERMINAL), .bTerminalID = 1,
        .wTerminalType = htole16(UVC_ITT_CAMERA), .bControlSize = 3);
    PUT(struct uvc_output_terminal_descriptor,
        CLASS_DESCRIPTOR(struct uvc_output_terminal_descriptor, UVC_VC_OUTPUT_TERMINAL), .bTerminalID = 2,
        .wTerminalType = htole16(UVC_TT_STREAMING), .bSourceID = 1);
    header->wTotalLength = htole16(description_size - start);
}

static void put_format(uint8_t number, const struct format *format, int rate) {
    if (format->bits) {
        struct uvc_format_uncompressed *raw =
            PUT(struct uvc_format_uncompressed,
                CLASS_DESCRIPTOR(struct uvc_format_uncompressed, UVC_VS_FORMAT_UNCOMPRESSED), .bFormatIndex = number,
                .bNumFrameDescriptors = 1, .bBitsPerPixel = format->bits, .bDefaultFrameIndex = 1);
        // The format's four characters in the base of all media identifiers.
        static const uint8_t base[12] = {0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71};
        memcpy(raw->guidFormat, format->code, 4);
        memcpy(raw->guidFormat + 4, base, sizeof base);
    } else {
        PUT(struct uvc_format_mjpeg, CLASS_DESCRIPTOR(struct uvc_format_mjpeg, UVC_VS_FORMAT_MJPEG),
            .bFormatIndex = number, .bNumFrameDescriptors = 1, .bDefaultFrameIndex = 1);
    }
    uint32_t bits = htole32(frame_size(format) * 8u * (uint32_t)rate), interval = htole32(10000000u / (uint32_t)rate);
    PUT(frame_descriptor,
        CLASS_DESCRIPTOR(frame_descriptor, format->bits ? UVC_VS_FRAME_UNCOMPRESSED : UVC_VS_FRAME_MJPEG),
        .bFrameIndex = 1, .wWidth = htole16(WIDTH), .wHeight = htole16(HEIGHT), .dwMinBitRate = bits,
        .dwMaxBitRate = bits, .dwMaxVideoFrameBufferSize = htole32(frame_size(format)),
        .dwDefaultFrameInterval = interval, .bFrameIntervalType = 1, .dwFrameInterval = {interval});
    PUT(struct uvc_color_matching_descriptor,
        CLASS_DESCRIPTOR(struct uvc_color_matching_descriptor, UVC_VS_COLORFORMAT), .bColorPrimaries = 1,
        .bTransferCharacteristics = 1, .bMatrixCoefficients = 4);
}

int describe_configuration(const struct camera *camera, uint8_t *answer) {
    description_size = 0;
    struct usb_config_descriptor *all =
        PUT(struct usb_config_descriptor, .bLength = USB_DT_CONFIG_SIZE, .bDescriptorType = USB_DT_CONFIG,
            .bNumInterfaces = 2, .bConfigurationValue = 1, .bmAttributes = USB_CONFIG_ATT_ONE, .bMaxPower = 250);
    put_control();
    put_interface(1, 1, UVC_SC_VIDEOSTREAMING);
    size_t start = description_size;
    struct uvc_input_header_descriptor *header = PUT(
        struct uvc_input_header_descriptor, CLASS_DESCRIPTOR(struct uvc_input_header_descriptor, UVC_VS_INPUT_HEADER),
        .bNumFormats = (uint8_t)camera->format_count, .bEndpointAddress = USB_DIR_IN | ENDPOINT, .bTerminalLink = 2,
        .bControlSize = 1);
    static const uint8_t none[MOST_FORMATS];
    put(none, (size_t)camera->format_count);
    header->bLength = (uint8_t)(header->bLength + camera->format_count);
    for (int i = 0; i < camera->format_count; i++)
        put_format((uint8_t)(i + 1), camera->formats[i], camera->rate);
    header->wTotalLength = htole16(description_size - start);
    struct usb_endpoint_descriptor endpoint = {.bLength = USB_DT_ENDPOINT_SIZE,
                                               .bDescriptorType = USB_DT_ENDPOINT,
                                               .bEndpointAddress = USB_DIR_IN | ENDPOINT,
                                               .bmAttributes = USB_ENDPOINT_XFER_BULK,
                                               .wMaxPacketSize = htole16(512)};
    // The structure has two bytes more, which only audio devices send.
    put(&endpoint, USB_DT_ENDPOINT_SIZE);
    all->wTotalLength = htole16(description_size);
    memcpy(answer, description, description_size);
    return (int)description_size;
}

int describe_device(const struct camera *camera, uint8_t *answer) {
    struct usb_device_descriptor device = {.bLength = USB_DT_DEVICE_SIZE,
                                           .bDescriptorType = USB_DT_DEVICE,
                                           .bcdUSB = htole16(0x0200),
                                           .bDeviceClass = USB_CLASS_MISC,
                                           .bDeviceSubClass = 2,
                                           .bDeviceProtocol = 1,
                                           .bMaxPacketSize0 = 64,
                                           .idVendor = htole16(camera->vendor),
                                           .idProduct = htole16(camera->product),
                                           .bcdDevice = htole16(0x0100),
                                           .iProduct = 1,
                                           .iSerialNumber = 2,
                                           .bNumConfigurations = 1};
    memcpy(answer, &device, sizeof device);
    return sizeof device;
}

int describe_text(const struct camera *camera, int number, uint8_t *answer) {
    if (number == 0) {
        // The one language there is.
        memcpy(answer, (const uint8_t[]){4, USB_DT_STRING, 0x09, 0x04}, 4);
        return 4;
    }
    if (number > 2)
        return -EPIPE;
    const char *text = number == 1 ? "Test camera" : camera->serial;
    int length = (int)strlen(text);
    answer[0] = (uint8_t)(2 + 2 * length);
    answer[1] = USB_DT_STRING;
    for (int i = 0; i < length; i++) {
        answer[2 + 2 * i] = (uint8_t)text[i];
        answer[3 + 2 * i] = 0;
    }
    return answer[0];
}
