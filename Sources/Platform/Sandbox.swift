// SPDX-License-Identifier: Apache-2.0
// The walls around the process that sees. They are built once, by the process itself, after everything it needs is open and loaded, and
// can never be taken down again. This file decides the order and what is missing; each wall is C.

import CLinux
import CSeccomp

/// Shuts the calling process in.
public enum Sandbox {
    /// The walls, as bits; the worker reports the same bits in its `hello`.
    public struct Layers: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// A set of walls.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// No new privileges can be gained by exec.
        public static let noNewPrivileges = Layers(rawValue: 1)
        /// A user and group of its own, no other groups, no capabilities.
        public static let otherUser = Layers(rawValue: 2)
        /// The allow-list of system calls is in force on every thread.
        public static let seccomp = Layers(rawValue: 4)
        /// Landlock allows no path on any thread.
        public static let landlock = Layers(rawValue: 8)
        /// Memory, processes, descriptors and processor time are bounded, and nobody may read the process's memory.
        public static let resourceLimits = Layers(rawValue: 16)
        /// All of them.
        public static let all = Layers(rawValue: 31)
    }

    /// What to do when a wall cannot be built.
    public enum Strictness: String, Sendable {
        /// Refuse to go on.
        case require
        /// Go on with the walls there are, and say which.
        case bestEffort = "best-effort"
    }

    /// Who to become and how much may be used.
    public struct Plan: Sendable {
        /// The user and group to become; nil only for a process that is no longer root.
        public var account: (user: UInt32, group: UInt32)?
        /// What to do when a wall is missing.
        public var strictness: Strictness
        /// Descriptors the process may hold at once.
        public var descriptors: UInt64 = 64
        /// Bytes of address space beyond what is mapped when the walls are built: room for frames of 4096x4096.
        public var extraBytes: UInt64 = 768 << 20
        /// Seconds of processor time from now on.
        public var processorSeconds: UInt64 = 600

        /// A plan with the usual bounds.
        public init(account: (user: UInt32, group: UInt32)?, strictness: Strictness) {
            self.account = account
            self.strictness = strictness
        }
    }

    /// The walls this kernel can build (`otherUser` and `resourceLimits` always can be).
    public static func available() -> Layers {
        var layers: Layers = [.noNewPrivileges, .otherUser, .resourceLimits]
        if cseccomp_is_available() { layers.insert(.seccomp) }
        if clinux_landlock_version() > 0 { layers.insert(.landlock) }
        return layers
    }

    /// The version of Landlock, 0 where the kernel has none.
    public static var landlockVersion: Int { max(0, Int(clinux_landlock_version())) }

    /// Builds the walls; afterwards nothing can be opened, started or connected.
    ///
    /// - Returns: the walls in force.
    /// - Throws: with `require` when any wall is missing; always when the process would stay root.
    public static func enter(_ plan: Plan) throws(PlatformError) -> Layers {
        try verify(plan)
        var layers: Layers = []
        try build(.resourceLimits, &layers, plan, "limit resources") {
            clinux_limit_resources(plan.descriptors, plan.extraBytes, plan.processorSeconds)
        }
        if let account = plan.account {
            try check(clinux_become(account.user, account.group), "become user", String(account.user))
            layers.insert(.otherUser)
        }
        // After the change of user, which lets debuggers in again.
        try check(clinux_forbid_dumps(), "forbid dumps")
        let hasLandlock = clinux_landlock_version() > 0
        try build(.noNewPrivileges, &layers, plan, "confine all threads") { clinux_confine_threads(hasLandlock) }
        if hasLandlock, layers.contains(.noNewPrivileges) { layers.insert(.landlock) }
        try build(.seccomp, &layers, plan, "filter system calls") { cseccomp_confine_worker() }
        return layers
    }

    /// What can be known to fail is refused before anything is changed.
    private static func verify(_ plan: Plan) throws(PlatformError) {
        if let account = plan.account {
            guard account.user != 0, account.group != 0 else { throw .protocolBroken("the worker must not be root") }
        } else {
            guard clinux_effective_user() != 0, clinux_has_no_capabilities() else {
                throw .protocolBroken("the worker must not stay root: no user was named")
            }
            if plan.strictness == .require { throw .protocolBroken("the worker has no user of its own") }
        }
        guard plan.strictness == .require else { return }
        guard clinux_landlock_version() > 0 else { throw .protocolBroken("this kernel has no Landlock") }
        guard cseccomp_is_available() else { throw .protocolBroken("this kernel cannot filter system calls") }
    }

    private static func build(
        _ layer: Layers, _ layers: inout Layers, _ plan: Plan, _ action: String, _ wall: () -> Int32
    ) throws(PlatformError) {
        let result = wall()
        if result == 0 {
            layers.insert(layer)
        } else if plan.strictness == .require {
            throw .system(action: action, subject: "", code: -result)
        }
    }
}
