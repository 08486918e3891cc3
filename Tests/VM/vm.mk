# SPDX-License-Identifier: Apache-2.0
# `make test-vm`: the product's capture against cameras that a kernel drives, in a virtual machine. VM_RUNNER names the program that boots one;
# without it the test is skipped.

VM_RUNNER ?= $(abspath ../shared/vm/run-vm.sh)

.PHONY: test-vm
test-vm: deps clips
	swift build $(SWIFT_FLAGS) --product capture-probe --quiet
	Tests/VM/run $(VM_RUNNER) $(RELEASE)/capture-probe $(CLIPS) $(BUILD)/vm
