// SPDX-License-Identifier: Apache-2.0
// What a program does to itself before it trusts anything: a caller may have left it odd signals, masks, limits and descriptors.

import CLinux

/// The running process.
public enum OwnProcess {
    /// Default signals (SIGPIPE ignored), empty mask, umask 077, working directory `/`, /dev/null on closed standard descriptors, no dumps.
    public static func harden() throws(PlatformError) {
        try check(clinux_fill_standard_descriptors(), "open '/dev/null'")
        try check(clinux_reset_process(), "reset signals")
        try check(clinux_forbid_dumps(), "forbid core files")
    }

    /// The kernel ends this process after so many seconds whatever happens; 0 takes that back.
    public static func setAlarm(seconds: UInt32) { clinux_set_alarm(seconds) }

    /// Runs `body` with a heap that gives large freed blocks back at once.
    ///
    /// Loading networks frees as much as it keeps; without this the process's peak holds both.
    public static func withLeanHeap<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        clinux_return_freed_memory(1)
        defer { clinux_return_freed_memory(0) }
        return try body()
    }

    /// Lets the heap grow by so many bytes and has all of them made at once.
    ///
    /// A process that will use that much anyway is spared thousands of page faults. Large pages would be cheaper still, but a kernel may
    /// have to move others' pages out of their way first, or, in a virtual machine, to ask for them.
    public static func widenHeap(bytes: Int) { clinux_widen_heap(max(0, min(bytes, 1 << 29))) }

    /// Ends this process at once.
    public static func exit(_ code: UInt8) -> Never { clinux_exit(Int32(code)) }

    /// The folder of the program that runs, as the kernel resolves it.
    public static func programFolder() throws(PlatformError) -> String {
        let path = try readLink("/proc/self/exe")
        guard let slash = path.lastIndex(of: "/") else {
            throw .unsafeFile(path: path, problem: "is not an absolute path")
        }
        return String(path[..<slash])
    }

    /// The folder the caller stood in; to be asked before `harden`, which leaves it.
    public static func workingFolder() throws(PlatformError) -> String { try readLink("/proc/self/cwd") }

    /// Where a symbolic link points.
    public static func readLink(_ path: String) throws(PlatformError) -> String {
        var length = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { room, count in
            length = unsafe room.withMemoryRebound(to: CChar.self) { texts in
                // SAFETY: the C side writes at most `texts.count` bytes and tells how many.
                unsafe clinux_read_link(path, texts.baseAddress, texts.count)
            }
            count = max(0, length)
        }
        try check(length, "read", path)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A variable of the environment; for programs that an administrator starts by hand.
    public static func variable(_ name: String) -> String? {
        // SAFETY: a text lent for the call; the answer lives as long as the environment, which nobody changes.
        unsafe clinux_find_variable(name).map { unsafe String(cString: $0) }
    }
}
