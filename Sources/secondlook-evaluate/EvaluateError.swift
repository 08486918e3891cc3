// SPDX-License-Identifier: Apache-2.0
// Why a measurement could not be made.

/// A fault of a measurement.
enum EvaluateError: Error, CustomStringConvertible {
    /// The command line.
    case usage(String)
    /// A file or folder.
    case file(String, String)
    /// A line of a file that is not as it should be.
    case line(String, Int, String)
    /// ffmpeg.
    case clip(String, String)

    var isUsage: Bool { if case .usage = self { true } else { false } }

    var description: String {
        switch self {
        case .usage(let text): text
        case .file(let path, let why): "'\(path)': \(why)"
        case .line(let path, let line, let why): "'\(path)', line \(line): \(why)"
        case .clip(let path, let why): "cannot decode '\(path)': \(why)"
        }
    }
}
