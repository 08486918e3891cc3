// SPDX-License-Identifier: Apache-2.0
// A child process with one owner. It inherits nothing but the descriptors it is given, and does not outlive its owner.

import CLinux

/// A running child; it is killed and reaped when its owner ends.
public struct Child: ~Copyable, Sendable {
    /// How a child ended.
    public enum End: Equatable, Sendable {
        /// It exited with this code.
        case exited(Int32)
        /// This signal ended it.
        case killed(Int32)
        /// Someone else reaped it, so nobody knows.
        case unknown
    }

    /// A descriptor of this process and the number it becomes in the child.
    public struct Placement: Equatable, Sendable {
        /// The number here.
        public let from: Int32
        /// The number in the child.
        public let to: Int32

        /// Puts `from` at `to`.
        public init(_ from: Int32, at to: Int32) {
            self.from = from
            self.to = to
        }
    }

    /// The process number, for messages.
    public let process: Int32
    private let handle: Descriptor
    private var end: End?

    /// Executes an opened program: new session, working directory `/`, umask 077, default signals, and no descriptors but `placements`.
    ///
    /// - Parameters:
    ///   - program: the file that was opened and checked; it is executed by descriptor.
    ///   - arguments: the first is the name.
    ///   - environment: `NAME=value`; empty by default.
    ///   - placements: at most 16; standard descriptors that are not named are closed in the child.
    ///   - account: whom the child becomes, before the program is executed; only root can do this.
    /// - Throws: the errno of the step that failed, also of the exec itself.
    public init(
        program: borrowing Descriptor, arguments: [String], environment: [String] = [], placements: [Placement],
        becoming account: Account? = nil
    ) throws(PlatformError) {
        var pidfd: Int32 = -1
        let from = placements.map(\.from)
        let to = placements.map(\.to)
        let number = program.raw
        let result = unsafe withTexts(arguments) { argumentTexts in
            unsafe withTexts(environment) { environmentTexts in
                unsafe from.withUnsafeBufferPointer { fromNumbers in
                    unsafe to.withUnsafeBufferPointer { toNumbers in
                        // SAFETY: every pointer is lent by the closures around this call, and the C side keeps none.
                        var request = unsafe clinux_spawn_request(
                            program: number, arguments: argumentTexts, environment: environmentTexts,
                            from: fromNumbers.baseAddress, to: toNumbers.baseAddress, count: from.count,
                            dies_with_parent: 1, changes_user: account == nil ? 0 : 1, user: account?.user ?? 0,
                            group: account?.group ?? 0)
                        return unsafe clinux_spawn(&request, &pidfd)
                    }
                }
            }
        }
        process = try check(result, "start", arguments.first ?? "")
        handle = Descriptor(owning: pidfd)
    }

    deinit {
        if end == nil {
            _ = clinux_kill(handle.raw, clinux_kill_signal())
            var code: Int32 = 0
            // SAFETY: one integer lent for the call. A killed child ends within moments; two seconds bound a stuck driver.
            _ = unsafe clinux_wait_child(handle.raw, clinux_monotonic_milliseconds() + 2000, &code)
        }
    }

    /// A descriptor that becomes readable when the child ends, for `Readiness`.
    public var raw: Int32 { handle.raw }

    /// Waits for the end until the deadline (milliseconds of the monotonic clock); nil when it still runs.
    public mutating func wait(until deadline: UInt64) throws(PlatformError) -> End? {
        if let end { return end }
        var code: Int32 = 0
        // SAFETY: one integer lent for the call.
        let result = unsafe clinux_wait_child(handle.raw, deadline, &code)
        switch result {
        case 0: return nil
        case 1: end = .exited(code)
        case 2: end = .killed(code)
        case -10: end = .unknown
        default: try check(result, "wait for a child")
        }
        return end
    }

    /// Kills the child and waits for its end, two seconds at most; nil when even that did not end it.
    public mutating func kill() throws(PlatformError) -> End? {
        if let end { return end }
        _ = clinux_kill(handle.raw, clinux_kill_signal())
        return try wait(until: clinux_monotonic_milliseconds() + 2000)
    }
}

/// Lends a NULL-terminated array of C texts.
private func withTexts<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
) -> Result {
    let bytes = texts.flatMap { Array($0.utf8.filter { $0 != 0 }).map { CChar(bitPattern: $0) } + [0] }
    var offsets: [Int] = []
    var next = 0
    for text in texts {
        offsets.append(next)
        next += text.utf8.filter { $0 != 0 }.count + 1
    }
    return unsafe bytes.withUnsafeBufferPointer { room in
        // SAFETY: every offset lies within `room`, whose memory outlives the call of `body`.
        let pointers = unsafe offsets.map { offset in unsafe room.baseAddress.map { unsafe $0 + offset } } + [nil]
        return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
}
