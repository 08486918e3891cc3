// SPDX-License-Identifier: Apache-2.0
// Model files as mappings, and several sessions opened side by side.
#include "CInference.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { most_requests = 8 };

static const int64_t largest_file = 512LL << 20;

int cinference_map_descriptor(int descriptor, const void **bytes, size_t *length) {
    struct stat status;
    if (fstat(descriptor, &status))
        return -errno;
    if (!S_ISREG(status.st_mode) || status.st_size <= 0 || status.st_size > largest_file)
        return -EINVAL;
    void *mapped = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapped == MAP_FAILED)
        return -errno;
    *bytes = mapped;
    *length = (size_t)status.st_size;
    return 0;
}

int cinference_map_path(const char *path, const void **bytes, size_t *length) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
        return -errno;
    int result = cinference_map_descriptor(descriptor, bytes, length);
    close(descriptor);
    return result;
}

void cinference_unmap(const void *bytes, size_t length) {
    munmap((void *)(uintptr_t)bytes, length);
}

struct errand {
    struct cinference_runtime *runtime;
    struct cinference_request *request;
};

static void *serve(void *context) {
    struct errand *errand = context;
    struct cinference_request *request = errand->request;
    request->session = NULL;
    request->result = cinference_open_session(errand->runtime, request->bytes, request->length, &request->options,
                                              &request->session, request->message);
    return NULL;
}

void cinference_open_sessions(struct cinference_runtime *runtime, struct cinference_request *requests, size_t count) {
    struct errand errands[most_requests];
    pthread_t threads[most_requests];
    int started[most_requests] = {0};
    for (size_t i = 0; i < count; i++) {
        requests[i].session = NULL;
        requests[i].result = -EINVAL;
        requests[i].message[0] = 0;
        if (i >= most_requests)
            continue;
        errands[i] = (struct errand){runtime, &requests[i]};
        // The first one is served by the caller itself, and so is any for which there is no thread to be had. A file
        // that is used where it lies loads sooner than a thread pays off.
        started[i] =
            i > 0 && !requests[i].options.borrow_bytes && pthread_create(&threads[i], NULL, serve, &errands[i]) == 0;
    }
    for (size_t i = 0; i < count && i < most_requests; i++)
        if (!started[i])
            serve(&errands[i]);
    for (size_t i = 0; i < count && i < most_requests; i++)
        if (started[i])
            pthread_join(threads[i], NULL);
}
