// SPDX-License-Identifier: Apache-2.0
// The runtime and its sessions. Numbers below are positions in the function table that GetApi(17) returns; it only
// grows at its end.
#include "table.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Asked of the library, so that the older ones in distributions serve as well.
enum { api_version = 17 };

// Taken by the recogniser, the largest: 6.7 MB at once, 8.0 MB in pieces in its first run.
enum { first_arena_bytes = 8 << 20, grows_by_doubling = 0 };

struct api_base {
    void *const *(*get_api)(uint32_t version);
    const char *(*get_version)(void);
};

int cinference_check(const struct cinference_runtime *runtime, void *status, char *message) {
    if (!status)
        return 0;
    const char *(*words)(const void *) = SLOT(runtime, 2, const char *(*)(const void *));
    void (*release)(void *) = SLOT(runtime, 93, void (*)(void *));
    const char *text = words(status);
    snprintf(message, CINFERENCE_MESSAGE_BYTES, "%s", text ? text : "no reason given");
    release(status);
    return -EINVAL;
}

static int explain(const char *words, int result, char *message) {
    snprintf(message, CINFERENCE_MESSAGE_BYTES, "%s", words);
    return result;
}

// One arena for all networks of the process: they run one after the other, so each has what the one before gave back.
// Its first piece is as large as the largest of them needs; it grows where that is not enough.
static int share_arena(struct cinference_runtime *runtime, char *message) {
    typedef void *(*configure_arena)(size_t most, int strategy, int first, int dead, void **);
    typedef void *(*register_arena)(void *, const void *, const void *);
    void *arena = NULL;
    void *memory = NULL;
    int result = cinference_check(
        runtime, SLOT(runtime, 156, configure_arena)(0, grows_by_doubling, first_arena_bytes, -1, &arena), message);
    if (!result)
        result = cinference_check(runtime, SLOT(runtime, 69, void *(*)(int, int, void **))(1, 0, &memory), message);
    // Refused where another runtime of this process, which has the same environment, was first: then there is one.
    if (!result &&
        cinference_check(runtime, SLOT(runtime, 144, register_arena)(runtime->environment, memory, arena), message))
        message[0] = 0;
    if (memory)
        SLOT(runtime, 94, void (*)(void *))(memory);
    if (arena)
        SLOT(runtime, 157, void (*)(void *))(arena);
    return result;
}

int cinference_open_runtime(const char *path, struct cinference_runtime **runtime, char *message) {
    message[0] = 0;
    // From 1.29 on the official Linux library reports to its maker unless it is told not to before it is loaded: it
    // starts a thread, keeps a database below the home folder and connects to the network. Earlier releases of the
    // switch had the second name.
    if (setenv("ORT_DISABLE_TELEMETRY", "1", 1) != 0 || setenv("ORT_TELEMETRY_DISABLED", "1", 1) != 0)
        return explain("not enough memory", -ENOMEM, message);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *words = dlerror();
        return explain(words ? words : "not loadable", -ENOENT, message);
    }
    const struct api_base *(*entry)(void);
    *(void **)&entry = dlsym(library, "OrtGetApiBase");
    const struct api_base *base = entry ? entry() : NULL;
    void *const *table = base ? base->get_api(api_version) : NULL;
    if (!table) {
        int result = explain(base ? "the library is too old" : "the library has no OrtGetApiBase", -ENOSYS, message);
        dlclose(library);
        return result;
    }
    struct cinference_runtime *made = calloc(1, sizeof *made);
    if (!made)
        return explain("not enough memory", -ENOMEM, message);
    made->library = library;
    made->table = table;
    made->version = base->get_version();
    // Level 4 is fatal errors only: libraries here never write to the log, and a caller's descriptor 2 may be a
    // protocol.
    int result = cinference_check(
        made, SLOT(made, 3, void *(*)(int, const char *, void **))(4, "secondlook", &made->environment), message);
    if (!result)
        result = cinference_check(made, SLOT(made, 69, void *(*)(int, int, void **))(0, 0, &made->memory), message);
    if (!result)
        result = cinference_check(made, SLOT(made, 78, void *(*)(void **))(&made->allocator), message);
    if (!result)
        result = share_arena(made, message);
    if (result) {
        cinference_close_runtime(made);
        return result;
    }
    *runtime = made;
    return 0;
}

void cinference_close_runtime(struct cinference_runtime *runtime) {
    if (!runtime)
        return;
    if (runtime->memory)
        SLOT(runtime, 94, void (*)(void *))(runtime->memory);
    if (runtime->environment)
        SLOT(runtime, 92, void (*)(void *))(runtime->environment);
    // The library stays mapped: it has threads and destructors of its own, and the process ends soon after.
    free(runtime);
}

const char *cinference_version(const struct cinference_runtime *runtime) {
    return runtime->version;
}

static int configure(struct cinference_runtime *runtime, const struct cinference_options *options, void *made,
                     char *message) {
    int (*check)(const struct cinference_runtime *, void *, char *) = cinference_check;
    typedef void *(*set_number)(void *, int);
    typedef void *(*set_entry)(void *, const char *, const char *);
    int result = check(runtime, SLOT(runtime, 24, set_number)(made, options->threads), message);
    if (!result)
        result = check(runtime, SLOT(runtime, 25, set_number)(made, 1), message);
    if (!result)
        result = check(runtime, SLOT(runtime, 22, set_number)(made, 4), message);
    if (!result)
        result = check(runtime, SLOT(runtime, 23, set_number)(made, options->optimisation), message);
    if (!result)
        result = check(runtime, SLOT(runtime, 130, set_entry)(made, "session.intra_op.allow_spinning", "0"), message);
    // Convolutions keep their weights in the layout they need anyway; packing the rest once more costs 25 MB at the
    // peak and 20 ms of loading, and was measured to gain nothing in a run.
    if (!result)
        result = check(runtime, SLOT(runtime, 130, set_entry)(made, "session.disable_prepacking", "1"), message);
    if (!result)
        result = check(runtime, SLOT(runtime, 130, set_entry)(made, "session.use_env_allocators", "1"), message);
    if (!result && options->borrow_bytes) {
        // The second is what saves copying the weights.
        static const char *const keys[] = {"session.use_ort_model_bytes_directly",
                                           "session.use_ort_model_bytes_for_initializers"};
        for (size_t i = 0; !result && i < sizeof keys / sizeof *keys; i++)
            result = check(runtime, SLOT(runtime, 130, set_entry)(made, keys[i], "1"), message);
    }
    return result;
}

