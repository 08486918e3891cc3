// SPDX-License-Identifier: Apache-2.0
// Files are mapped before the walls stand and only read or written as memory afterwards.

import CProbe

/// A file in memory for as long as the process lives.
@safe final class MappedFile {
    // SAFETY: mapped in init and never unmapped; `count` bytes long.
    private let start: UnsafeMutableRawPointer
    /// Bytes of the file.
    let count: Int

    /// Maps a file that is not empty.
    init(_ path: String, writable: Bool = false) throws(ReplayError) {
        var length = 0
        guard let mapping = unsafe cprobe_map(path, writable ? 1 : 0, &length) else {
            throw .file("cannot map '\(path)'")
        }
        unsafe start = mapping
        count = length
    }

    /// A copy of some bytes; empty beyond the end.
    func bytes(at offset: Int, count wanted: Int) -> [UInt8] {
        guard offset >= 0, wanted >= 0, offset + wanted <= count else { return [] }
        // SAFETY: the range was checked against the mapping's length.
        return unsafe Array(UnsafeRawBufferPointer(start: start + offset, count: wanted))
    }

    /// The text up to the first NUL.
    func text() -> String {
        String(decoding: bytes(at: 0, count: count).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Makes every attempt to escape and writes the report into the file.
    func reportEscapes() {
        // SAFETY: the mapping is writable, and the C side keeps to its length.
        _ = unsafe cprobe_report(start.assumingMemoryBound(to: CChar.self), count)
    }
}
