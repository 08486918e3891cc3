# SPDX-License-Identifier: Apache-2.0
# The PAM module, by the C compiler alone (a dynamic library made by SwiftPM would need the Swift runtime). Included by the
# top Makefile; works by itself too: make -f pam/module.mk module

CC ?= cc
PREFIX ?= /usr/local
HELPER_PATH ?= $(PREFIX)/libexec/secondlook/secondlook-helper
SOCKET_PATH ?= /run/secondlook/secondlook.sock
# A private prefix below the build folder (the demo's) has a module of its own, so that neither is built anew in turn.
MODULE_BUILD ?= build/pam$(if $(filter $(abspath build)/%,$(abspath $(PREFIX))),-private)
MODULE := $(MODULE_BUILD)/pam_secondlook.so

MODULE_SOURCES := arguments child confinement conversation deadline exchange guard helper pam_secondlook standard wire
MODULE_HEADERS := $(wildcard pam/*.h)
MODULE_WARNINGS := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
MODULE_CFLAGS := -std=gnu11 -Os -g -fPIC -fstack-protector-strong -D_FORTIFY_SOURCE=2 $(MODULE_WARNINGS)
MODULE_LDFLAGS := -shared -Wl,-z,relro,-z,now,-z,nodelete,-z,defs,-z,noexecstack -Wl,--as-needed -Wl,--build-id
MODULE_PATHS = -DSECONDLOOK_HELPER_PATH='"$(HELPER_PATH)"' -DSECONDLOOK_SOCKET_PATH='"$(SOCKET_PATH)"'

# $(call module_rules,FOLDER,CFLAGS,LDFLAGS,MORE OBJECTS): rules for FOLDER/pam_secondlook.so.
define module_rules
$(1)/%.o: pam/%.c $$(MODULE_HEADERS) $(1)/flags
	$$(CC) $$(MODULE_CFLAGS) $(2) $$(EXTRA_CFLAGS) -c $$< -o $$@

$(1)/pam_secondlook.so: $(addprefix $(1)/,$(addsuffix .o,$(MODULE_SOURCES))) $(4) pam/pam_secondlook.map
	$$(CC) $$(MODULE_LDFLAGS) $(3) $$(EXTRA_LDFLAGS) -Wl,--version-script=pam/pam_secondlook.map $$(filter %.o,$$^) -lpam -o $$@

# Rewritten only when the flags or the paths differ, so that a change of them compiles anew.
$(1)/flags: FORCE
	@mkdir -p $(1)
	@echo '$$(CC) $$(subst ','"'"',$$(MODULE_CFLAGS) $(2) $(3)) $$(EXTRA_CFLAGS)' | cmp -s - $$@ || echo '$$(CC) $$(subst ','"'"',$$(MODULE_CFLAGS) $(2) $(3)) $$(EXTRA_CFLAGS)' > $$@
endef

$(eval $(call module_rules,$(MODULE_BUILD),$$(MODULE_PATHS),-s,))

.PHONY: module FORCE
module: $(MODULE)

# The top Makefile copies it; here is what has to be there before.
install-files: $(MODULE)

FORCE:

include Tests/Module/module-tests.mk