static int save_to(struct cinference_runtime *runtime, const char *path, void *made, char *message) {
    typedef void *(*set_path)(void *, const char *);
    typedef void *(*set_entry)(void *, const char *, const char *);
    int result = cinference_check(runtime, SLOT(runtime, 11, set_path)(made, path), message);
    if (!result)
        result =
            cinference_check(runtime, SLOT(runtime, 130, set_entry)(made, "session.save_model_format", "ORT"), message);
    return result;
}

static int open_session(struct cinference_runtime *runtime, const void *bytes, size_t length,
                        const struct cinference_options *options, const char *path, struct cinference_session **session,
                        char *message) {
    message[0] = 0;
    struct cinference_session *made = calloc(1, sizeof *made);
    if (!made)
        return explain("not enough memory", -ENOMEM, message);
    made->runtime = runtime;
    void *settings = NULL;
    int result = cinference_check(runtime, SLOT(runtime, 10, void *(*)(void **))(&settings), message);
    if (!result)
        result = configure(runtime, options, settings, message);
    if (!result && path)
        result = save_to(runtime, path, settings, message);
    if (!result) {
        typedef void *(*create)(void *, const void *, size_t, const void *, void **);
        void *status = SLOT(runtime, 8, create)(runtime->environment, bytes, length, settings, &made->session);
        result = cinference_check(runtime, status, message);
    }
    if (settings)
        SLOT(runtime, 100, void (*)(void *))(settings);
    if (result) {
        free(made);
        return result;
    }
    *session = made;
    return 0;
}

int cinference_open_session(struct cinference_runtime *runtime, const void *bytes, size_t length,
                            const struct cinference_options *options, struct cinference_session **session,
                            char *message) {
    return open_session(runtime, bytes, length, options, NULL, session, message);
}

int cinference_prepare(struct cinference_runtime *runtime, const void *bytes, size_t length,
                       const struct cinference_options *options, const char *path, char *message) {
    struct cinference_session *session = NULL;
    int result = open_session(runtime, bytes, length, options, path, &session, message);
    if (!result)
        cinference_close_session(session);
    return result;
}

void cinference_close_session(struct cinference_session *session) {
    if (!session)
        return;
    SLOT(session->runtime, 95, void (*)(void *))(session->session);
    free(session);
}

int cinference_count_ports(struct cinference_session *session, int output, size_t *count, char *message) {
    const struct cinference_runtime *runtime = session->runtime;
    typedef void *(*counter)(void *, size_t *);
    return cinference_check(runtime, SLOT(runtime, output ? 31 : 30, counter)(session->session, count), message);
}

static int describe_shape(const struct cinference_runtime *runtime, const void *information,
                          struct cinference_port *port, char *message) {
    const void *tensor = NULL;
    typedef void *(*cast)(const void *, const void **);
    int result = cinference_check(runtime, SLOT(runtime, 55, cast)(information, &tensor), message);
    if (result || !tensor)
        return result ? result : explain("a port is no tensor", -EINVAL, message);
    int element = 0;
    size_t rank = 0;
    result = cinference_check(runtime, SLOT(runtime, 60, void *(*)(const void *, int *))(tensor, &element), message);
    if (!result)
        result =
            cinference_check(runtime, SLOT(runtime, 61, void *(*)(const void *, size_t *))(tensor, &rank), message);
    if (!result && rank > CINFERENCE_MOST_RANK)
        result = explain("a port has too many dimensions", -EINVAL, message);
    typedef void *(*dimensions)(const void *, int64_t *, size_t);
    if (!result)
        result = cinference_check(runtime, SLOT(runtime, 62, dimensions)(tensor, port->shape, rank), message);
    port->is_float = element == 1;
    port->rank = (int32_t)rank;
    return result;
}

int cinference_describe_port(struct cinference_session *session, int output, size_t index, struct cinference_port *port,
                             char *message) {
    const struct cinference_runtime *runtime = session->runtime;
    memset(port, 0, sizeof *port);
    message[0] = 0;
    char *name = NULL;
    typedef void *(*namer)(void *, size_t, void *, char **);
    void *status = SLOT(runtime, output ? 37 : 36, namer)(session->session, index, runtime->allocator, &name);
    int result = cinference_check(runtime, status, message);
    if (result)
        return result;
    int length = snprintf(port->name, sizeof port->name, "%s", name);
    cinference_check(runtime, SLOT(runtime, 76, void *(*)(void *, void *))(runtime->allocator, name), message);
    if (length < 0 || (size_t)length >= sizeof port->name)
        return explain("a port has too long a name", -EINVAL, message);
    void *information = NULL;
    typedef void *(*describer)(void *, size_t, void **);
    status = SLOT(runtime, output ? 34 : 33, describer)(session->session, index, &information);
    result = cinference_check(runtime, status, message);
    if (result)
        return result;
    result = describe_shape(runtime, information, port, message);
    SLOT(runtime, 98, void (*)(void *))(information);
    return result;
}
