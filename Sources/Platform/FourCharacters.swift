// SPDX-License-Identifier: Apache-2.0
// The four-character codes by which Video4Linux names pixel formats, as text.

/// Four-character codes.
public enum FourCharacters {
    /// "YUYV", or "Y16 -BE" for the big-endian variant; unprintable characters become dots.
    public static func text(of code: UInt32) -> String {
        let characters = (0..<4).map { UInt8(truncatingIfNeeded: (code & 0x7FFF_FFFF) >> (8 * $0)) }
        let text = String(decoding: characters.map { (0x20...0x7E).contains($0) ? $0 : 0x2E }, as: UTF8.self)
        return code & 0x8000_0000 != 0 ? text + "-BE" : text
    }

    /// Luminance alone, by `text`: a camera that offers nothing else sees infrared light.
    static let monochrome: Set<String> = [
        "GREY", "Y04 ", "Y06 ", "Y10 ", "Y10B", "Y10P", "Y12 ", "Y12P", "Y14 ", "Y16 ", "Y16 -BE", "Y8I ", "Y12I",
    ]
}
