# SPDX-License-Identifier: Apache-2.0
# `make test-vm`: the installed product against cameras that a kernel drives, in a virtual machine; VM_SHORT=1 runs the least of it.

VM_BUILD := $(BUILD)/vm
VM_SECURITY := /usr/lib/x86_64-linux-gnu/security
VM_CHECKS = $(if $(VM_SHORT),short,formats logins)

.PHONY: test-vm
test-vm: build models clips
	@rm -rf $(VM_BUILD)/tree
	@$(MAKE) --no-print-directory -s install-files DESTDIR=$(VM_BUILD)/tree PREFIX=/usr SECURITY=$(VM_SECURITY) \
	    MODULE_BUILD=$(VM_BUILD)/pam
	@ln -sfn $(CLIPS) $(VM_BUILD)/clips
	@cp $(RELEASE)/capture-probe $(VM_BUILD)/probe
	@Tests/VM/run $(VM_BUILD) $(CACHE)/vm $(VM_CHECKS)
