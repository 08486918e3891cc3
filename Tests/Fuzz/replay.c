// SPDX-License-Identifier: Apache-2.0
/*
 * Runs a fuzz target without libFuzzer, so that `make test` can: each seed as it is, then mutations of the seeds by a
 * generator with a fixed start, the same ones each time.
 *
 *   replay MUTATIONS SEED-FILE...
 */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS_MOST = 256, BYTES_MOST = 8192, CHANGES_MOST = 8 };

struct seed {
    uint8_t bytes[BYTES_MOST];
    size_t count;
};

static struct seed seeds[SEEDS_MOST];
static uint64_t state = 20260930;

/* xorshift64*: a number below `bound`. */
static size_t below(size_t bound) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (size_t)((state * 2685821657736338717ULL) >> 33) % bound;
}

static uint8_t odd_byte(void) {
    static const uint8_t odd[] = {0, 1, 2, 0x7F, 0x80, 0x81, 0x84, 0xC0, 0xED, 0xF4, 0xFE, 0xFF};
    return below(2) == 0 ? (uint8_t)below(256) : odd[below(sizeof odd)];
}

static void change(struct seed *input) {
    const size_t at = below(input->count + 1);
    switch (below(5)) {
    case 0: /* another byte */
        if (at < input->count)
            input->bytes[at] = odd_byte();
        break;
    case 1: /* a flipped bit */
        if (at < input->count)
            input->bytes[at] ^= (uint8_t)(1U << below(8));
        break;
    case 2: /* a byte more */
        if (input->count < BYTES_MOST) {
            memmove(input->bytes + at + 1, input->bytes + at, input->count - at);
            input->bytes[at] = odd_byte();
            input->count++;
        }
        break;
    case 3: /* the end cut off */
        input->count = at;
        break;
    default: { /* another seed behind */
        const struct seed *other = &seeds[below(SEEDS_MOST)];
        if (input->count + other->count <= BYTES_MOST) {
            memcpy(input->bytes + input->count, other->bytes, other->count);
            input->count += other->count;
        }
    }
    }
}

static void run(const struct seed *input) {
    uint8_t *copy = malloc(input->count > 0 ? input->count : 1);
    if (copy == NULL)
        abort();
    memcpy(copy, input->bytes, input->count);
    (void)LLVMFuzzerTestOneInput(copy, input->count);
    free(copy);
}

int main(int argc, char **argv) {
    int known = 0;
    const long mutations = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    for (int i = 2; i < argc && known < SEEDS_MOST; i++, known++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL) {
            fprintf(stderr, "replay: cannot open %s\n", argv[i]);
            return 1;
        }
        seeds[known].count = fread(seeds[known].bytes, 1, BYTES_MOST, file);
        fclose(file);
        run(&seeds[known]);
    }
    if (known == 0 || mutations < 1) {
        fprintf(stderr, "usage: replay MUTATIONS SEED-FILE...\n");
        return 2;
    }
    for (long i = 0; i < mutations; i++) {
        struct seed input = seeds[below((size_t)known)];
        for (size_t changes = 1 + below(CHANGES_MOST); changes > 0; changes--)
            change(&input);
        run(&input);
    }
    printf("%d seeds and %ld mutations\n", known, mutations);
    return 0;
}
