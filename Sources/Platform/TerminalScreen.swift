// SPDX-License-Identifier: Apache-2.0
// A terminal that is used as a screen and given back as it was found on every way out: when this value ends, when a signal ends or stops the
// process, and when the process crashes.

import CLinux

/// A terminal taken over for as long as this value lives; one at a time.
public struct TerminalScreen: ~Copyable {
    /// What somebody asks for by a signal or a key.
    public enum Wish: Equatable, Sendable {
        /// SIGINT, SIGTERM, SIGHUP or SIGQUIT; the end of the input, too.
        case end
        /// SIGTSTP.
        case stop
        /// The size has changed, or the terminal was somebody else's meanwhile: paint everything anew.
        case repaint
        /// A key.
        case key(UInt8)
    }

    /// Readable when a signal was noted; it belongs to the C side.
    private let signals: Int32

    private init(signals: Int32) { self.signals = signals }

    /// Takes standard input and output.
    public static func take() throws(PlatformError) -> TerminalScreen {
        let signals = try check(clinux_catch_signals(), "watch for signals")
        do throws(PlatformError) { try check(clinux_screen_enter(0, 1), "set up the terminal") } catch {
            clinux_release_signals()
            throw error
        }
        return TerminalScreen(signals: signals)
    }

    deinit {
        _ = clinux_screen_leave()
        clinux_release_signals()
    }

    /// Whether standard input and output are a terminal.
    public static var isPossible: Bool { clinux_is_terminal(0) == 1 && clinux_is_terminal(1) == 1 }

    /// Columns and rows, at least 1; those of a plain terminal where the size is not known.
    public var size: (columns: Int, rows: Int) {
        var columns: Int32 = 0
        var rows: Int32 = 0
        // SAFETY: two integers lent for the call.
        guard unsafe clinux_screen_size(1, &columns, &rows) == 0, columns > 0, rows > 0 else { return (80, 24) }
        return (Int(columns), Int(rows))
    }

    /// Descriptors that become readable when there may be a wish.
    public var sources: [Int32] { [0, signals] }

    /// The wishes that wait.
    public mutating func wishes() -> [Wish] {
        var found: [Wish] = []
        while true {
            switch UInt32(clinux_next_signal()) {
            case CLINUX_SIGNAL_END.rawValue: found.append(.end)
            case CLINUX_SIGNAL_STOP.rawValue: found.append(.stop)
            case CLINUX_SIGNAL_CONTINUE.rawValue, CLINUX_SIGNAL_RESIZE.rawValue: found.append(.repaint)
            default: return found + keys()
            }
        }
    }

    private func keys() -> [Wish] {
        guard let ready = try? Readiness.wait(toRead: [0], until: 0), !ready.isEmpty else { return [] }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe bytes.withUnsafeMutableBytes { room in
            // SAFETY: the C side writes at most `room.count` bytes into memory that is lent for the call.
            unsafe clinux_read(0, room.baseAddress, room.count)
        }
        // Readable and nothing to read: the terminal has gone.
        guard count > 0 else { return [.end] }
        return bytes.prefix(count).map { Wish.key($0) }
    }

    /// Gives the terminal back, stops the process, and takes the terminal again when the process is continued.
    public mutating func stop() throws(PlatformError) {
        try check(clinux_screen_leave(), "give the terminal back")
        try check(clinux_stop_here(), "stop")
        try check(clinux_screen_enter(0, 1), "set up the terminal")
    }

    /// Writes to the terminal; breaks off when a signal wants the end.
    public func write(_ bytes: [UInt8]) throws(PlatformError) {
        let result = unsafe bytes.withUnsafeBytes { room in
            // SAFETY: the array's bytes, lent for the call.
            unsafe clinux_screen_write(room.baseAddress, room.count)
        }
        if result == -4 { return }  // EINTR: the wish is there with the next call of `wishes`
        try check(result, "write to the terminal")
    }
}
