# SPDX-License-Identifier: Apache-2.0
# `make deb`: the Debian package, in build/deb. `make test-deb`: installs, upgrades, removes and purges it on a clean Debian 12 root.

PACKAGES_FOR_DEB := debhelper dpkg-dev fakeroot lintian
PACKAGES_FOR_DEB_TEST := mmdebstrap
DEB := $(BUILD)/deb

.PHONY: deb deb-only test-deb
deb: build models
	@.ci/install-packages $(PACKAGES_FOR_DEB)
	@$(MAKE) --no-print-directory deb-only

# Packs what is built. It works on a copy of debian/, so that the tree stays as it is.
deb-only:
	rm -rf $(DEB) && mkdir -p $(DEB)/tree
	cp -a debian $(DEB)/tree/
	cd $(DEB)/tree && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS SECONDLOOK_TREE=$(CURDIR) DEB_BUILD_OPTIONS=noautodbgsym \
	    dpkg-buildpackage -b -us -uc >$(DEB)/build.log 2>&1 || { tail -20 $(DEB)/build.log; exit 1; }
	rm -rf $(DEB)/tree
	lintian --fail-on error --suppress-tags initial-upload-closes-no-bugs $(DEB)/*.deb
	@ls -l $(DEB)/*.deb

test-deb: deb
	@.ci/install-packages $(PACKAGES_FOR_DEB_TEST)
	Tests/Package/run $(DEB) $(CACHE)
