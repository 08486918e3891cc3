// SPDX-License-Identifier: Apache-2.0
// Raw pictures of known colours, drawn here from RGB by the floating-point formula of BT.601, through the integer decoders, with and without
// padding. The bound of 2 covers rounding twice.

import Biometrics
import Capture
import Testing

private struct Colour {
    var red, green, blue: Double

    /// Y, U, V as bytes.
    func coded(fullRange: Bool) -> (UInt8, UInt8, UInt8) {
        let y = 0.299 * red + 0.587 * green + 0.114 * blue
        let u = (blue - y) / 1.772
        let v = (red - y) / 1.402
        let byte = { (value: Double) in UInt8(max(0, min(255, value.rounded()))) }
        guard !fullRange else { return (byte(y), byte(u + 128), byte(v + 128)) }
        return (byte(16 + y * 219 / 255), byte(128 + u * 224 / 255), byte(128 + v * 224 / 255))
    }
}

/// Two pixels side by side share a colour, since chroma is halved.
private func colour(_ x: Int, _ y: Int) -> Colour {
    Colour(
        red: Double((x / 2 * 67 + 30) % 256), green: Double((y / 2 * 91 + 100) % 256),
        blue: Double((x / 2 * 23 + y / 2 * 41) % 256))
}

private func encode(_ format: PixelFormat, _ width: Int, _ height: Int, _ line: Int, fullRange: Bool) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xEE, count: format == .nv12 ? line * (height + (height + 1) / 2) : line * height)
    for y in 0..<height {
        for x in 0..<width {
            let (luma, u, v) = colour(x, y).coded(fullRange: fullRange)
            switch format {
            case .yuyv:
                bytes[y * line + x * 2] = luma
                bytes[y * line + x / 2 * 4 + 1] = u
                bytes[y * line + x / 2 * 4 + 3] = v
            case .uyvy:
                bytes[y * line + x * 2 + 1] = luma
                bytes[y * line + x / 2 * 4] = u
                bytes[y * line + x / 2 * 4 + 2] = v
            default:
                bytes[y * line + x] = luma
                bytes[line * height + y / 2 * line + x / 2 * 2] = u
                bytes[line * height + y / 2 * line + x / 2 * 2 + 1] = v
            }
        }
    }
    return bytes
}

/// The macros of the testing library cannot pass a span through.
private func convert(_ bytes: [UInt8], _ layout: PixelLayout, as format: Frame.Format = .rgb, timestamp: UInt64 = 0)
    -> Frame?
{
    layout.frame(from: bytes.span, as: format, timestamp: timestamp)
}

@Suite struct PixelLayoutTests {
    @Test(arguments: [PixelFormat.yuyv, .uyvy, .nv12], [0, 13])
    func decodesColourWithinTwo(format: PixelFormat, padding: Int) throws {
        for (width, height) in [(10, 6), (9, 5), (1, 1)] {
            for fullRange in [false, true] {
                let row = format == .nv12 ? (width + 1) / 2 * 2 : (width + 1) / 2 * 4
                let layout = try #require(
                    PixelLayout(
                        format: format, width: width, height: height, bytesPerLine: row + padding,
                        fullRange: fullRange))
                let bytes = encode(format, width, height, row + padding, fullRange: fullRange)
                let frame = try #require(convert(bytes, layout, as: .rgb, timestamp: 7))
                let grey = try #require(convert(bytes, layout, as: .grey, timestamp: 7))
                #expect(frame.timestamp == 7)
                for i in 0..<(width * height) {
                    let truth = colour(i % width, i / width)
                    let luma = 0.299 * truth.red + 0.587 * truth.green + 0.114 * truth.blue
                    #expect(abs(Double(frame.pixels[3 * i]) - truth.red) <= 2)
                    #expect(abs(Double(frame.pixels[3 * i + 1]) - truth.green) <= 2)
                    #expect(abs(Double(frame.pixels[3 * i + 2]) - truth.blue) <= 2)
                    #expect(abs(Double(grey.pixels[i]) - luma) <= 1)
                }
            }
        }
    }

    @Test(arguments: [0, 6])
    func decodesLuminanceOfEveryDepthAndOrder(padding: Int) throws {
        let (width, height) = (16, 3)
        func value(_ x: Int, _ y: Int) -> Int { (x * 4097 + y * 1031) % 65_536 }
        let formats: [(PixelFormat, Int, Bool)] = [
            (.grey, 8, false), (.y10, 10, false), (.y12, 12, false), (.y16, 16, false), (.y16BigEndian, 16, true),
        ]
        for (format, bits, bigEndian) in formats {
            let size = bits == 8 ? 1 : 2
            let line = width * size + padding
            var bytes = [UInt8](repeating: 0xEE, count: line * height)
            for y in 0..<height {
                for x in 0..<width {
                    let sample = value(x, y) >> (16 - bits)
                    let parts =
                        size == 1 ? [sample] : bigEndian ? [sample >> 8, sample & 255] : [sample & 255, sample >> 8]
                    for (i, part) in parts.enumerated() { bytes[y * line + x * size + i] = UInt8(part) }
                }
            }
            let layout = try #require(PixelLayout(format: format, width: width, height: height, bytesPerLine: line))
            let frame = try #require(convert(bytes, layout))
            #expect(frame.format == .grey, "\(format) turned pink")
            let truth = (0..<height).flatMap { y in (0..<width).map { UInt8(value($0, y) >> 8) } }
            #expect(frame.pixels == truth, "\(format)")
        }
    }

    @Test func valuesBeyondTheDepthAreWhite() throws {
        let layout = try #require(PixelLayout(format: .y10, width: 2, height: 1, bytesPerLine: 0))
        let frame = convert([0xFF, 0xFF, 0xFF, 0x03], layout)
        #expect(frame?.pixels == [255, 255])
    }

    @Test(arguments: [PixelFormat.yuyv, .uyvy, .nv12, .grey, .y10, .y12, .y16, .y16BigEndian])
    func refusesOneByteTooFewAndTakesExactlyEnough(format: PixelFormat) throws {
        for (width, height, padding) in [(6, 4, 0), (5, 3, 0), (6, 4, 10)] {
            let tight = try #require(PixelLayout(format: format, width: width, height: height, bytesPerLine: 0))
            let layout = try #require(
                PixelLayout(format: format, width: width, height: height, bytesPerLine: tight.bytesPerLine + padding))
            let enough = [UInt8](repeating: 60, count: layout.leastBytes)
            let few = Array(enough.dropLast())
            #expect(convert(enough, layout) != nil)
            #expect(convert(few, layout) == nil)
            #expect(convert([], layout) == nil)
        }
    }

    @Test func refusesImpossibleLayouts() {
        #expect(PixelLayout(format: .mjpeg, width: 8, height: 8, bytesPerLine: 0) == nil)
        #expect(PixelLayout(format: .grey, width: 0, height: 8, bytesPerLine: 0) == nil)
        #expect(PixelLayout(format: .grey, width: 8, height: 4097, bytesPerLine: 0) == nil)
        #expect(PixelLayout(format: .grey, width: 8, height: 8, bytesPerLine: 7) == nil)
        #expect(PixelLayout(format: .grey, width: 8, height: 8, bytesPerLine: -8) == nil)
        #expect(PixelLayout(format: .yuyv, width: 8, height: 8, bytesPerLine: 15) == nil)
        #expect(PixelLayout(format: .grey, width: 8, height: 8, bytesPerLine: Int.max) == nil)
    }
}
