// SPDX-License-Identifier: Apache-2.0
// One camera buffer into a Frame, by the way its format asks for. A picture that is damaged, too short or of another size than announced is
// nil: the camera skips it.

public import Biometrics
import Platform

/// Decodes the buffers of one stream.
public struct FrameDecoder {
    private enum Way {
        case picture
        case raw(PixelLayout)
        case converted(any VideoDevice)
    }

    private let way: Way
    private let format: VideoFormat
    private let wanted: Frame.Format

    /// Checks what the driver says of its format.
    ///
    /// - Parameter device: converts the formats that have no decoder here; nil where there is none.
    public init(
        _ format: VideoFormat, as wanted: Frame.Format, device: (any VideoDevice)?
    ) throws(CaptureError) {
        let sides = 1...Frame.largestSide
        guard sides.contains(format.width), sides.contains(format.height) else {
            throw .tooLarge(width: format.width, height: format.height)
        }
        self.format = format
        self.wanted = wanted
        guard let known = PixelFormat(rawValue: format.code) else {
            guard let device else { throw .noFormat(FourCharacters.text(of: format.code)) }
            way = .converted(device)
            return
        }
        if known.isCompressed {
            way = .picture
            return
        }
        let layout = PixelLayout(
            format: known, width: format.width, height: format.height, bytesPerLine: format.bytesPerLine,
            fullRange: format.fullRange)
        guard let layout else {
            throw .failed("rows of \(format.bytesPerLine) bytes for \(format.width) pixels", errno: 0)
        }
        way = .raw(layout)
    }

    /// Nil for a bad picture.
    ///
    /// - Parameters:
    ///   - bytes: the bytes the driver says were used.
    ///   - timestamp: milliseconds of the monotonic clock, passed on.
    public func decode(_ bytes: Span<UInt8>, timestamp: UInt64) -> Frame? {
        switch way {
        case .raw(let layout): return layout.frame(from: bytes, as: wanted, timestamp: timestamp)
        case .picture:
            let frame = try? Picture.decode(copy(bytes), as: wanted, timestamp: timestamp, upright: false)
            // Another size than announced would let a camera change the scale between two frames.
            guard let frame, frame.width == format.width, frame.height == format.height else { return nil }
            return frame
        case .converted(let device):
            var rgb = [UInt8](repeating: 0, count: format.width * format.height * 3)
            guard device.convert(bytes, from: format, into: &rgb) == 0 else { return nil }
            let frame = Frame(
                width: format.width, height: format.height, format: .rgb, pixels: rgb, timestamp: timestamp)
            return wanted == .grey ? frame.map(luminance) : frame
        }
    }

    private func copy(_ bytes: Span<UInt8>) -> [UInt8] {
        // SAFETY: the array takes its own copy before the span ends.
        unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// BT.601 luminance of an RGB frame.
    private func luminance(_ frame: Frame) -> Frame {
        let count = frame.width * frame.height
        let grey = unsafe [UInt8](unsafeUninitializedCapacity: count) { room, initialised in
            for i in 0..<count {
                let red = 19_595 * Int(frame.pixels[3 * i])
                let green = 38_470 * Int(frame.pixels[3 * i + 1])
                let blue = 7_471 * Int(frame.pixels[3 * i + 2])
                // SAFETY: `i` is below the capacity, and every byte is written before it counts as initialised.
                unsafe room[i] = UInt8((red + green + blue + 32_768) >> 16)
            }
            initialised = count
        }
        return Frame(width: frame.width, height: frame.height, format: .grey, pixels: grey, timestamp: frame.timestamp)
            ?? frame
    }
}
