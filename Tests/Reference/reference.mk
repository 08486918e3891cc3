# SPDX-License-Identifier: Apache-2.0
# Numbers of a NumPy reference for ReferenceTests. Where they cannot be made (no network, no Python 3.11) those tests are skipped by name.

REFERENCE := $(BUILD)/reference
REFERENCE_ENVIRONMENT := SECONDLOOK_REFERENCE=$(REFERENCE)/reference.json SECONDLOOK_PORTRAITS=$(REFERENCE)/portraits

.PHONY: reference
reference: $(MODELS)/.ready
	@Tests/Reference/make-reference $(CACHE) $(MODELS) $(REFERENCE) \
		|| echo "warning: the NumPy reference could not be made; its tests are skipped"
