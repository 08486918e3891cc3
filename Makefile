# SPDX-License-Identifier: Apache-2.0
# What everyone types: demo, test, bench, install. Each target does all it needs; a second run downloads and rebuilds nothing.
# Parts with their own folder bring their own rules (pam/module.mk, Training/training.mk, Tests/Fuzz/fuzz.mk).

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

PREFIX ?= /usr/local
DESTDIR ?=
BUILD := $(abspath build)
CACHE := $(BUILD)/cache
MODELS := $(BUILD)/models
CLIPS := $(BUILD)/clips
RELEASE := .build/release
# `-z now`: what a program calls in libraries is bound at its start and read-only from then on. No library is looked for beside a program.
SWIFT_FLAGS := -c release --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now

# Where the parts of an installation go; the programs find each other from their own place.
LIBEXEC := $(PREFIX)/libexec/secondlook
SECURITY ?= $(PREFIX)/lib/security
# Where bash, zsh and fish look, below share; the built command writes them.
COMPLETIONS := bash-completion/completions/secondlook zsh/site-functions/_secondlook fish/vendor_completions.d/secondlook.fish

PACKAGES := gcc libc6-dev pkg-config libpam0g-dev libv4l-dev libsqlite3-dev libsodium-dev libseccomp-dev \
	libjpeg62-turbo-dev libpng-dev libcrypt-dev binutils pamtester ffmpeg python3 python3-venv ca-certificates curl
PACKAGES_FOR_CI := clang-format mandoc

.PHONY: all deps deps-ci models clips build build-tests test demo demo-prefix bench bench-compare soak install install-files uninstall format sanitize clean

all: build module models

# Installs what is missing, and nothing when nothing is.
deps:
	@.ci/install-packages $(PACKAGES)

deps-ci:
	@.ci/install-packages $(PACKAGES) $(PACKAGES_FOR_CI)

