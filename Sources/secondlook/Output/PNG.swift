// SPDX-License-Identifier: Apache-2.0
// Writes a PNG file without compressing it, so that this privileged program links no library that reads pictures.

/// PNG files of 8-bit colour.
enum PNG {
    /// The bytes of a file: signature, IHDR, one IDAT of stored blocks (RFC 1950, RFC 1951), IEND.
    static func encode(_ canvas: Canvas) -> [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let table = checksumTable()
        // Eight bits, true colour, no interlacing.
        append("IHDR", big(UInt32(canvas.width)) + big(UInt32(canvas.height)) + [8, 2, 0, 0, 0], to: &bytes, table)
        append("IDAT", stored(rows(of: canvas)), to: &bytes, table)
        append("IEND", [], to: &bytes, table)
        return bytes
    }

    /// Each row behind the number of its filter: none.
    private static func rows(of canvas: Canvas) -> [UInt8] {
        let row = canvas.width * 3
        var bytes: [UInt8] = []
        bytes.reserveCapacity((row + 1) * canvas.height)
        for y in 0..<canvas.height {
            bytes.append(0)
            bytes.append(contentsOf: canvas.pixels[y * row..<(y + 1) * row])
        }
        return bytes
    }

    private static func stored(_ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0x78, 0x01]
        bytes.reserveCapacity(content.count + content.count / 10_000 + 64)
        var start = 0
        repeat {
            let count = min(65_535, content.count - start)
            let isLast = start + count == content.count
            bytes.append(isLast ? 1 : 0)
            for number in [UInt16(count), ~UInt16(count)] {
                bytes.append(UInt8(number & 255))
                bytes.append(UInt8(number >> 8))
            }
            bytes.append(contentsOf: content[start..<start + count])
            start += count
        } while start < content.count
        return bytes + big(adler(content))
    }

    private static func append(_ type: String, _ content: [UInt8], to bytes: inout [UInt8], _ table: [UInt32]) {
        let body = Array(type.utf8) + content
        bytes += big(UInt32(content.count))
        bytes += body
        bytes += big(checksum(body, table))
    }

    /// CRC-32 of the PNG specification (annex D).
    static func checksum(_ bytes: [UInt8], _ table: [UInt32]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 255)] ^ (sum >> 8) }
        return ~sum
    }

    static func checksumTable() -> [UInt32] {
        (0..<256).map { number in
            (0..<8).reduce(UInt32(number)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
        }
    }

    /// Adler-32 of RFC 1950.
    static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return b << 16 | a
    }

    private static func big(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }
}
