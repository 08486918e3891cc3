// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry for raw camera frames: the layout arithmetic and its loops over memory, built from the very sources of Capture. The input is
// that of FrameMutationTests: format, wanted colours, width, height, bytes a line, then the picture.

import Biometrics

/// Converts one input and checks what comes out.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: start, count: count)
    guard count >= 8 else { return 0 }
    func number(_ at: Int) -> Int { Int(input[at]) << 8 | Int(input[at + 1]) }
    let formats: [PixelFormat] = [.yuyv, .uyvy, .nv12, .grey, .y10, .y12, .y16, .y16BigEndian]
    // Small enough to search in: the sides' limits have tests of their own.
    let width = number(2) % 129
    let height = number(4) % 129
    guard
        let layout = PixelLayout(
            format: formats[Int(input[0]) % formats.count], width: width, height: height, bytesPerLine: number(6),
            fullRange: input[1] & 2 != 0)
    else { return 0 }
    // A copy of exactly these bytes, so that the sanitizer sees a read beyond them.
    let picture = Array(input[8...])
    let wanted: Frame.Format = input[1] & 1 == 0 ? .rgb : .grey
    let frame = layout.frame(from: picture.span, as: wanted, timestamp: 0)
    precondition((frame != nil) == (picture.count >= layout.leastBytes))
    if let frame { precondition(frame.width == width && frame.height == height) }
    return 0
}
