# SPDX-License-Identifier: Apache-2.0
# Fuzzing. `make fuzz FUZZ_SECONDS=60` runs each target under libFuzzer with the sanitizers (clang comes with the Swift
# toolchain); `make fuzz-replay`, a part of `make test`, runs every seed and 20,000 fixed mutations with any compiler.
# A C target is TARGET.c with the sources named in FUZZ_SOURCES_TARGET and its seeds in seeds/TARGET.

FUZZ_SECONDS ?= 60
FUZZ_MUTATIONS ?= 20000
FUZZ_CC ?= clang
FUZZ_BUILD := build/fuzz
FUZZ_TARGETS := wire arguments mounts picture
FUZZ_SOURCES_wire := pam/wire.c
FUZZ_SOURCES_picture := $(wildcard Sources/CPicture/*.c)
FUZZ_LIBS_picture := -ISources/CPicture/include -ljpeg -lpng

FUZZ_CFLAGS := -std=gnu11 -O1 -g -Wall -Wextra -Werror -fno-omit-frame-pointer
FUZZ_SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined

# These two take the source in, for the parts of it that have no name outside.
$(FUZZ_BUILD)/arguments-replay $(FUZZ_BUILD)/arguments-fuzz: pam/arguments.c pam/arguments.h
$(FUZZ_BUILD)/mounts-replay $(FUZZ_BUILD)/mounts-fuzz: pam/confinement.c pam/confinement.h

define fuzz_rules
$(FUZZ_BUILD)/$(1)-replay: Tests/Fuzz/$(1).c Tests/Fuzz/replay.c Tests/Fuzz/target.h $$(FUZZ_SOURCES_$(1))
	@mkdir -p $$(@D)
	$$(CC) $$(FUZZ_CFLAGS) $$(FUZZ_SANITIZERS) $$(filter Tests/Fuzz/%.c $$(FUZZ_SOURCES_$(1)),$$^) $$(FUZZ_LIBS_$(1)) -o $$@

$(FUZZ_BUILD)/$(1)-fuzz: Tests/Fuzz/$(1).c Tests/Fuzz/target.h $$(FUZZ_SOURCES_$(1))
	@mkdir -p $$(@D)
	$$(FUZZ_CC) $$(FUZZ_CFLAGS) $$(FUZZ_SANITIZERS) -fsanitize=fuzzer $$(filter Tests/Fuzz/%.c $$(FUZZ_SOURCES_$(1)),$$^) $$(FUZZ_LIBS_$(1)) -o $$@

.PHONY: fuzz-replay-$(1) fuzz-$(1)
fuzz-replay-$(1): $(FUZZ_BUILD)/$(1)-replay
	@echo -n "fuzz $(1): "; ASAN_OPTIONS=detect_leaks=1 $$< $(FUZZ_MUTATIONS) Tests/Fuzz/seeds/$(1)/*

fuzz-$(1): $(FUZZ_BUILD)/$(1)-fuzz
	@mkdir -p $(FUZZ_BUILD)/corpus-$(1)
	$$< -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=5 -print_final_stats=1 -artifact_prefix=$(FUZZ_BUILD)/$(1)- \
		$(FUZZ_BUILD)/corpus-$(1) Tests/Fuzz/seeds/$(1)
endef
$(foreach target,$(FUZZ_TARGETS),$(eval $(call fuzz_rules,$(target))))

# Targets in Swift; their mutations in `make test` are tests of the package (FrameMutationTests).
FUZZ_FRAME := Tests/Fuzz/frame.swift $(addprefix Sources/Capture/,PixelFormat.swift PixelLayout.swift PixelLayout+Conversion.swift)
$(FUZZ_BUILD)/frame-fuzz: $(FUZZ_FRAME) $(wildcard Sources/Biometrics/*.swift)
	@mkdir -p $(@D)
	swiftc -O -parse-as-library -sanitize=address -emit-library -static -emit-module -module-name Biometrics \
		-emit-module-path $(FUZZ_BUILD)/Biometrics.swiftmodule -o $(FUZZ_BUILD)/libBiometrics.a Sources/Biometrics/*.swift
	swiftc -O -parse-as-library -sanitize=fuzzer,address -I$(FUZZ_BUILD) $(FUZZ_FRAME) -L$(FUZZ_BUILD) -lBiometrics -lm -o $@

.PHONY: fuzz-frame
fuzz-frame: $(FUZZ_BUILD)/frame-fuzz
	@mkdir -p $(FUZZ_BUILD)/corpus-frame
	SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 $< -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=5 \
		-print_final_stats=1 -artifact_prefix=$(FUZZ_BUILD)/frame- $(FUZZ_BUILD)/corpus-frame Tests/Fuzz/seeds/frame

FUZZ_FRAMES := Tests/Fuzz/frames.swift $(wildcard Sources/Wire/*.swift)
$(FUZZ_BUILD)/frames-fuzz: $(FUZZ_FRAMES) $(FUZZ_BUILD)/frame-fuzz
	swiftc -O -parse-as-library -sanitize=fuzzer,address -I$(FUZZ_BUILD) $(FUZZ_FRAMES) -L$(FUZZ_BUILD) -lBiometrics -lm -o $@

.PHONY: fuzz-frames
fuzz-frames: $(FUZZ_BUILD)/frames-fuzz
	@mkdir -p $(FUZZ_BUILD)/corpus-frames
	SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 $< -max_total_time=$(FUZZ_SECONDS) -max_len=6000 -timeout=5 \
		-print_final_stats=1 -artifact_prefix=$(FUZZ_BUILD)/frames- $(FUZZ_BUILD)/corpus-frames Tests/Fuzz/seeds/frames

# The others differ in their sources only; their seeds and mutations in `make test` are FuzzSeedTests.
FUZZ_SWIFT_TARGETS := settings template manifest names backup
FUZZ_SOURCES_settings := $(wildcard Sources/Policy/*.swift)
FUZZ_SOURCES_template := Sources/TemplateStore/TemplateBlob.swift
FUZZ_SOURCES_manifest := Sources/Monitor/JSONReader.swift
FUZZ_SOURCES_names := Sources/Platform/AccountName.swift
FUZZ_SOURCES_backup := $(addprefix Sources/TemplateStore/,Backup.swift SavedEnrolment.swift EnrolmentExtras.swift TemplateBlob.swift)
FUZZ_LIBS_backup := -lPolicy
# Room for a picture; a length is no reason to take memory.
FUZZ_OPTIONS_backup := -max_len=45000 -malloc_limit_mb=8
$(FUZZ_BUILD)/backup-fuzz: $(FUZZ_BUILD)/libPolicy.a
$(FUZZ_BUILD)/libPolicy.a: $(wildcard Sources/Policy/*.swift) $(FUZZ_BUILD)/frame-fuzz
	swiftc -O -parse-as-library -sanitize=address -emit-library -static -emit-module -module-name Policy -I$(FUZZ_BUILD) \
		-emit-module-path $(FUZZ_BUILD)/Policy.swiftmodule -o $@ $(filter %.swift,$^)

define fuzz_swift_rules
$(FUZZ_BUILD)/$(1)-fuzz: Tests/Fuzz/$(1).swift $$(FUZZ_SOURCES_$(1)) $(FUZZ_BUILD)/frame-fuzz
	swiftc -O -parse-as-library -sanitize=fuzzer,address -I$(FUZZ_BUILD) $$(filter %.swift,$$^) -L$(FUZZ_BUILD) \
		$$(FUZZ_LIBS_$(1)) -lBiometrics -lm -o $$@

.PHONY: fuzz-$(1)
fuzz-$(1): $(FUZZ_BUILD)/$(1)-fuzz
	@mkdir -p $(FUZZ_BUILD)/corpus-$(1)
	SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 $$< -max_total_time=$(FUZZ_SECONDS) -max_len=6000 -timeout=5 \
		$$(FUZZ_OPTIONS_$(1)) -print_final_stats=1 -artifact_prefix=$(FUZZ_BUILD)/$(1)- $(FUZZ_BUILD)/corpus-$(1) \
		Tests/Fuzz/seeds/$(1)
endef
$(foreach target,$(FUZZ_SWIFT_TARGETS),$(eval $(call fuzz_swift_rules,$(target))))

.PHONY: fuzz fuzz-replay
fuzz: $(addprefix fuzz-,$(FUZZ_TARGETS) $(FUZZ_SWIFT_TARGETS)) fuzz-frame fuzz-frames
fuzz-replay: $(addprefix fuzz-replay-,$(FUZZ_TARGETS))

test: fuzz-replay
