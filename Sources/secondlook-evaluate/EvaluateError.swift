// SPDX-License-Identifier: Apache-2.0
// Why a measurement could not be made.

/// A fault of a measurement.
enum EvaluateError: Error, CustomStringConvertible {
    /// The command line.
    case usage(String)
    /// A file or folder.
    case file(String, String)
    /// ffmpeg.
    case clip(String, String)

    var isUsage: Bool { if case .usage = self { true } else { false } }

    var description: String {
        switch self {
        case .usage(let text): text
        case .file(let path, let why): "'\(path)': \(why)"
        case .clip(let path, let why): "cannot decode '\(path)': \(why)"
        }
    }
}
