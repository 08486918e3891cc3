// SPDX-License-Identifier: Apache-2.0
// The real module, under libpam, with a scripted helper and a scripted caller. One call at a time: the bounds are in milliseconds.

import Testing

@Suite(.serialized, .enabled(if: Rig.isRoot, "starts helpers, which only root may"), .enabled(if: Rig.isBuilt))
struct ModuleTests {}

@Suite struct RigTests {
    @Test(.enabled(if: Rig.isRoot)) func buildsTheTestPrograms() { #expect(Rig.isBuilt) }
}
