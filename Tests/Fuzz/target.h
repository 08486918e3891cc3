// SPDX-License-Identifier: Apache-2.0
/* What a fuzz target in C offers, to libFuzzer and to replay.c. */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

#endif