# The models and the runtime, all by pinned hash, in the shape in which they are installed.
models: $(MODELS)/.ready
$(MODELS)/.ready: Models/fetch.sh $(wildcard Models/*.onnx Models/*.json Models/*.py) | deps
	Models/fetch.sh $(CACHE)
	mkdir -p $(MODELS)
	install -m 644 $(CACHE)/models/detector.onnx $(CACHE)/models/recogniser.onnx $(MODELS)/
	[ ! -f Models/liveness.onnx ] || install -m 644 Models/liveness.onnx $(MODELS)/
	install -m 644 $(CACHE)/lib/libonnxruntime.so.1.32.0 $(MODELS)/libonnxruntime.so
	python3 Models/make-manifest.py Models/sources.json $(MODELS)
	touch $@

# Frames of the public clips, as the replaying worker reads them.
clips: $(CLIPS)/.ready
$(CLIPS)/.ready: Tests/demo/decode-clips | $(MODELS)/.ready
	Tests/demo/decode-clips $(CACHE)/clips $(CLIPS)
	touch $@

build: deps
	swift build $(SWIFT_FLAGS) --quiet

# What the tests are told of what was built for them; without it those that need it are skipped by name.
TEST_ENVIRONMENT = SECONDLOOK_MODELS=$(MODELS) SECONDLOOK_CLIPS=$(CLIPS) SECONDLOOK_PREFIX=$(BUILD)/demo/prefix \
	$(REFERENCE_ENVIRONMENT)

# Unit tests in debug, the module's own tests, and the whole path in tests of its own.
# The scenarios come last and alone: a person's turn of the head takes place in real time.
test: deps models clips module demo-prefix reference
	$(TEST_ENVIRONMENT) swift test --skip EndToEndTests
	$(TEST_ENVIRONMENT) swift test --skip-build --filter EndToEndTests

# A private installation whose worker reads frames from files: the demo and the end-to-end tests use it.
demo-prefix: build models clips
	@$(MAKE) --no-print-directory -s module install-files PREFIX=$(BUILD)/demo/prefix DESTDIR= \
	    MODULE_BUILD=build/demo/pam
	@install -m 755 $(RELEASE)/secondlook-replay $(BUILD)/demo/prefix/libexec/secondlook/secondlook-vision

demo: demo-prefix
	@Tests/demo/run $(BUILD)/demo/prefix $(CLIPS)

# JSON lines, kept in build/bench.json; `make bench BENCH_BASE=FILE` prints the ratios to such a file of an earlier run.
BENCH_BASE ?=
bench: demo-prefix
	@Tests/demo/bench $(BUILD)/demo/prefix $(CLIPS) $(BUILD)/bench.json $(BENCH_BASE)

# The same login beside the pipeline that Howdy runs, in turn; JSON lines, the last has cpu_ratio. Skipped without its packages.
bench-compare: demo-prefix
	@Tests/demo/bench-compare $(BUILD)/demo/prefix $(CLIPS) $(CACHE)

# Thousands of logins in a row and many at once; one JSON line says whether anything was left over. Half an hour.
SOAK_LOGINS ?= 2000
SOAK_AT_ONCE ?= 50
SOAK_WAVES ?= 4
soak: demo-prefix
	@Tests/demo/soak $(BUILD)/demo/prefix $(CLIPS) --logins $(SOAK_LOGINS) --at-once $(SOAK_AT_ONCE) --waves $(SOAK_WAVES)

# Files only; what `install` does beyond them is for a machine, not for a package or a test.
install-files:
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(LIBEXEC)/models $(DESTDIR)$(SECURITY)
	install -s -m 755 $(RELEASE)/secondlook $(DESTDIR)$(PREFIX)/bin/
	install -s -m 755 $(RELEASE)/secondlook-helper $(RELEASE)/secondlook-vision $(DESTDIR)$(LIBEXEC)/
	install -m 644 $(MODELS)/libonnxruntime.so $(DESTDIR)$(LIBEXEC)/
	install -m 644 $(MODELS)/*.onnx $(MODELS)/manifest.json $(MODELS)/optional.json $(DESTDIR)$(LIBEXEC)/models/
	install -m 644 $(MODULE_BUILD)/pam_secondlook.so $(DESTDIR)$(SECURITY)/
	install -d $(DESTDIR)$(PREFIX)/lib/sysusers.d $(DESTDIR)$(PREFIX)/lib/tmpfiles.d
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system
	install -m 644 etc/systemd/secondlook.socket etc/systemd/secondlook-key.service $(DESTDIR)$(PREFIX)/lib/systemd/system/
	sed 's,@LIBEXEC@,$(LIBEXEC),' etc/systemd/secondlook@.service.in > '$(DESTDIR)$(PREFIX)/lib/systemd/system/secondlook@.service'
	install -m 644 etc/sysusers.d/secondlook.conf $(DESTDIR)$(PREFIX)/lib/sysusers.d/
	install -m 644 etc/tmpfiles.d/secondlook.conf $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/
	# pam-auth-update looks below /usr alone, and its profile names the module without a path.
	[ "$(PREFIX)" != /usr ] || install -D -m 644 etc/pam-configs/secondlook $(DESTDIR)/usr/share/pam-configs/secondlook
	install -d $(DESTDIR)$(PREFIX)/share/doc/secondlook/examples $(DESTDIR)$(PREFIX)/share/man/man8
	install -d $(DESTDIR)$(PREFIX)/share/doc/secondlook/docs $(DESTDIR)$(PREFIX)/share/doc/secondlook/Models
	install -m 644 README.md LICENSE CHANGELOG.md CONTRIBUTING.md SECURITY.md $(DESTDIR)$(PREFIX)/share/doc/secondlook/
	install -m 644 docs/*.md $(DESTDIR)$(PREFIX)/share/doc/secondlook/docs/
	install -m 644 Models/liveness.md $(DESTDIR)$(PREFIX)/share/doc/secondlook/Models/
	for example in etc/pam.d/*.example; do \
	    sed 's,/usr/local/lib/security,$(SECURITY),' "$$example" > \
	        "$(DESTDIR)$(PREFIX)/share/doc/secondlook/examples/$${example##*/}"; done
	install -d $(DESTDIR)$(PREFIX)/share/man/man5
	install -m 644 docs/man/*.8 $(DESTDIR)$(PREFIX)/share/man/man8/
	install -m 644 docs/man/*.5 $(DESTDIR)$(PREFIX)/share/man/man5/
	install -d $(addprefix $(DESTDIR)$(PREFIX)/share/,$(dir $(COMPLETIONS)))
	$(RELEASE)/secondlook completions bash > $(DESTDIR)$(PREFIX)/share/$(word 1,$(COMPLETIONS))
	$(RELEASE)/secondlook completions zsh > $(DESTDIR)$(PREFIX)/share/$(word 2,$(COMPLETIONS))
	$(RELEASE)/secondlook completions fish > $(DESTDIR)$(PREFIX)/share/$(word 3,$(COMPLETIONS))
	chmod 644 $(addprefix $(DESTDIR)$(PREFIX)/share/,$(COMPLETIONS))

# The files, and on a machine (no DESTDIR) the worker's user and the state folder.
install: build module models
	@$(MAKE) --no-print-directory -s install-files
	@[ -e $(DESTDIR)/etc/secondlook/secondlook.conf ] || \
	    install -D -m 644 etc/secondlook.conf $(DESTDIR)/etc/secondlook/secondlook.conf
	@[ -n "$(DESTDIR)" ] || etc/prepare-machine
	@[ -n "$(DESTDIR)" ] || $(PREFIX)/bin/secondlook models prepare || true

# Takes the files away again, unless a PAM file still names the module: with the line but without the file nobody gets in.
# Settings and state stay.
uninstall:
	@if grep -rs 'pam_secondlook' $(DESTDIR)/etc/pam.d; then \
	    echo "uninstall: take these lines out first, from a shell of root's that stays open" >&2; exit 1; fi
	rm -rf $(DESTDIR)$(LIBEXEC) $(DESTDIR)$(PREFIX)/share/doc/secondlook
	rm -f $(DESTDIR)$(PREFIX)/bin/secondlook $(DESTDIR)$(SECURITY)/pam_secondlook.so
	[ "$(PREFIX)" != /usr ] || rm -f $(DESTDIR)/usr/share/pam-configs/secondlook
	rm -f $(DESTDIR)$(PREFIX)/lib/systemd/system/secondlook{.socket,@.service,-key.service}
	rm -f $(DESTDIR)$(PREFIX)/lib/{sysusers,tmpfiles}.d/secondlook.conf
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/share/,$(COMPLETIONS))
	rm -f $(DESTDIR)$(PREFIX)/share/man/man{8/secondlook.8,8/pam_secondlook.8,5/secondlook.conf.5}

-include pam/module.mk
-include Training/training.mk
-include Tests/Reference/reference.mk
-include Tests/Fuzz/fuzz.mk
-include Tests/VM/vm.mk
-include debian/package.mk

# Puts every source into the shape that .ci/run asks for.
format:
	swift format -i -r Package.swift Sources Tests
	git ls-files '*.c' '*.h' | xargs clang-format -i

# Unit tests under the address sanitizer, then those that start no process under the thread sanitizer (it cannot follow a fork), each in
# a build folder of its own. The module and the C that reads foreign bytes run under the address and undefined-behaviour sanitizers in
# `make test` and `make fuzz`.
sanitize: deps models module-test
	ASAN_OPTIONS=detect_leaks=0 SECONDLOOK_MODELS=$(MODELS) swift test --sanitize=address --scratch-path .build/address \
		--skip EndToEndTests
	SECONDLOOK_MODELS=$(MODELS) swift test --sanitize=thread --scratch-path .build/thread \
		--filter '^(Biometrics|Wire|Policy|Vision|Capture)Tests'

clean:
	rm -rf .build $(BUILD)
