# SPDX-License-Identifier: Apache-2.0
# What the tests of the module run: a calling program, a helper that follows a script, a second module for the stack, and the
# module itself three times: as it is (with a shorter shortest time), with the path of a helper that is never right, and
# with every call of libc and libpam replaced by one that can be made to fail.

MODULE_TESTS := build/module-tests
COMMA := ,
MODULE_TEST_CFLAGS := -std=gnu11 -O1 -g $(MODULE_WARNINGS)
MODULE_TEST_PATHS = -DSECONDLOOK_TIMEOUT_LEAST=1 -DSECONDLOOK_SOCKET_PATH='"$(CURDIR)/$(MODULE_TESTS)/run/service.sock"'

# Every function of libc or libpam that the module calls and that can fail. ModuleTests compares this with the module's symbols.
MODULE_WRAPPED := _Fork chdir clock_gettime close connect dup2 fcntl fstat getrlimit getsockopt kill open \
	pam_get_authtok pam_get_item pam_get_user pam_prompt pam_set_item ppoll prctl pthread_sigmask read recv send setrlimit \
	setsid sigaction sigaddset sigemptyset sigfillset sigpending sigprocmask sigtimedwait socket socketpair \
	syscall waitid waitpid
MODULE_WRAPS := $(foreach name,$(MODULE_WRAPPED),-Wl,--wrap=$(name))

$(eval $(call module_rules,$(MODULE_TESTS)/plain,$$(MODULE_TEST_PATHS) -DSECONDLOOK_HELPER_PATH='"$$(CURDIR)/$(MODULE_TESTS)/libexec/helper"',,))
$(eval $(call module_rules,$(MODULE_TESTS)/odd,$$(MODULE_TEST_PATHS) -DSECONDLOOK_HELPER_PATH='"$$(CURDIR)/$(MODULE_TESTS)/odd/program"',,))
$(eval $(call module_rules,$(MODULE_TESTS)/failing,$$(MODULE_TEST_PATHS) -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=0 -DSECONDLOOK_HELPER_PATH='"$$(CURDIR)/$(MODULE_TESTS)/libexec/helper"',$$(MODULE_WRAPS),$(MODULE_TESTS)/failing/failures.o))

$(MODULE_TESTS)/failing/failures.o: Tests/Module/failures.c $(MODULE_TESTS)/failing/flags
	$(CC) $(MODULE_TEST_CFLAGS) -fPIC -c $< -o $@

$(MODULE_TESTS)/libexec/helper: Tests/Module/helper.c
	@mkdir -p $(@D)
	$(CC) $(MODULE_TEST_CFLAGS) $< -o $@
	chmod 755 $@

$(MODULE_TESTS)/caller: Tests/Module/caller.c Tests/Module/surroundings.c Tests/Module/surroundings.h
	@mkdir -p $(@D)
	$(CC) $(MODULE_TEST_CFLAGS) $(filter %.c,$^) -lpam -o $@

$(MODULE_TESTS)/token.so: Tests/Module/token.c
	@mkdir -p $(@D)
	$(CC) $(MODULE_TEST_CFLAGS) -fPIC -shared $< -lpam -o $@

# One more, with the sanitizers, for a caller that has them too.
MODULE_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined
$(eval $(call module_rules,$(MODULE_TESTS)/sanitized,$$(MODULE_TEST_PATHS) -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=0 $$(MODULE_SANITIZE) -DSECONDLOOK_HELPER_PATH='"$$(CURDIR)/$(MODULE_TESTS)/libexec/helper"',$$(MODULE_SANITIZE) -Wl$$(COMMA)-z$$(COMMA)undefs,))

$(MODULE_TESTS)/sanitized/caller: Tests/Module/caller.c Tests/Module/surroundings.c Tests/Module/surroundings.h
	@mkdir -p $(@D)
	$(CC) $(MODULE_TEST_CFLAGS) $(MODULE_SANITIZE) $(filter %.c,$^) -lpam -o $@

.PHONY: module-test
module-test: $(MODULE_TESTS)/sanitized/pam_secondlook.so $(MODULE_TESTS)/sanitized/caller \
	$(MODULE) $(MODULE_TESTS)/plain/pam_secondlook.so $(MODULE_TESTS)/odd/pam_secondlook.so \
	$(MODULE_TESTS)/failing/pam_secondlook.so $(MODULE_TESTS)/libexec/helper $(MODULE_TESTS)/caller $(MODULE_TESTS)/token.so
