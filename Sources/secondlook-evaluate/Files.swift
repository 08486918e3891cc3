// SPDX-License-Identifier: Apache-2.0
// Reading and writing files whole, with errors that name them.

import Foundation

/// Files of measurements.
enum Files {
    /// A file's bytes.
    static func load(_ path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            let isThere = FileManager.default.fileExists(atPath: path)
            throw EvaluateError.file(path, isThere ? "cannot be read" : "no such file")
        }
        return Array(data)
    }

    /// Writes a file whole or not at all.
    static func save(_ text: String, to path: String) throws {
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw EvaluateError.file(path, "cannot be written")
        }
    }

    /// Adds a line to a file that is there.
    static func append(_ line: String, to path: String) throws {
        do {
            let handle = try FileHandle(forWritingTo: URL(filePath: path))
            defer { try? handle.close() }
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(line.utf8))
        } catch {
            throw EvaluateError.file(path, "cannot be written (disk full?)")
        }
    }
}
