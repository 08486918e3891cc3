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

    /// Writes one line, made plain first.
    public static func write(_ severity: Severity, _ line: String) {
        let clean = plain(line)
        // SAFETY: a text lent for the call; the C side passes it as an argument, never as a format.
        unsafe clinux_log(severity.rawValue, clean)
    }

    /// The line with question marks for what could forge a second line or change what a terminal shows of this one, in foreign names for
    /// instance: control characters of both sets, line and paragraph separators, and marks that turn the direction of writing.
    static func plain(_ line: String) -> String {
        let scalars = line.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.value {
            case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: "?"
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
