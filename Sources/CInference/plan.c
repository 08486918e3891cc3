// SPDX-License-Identifier: Apache-2.0
// Tensors over memory that is laid out once, and the run itself.
#include "table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct side {
    size_t count;
    char names[CINFERENCE_MOST_TENSORS][CINFERENCE_NAME_BYTES];
    const char *pointers[CINFERENCE_MOST_TENSORS];
    void *values[CINFERENCE_MOST_TENSORS];
    float *data[CINFERENCE_MOST_TENSORS];
};

struct cinference_plan {
    struct cinference_session *session;
    struct side sides[2];
};

static int explain(const char *words, int result, char *message) {
    snprintf(message, CINFERENCE_MESSAGE_BYTES, "%s", words);
    return result;
}

int cinference_open_plan(struct cinference_session *session, struct cinference_plan **plan, char *message) {
    message[0] = 0;
    struct cinference_plan *made = calloc(1, sizeof *made);
    if (!made)
        return explain("not enough memory", -ENOMEM, message);
    made->session = session;
    *plan = made;
    return 0;
}

void cinference_close_plan(struct cinference_plan *plan) {
    if (!plan)
        return;
    void (*release)(void *) = SLOT(plan->session->runtime, 96, void (*)(void *));
    for (int output = 0; output < 2; output++) {
        struct side *side = &plan->sides[output];
        for (size_t i = 0; i < side->count; i++) {
            release(side->values[i]);
            free(side->data[i]);
        }
    }
    free(plan);
}

int cinference_add_tensor(struct cinference_plan *plan, int output, const char *name, const int64_t *shape, size_t rank,
                          float **data, size_t *count, char *message) {
    const struct cinference_runtime *runtime = plan->session->runtime;
    struct side *side = &plan->sides[output ? 1 : 0];
    message[0] = 0;
    if (side->count >= CINFERENCE_MOST_TENSORS || rank > CINFERENCE_MOST_RANK || strlen(name) >= CINFERENCE_NAME_BYTES)
        return explain("too many tensors or dimensions", -EINVAL, message);
    // 1 GiB of floats is far beyond any network here; the bound keeps the product from wrapping.
    size_t total = 1;
    for (size_t i = 0; i < rank; i++) {
        if (shape[i] <= 0 || (uint64_t)shape[i] > (1u << 28) / total)
            return explain("a tensor's shape is out of range", -EINVAL, message);
        total *= (size_t)shape[i];
    }
    size_t bytes = (total * sizeof(float) + 63) / 64 * 64;
    float *room = aligned_alloc(64, bytes);
    if (!room)
        return explain("not enough memory", -ENOMEM, message);
    memset(room, 0, bytes);
    typedef void *(*create)(const void *, void *, size_t, const int64_t *, size_t, int, void **);
    size_t place = side->count;
    void *status =
        SLOT(runtime, 49, create)(runtime->memory, room, total * sizeof(float), shape, rank, 1, &side->values[place]);
    int result = cinference_check(runtime, status, message);
    if (result) {
        free(room);
        return result;
    }
    memcpy(side->names[place], name, strlen(name) + 1);
    side->pointers[place] = side->names[place];
    side->data[place] = room;
    side->count++;
    *data = room;
    *count = total;
    return 0;
}

int cinference_run(struct cinference_plan *plan, char *message) {
    const struct cinference_runtime *runtime = plan->session->runtime;
    message[0] = 0;
    struct side *in = &plan->sides[0];
    struct side *out = &plan->sides[1];
    typedef void *(*run)(void *, const void *, const char *const *, void *const *, size_t, const char *const *, size_t,
                         void **);
    void *status = SLOT(runtime, 9, run)(plan->session->session, NULL, in->pointers, in->values, in->count,
                                         out->pointers, out->count, out->values);
    return cinference_check(runtime, status, message);
}
