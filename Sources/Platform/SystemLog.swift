// SPDX-License-Identifier: Apache-2.0
// One line to the system's log; only executables call it, libraries never log.

import CLinux

/// The facility AUTHPRIV of the system's log.
public enum SystemLog {
    /// How grave a line is; the raw value is syslog's.
    public enum Severity: Int32, Sendable {
        /// Something is broken.
        case error = 3
        /// Someone was refused.
        case warning = 4
        /// Normal but worth a record.
        case notice = 5
        /// Details.
        case info = 6
        /// Details for a person who looks for a fault.
        case debug = 7
    }

    /// Writes one line; control characters, of foreign names for instance, are replaced so that nobody can forge a second line.
    public static func write(_ severity: Severity, _ line: String) {
        let clean = String(
            String.UnicodeScalarView(line.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : $0 }))
        // SAFETY: a text lent for the call; the C side passes it as an argument, never as a format.
        unsafe clinux_log(severity.rawValue, clean)
    }
}
