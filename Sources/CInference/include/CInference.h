// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime, opened at run time and spoken to by the numbers of its append-only function table: no header of it is
// needed to build. Only networks of float tensors are served; a call never keeps a pointer it was given, but for the
// bytes of a model (see below).
#ifndef SECONDLOOK_CINFERENCE_H
#define SECONDLOOK_CINFERENCE_H

#include <stddef.h>
#include <stdint.h>

enum {
    CINFERENCE_MESSAGE_BYTES = 512,
    CINFERENCE_NAME_BYTES = 64,
    CINFERENCE_MOST_RANK = 6,
    CINFERENCE_MOST_TENSORS = 16
};

struct cinference_runtime;
struct cinference_session;
struct cinference_plan;

// The functions that can fail return 0 or a negative errno and then have written the library's words to `message`
// (CINFERENCE_MESSAGE_BYTES): -ENOENT library not loadable, -ENOSYS library too old or another library, -EINVAL refused
// by the library.

// Opens the shared library at `path` ("/proc/self/fd/N" serves for a descriptor).
int cinference_open_runtime(const char *path, struct cinference_runtime **runtime, char *message);
void cinference_close_runtime(struct cinference_runtime *runtime);
// The library's version, such as "1.32.0"; lives as long as the runtime.
const char *cinference_version(const struct cinference_runtime *runtime);

struct cinference_options {
    int32_t threads;      // computing threads of one run; 1 = the caller's only
    int32_t optimisation; // 0 none, 1 basic, 2 extended, 99 all
    int32_t borrow_bytes; // 1: an ORT-format model's bytes are used in place and have to outlive the session
};

// Makes a session of a model's bytes, which may be a file mapping. Unless borrow_bytes is set they are not needed
// afterwards.
int cinference_open_session(struct cinference_runtime *runtime, const void *bytes, size_t length,
                            const struct cinference_options *options, struct cinference_session **session,
                            char *message);
void cinference_close_session(struct cinference_session *session);

// Writes the model as it is after all rewriting for this processor, in the library's own format, which a session can
// use in place. It is of use on a processor of the same kind and with the same library only.
int cinference_prepare(struct cinference_runtime *runtime, const void *bytes, size_t length,
                       const struct cinference_options *options, const char *path, char *message);

// Several at once, each on a thread of its own that has ended when the call returns: reading the recogniser takes
// longest.
struct cinference_request {
    const void *bytes;
    size_t length;
    struct cinference_options options;
    struct cinference_session *session; // null when it failed
    int32_t result;
    char message[CINFERENCE_MESSAGE_BYTES];
};
void cinference_open_sessions(struct cinference_runtime *runtime, struct cinference_request *requests, size_t count);

// Maps a model's file for reading; -errno when it cannot be. An empty file and one beyond 512 MiB are -EINVAL.
int cinference_map_descriptor(int descriptor, const void **bytes, size_t *length);
int cinference_map_path(const char *path, const void **bytes, size_t *length);
void cinference_unmap(const void *bytes, size_t length);

struct cinference_port {
    char name[CINFERENCE_NAME_BYTES];
    int32_t is_float;
    int32_t rank;
    int64_t shape[CINFERENCE_MOST_RANK]; // -1 where it is open
};

int cinference_count_ports(struct cinference_session *session, int output, size_t *count, char *message);
int cinference_describe_port(struct cinference_session *session, int output, size_t index, struct cinference_port *port,
                             char *message);

// A plan holds the tensors of one run at fixed shapes in memory of its own, so that repeated runs allocate nothing.
int cinference_open_plan(struct cinference_session *session, struct cinference_plan **plan, char *message);
void cinference_close_plan(struct cinference_plan *plan);
// Adds an input or output; *data points at `*count` floats (the product of the shape), zero at first, until the plan is
// closed.
int cinference_add_tensor(struct cinference_plan *plan, int output, const char *name, const int64_t *shape, size_t rank,
                          float **data, size_t *count, char *message);
int cinference_run(struct cinference_plan *plan, char *message);

#endif
