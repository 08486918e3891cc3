// SPDX-License-Identifier: Apache-2.0
// What the plan refuses before anything is changed. The walls themselves cannot be taken down again, so they are proven in a process of their
// own: see WorkerTests/EscapeTests.swift.

import Platform
import Testing

@Suite struct SandboxTests {
    @Test func bitsAreDistinctAndComplete() {
        let each: [Sandbox.Layers] = [.noNewPrivileges, .otherUser, .seccomp, .landlock, .resourceLimits]
        #expect(each.map(\.rawValue) == [1, 2, 4, 16 / 2, 16])
        #expect(each.reduce(into: []) { $0.formUnion($1) } == Sandbox.Layers.all)
    }

    @Test(arguments: [(UInt32(0), UInt32(7)), (7, 0), (0, 0)])
    func refusesToBecomeRoot(user: UInt32, group: UInt32) {
        for strictness in [Sandbox.Strictness.require, .bestEffort] {
            #expect(throws: PlatformError.protocolBroken("the worker must not be root")) {
                try Sandbox.enter(Sandbox.Plan(account: (user, group), strictness: strictness))
            }
        }
    }

    @Test(.enabled(if: Machine.effectiveUser == 0, "root only"))
    func refusesToStayRoot() {
        for strictness in [Sandbox.Strictness.require, .bestEffort] {
            #expect(throws: PlatformError.protocolBroken("the worker must not stay root: no user was named")) {
                try Sandbox.enter(Sandbox.Plan(account: nil, strictness: strictness))
            }
        }
    }

    @Test func landlockIsAvailableExactlyWhereItHasAVersion() {
        #expect(Sandbox.available().contains(.landlock) == (Sandbox.landlockVersion > 0))
        #expect(Sandbox.available().isSuperset(of: [.noNewPrivileges, .otherUser, .resourceLimits]))
    }

    @Test func namesOfStrictnessAreThoseOfTheCommandLine() {
        #expect(Sandbox.Strictness(rawValue: "require") == .require)
        #expect(Sandbox.Strictness(rawValue: "best-effort") == .bestEffort)
        #expect(Sandbox.Strictness(rawValue: "off") == nil)
    }
}
