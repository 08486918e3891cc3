// SPDX-License-Identifier: Apache-2.0
// The one loop under all renderers: for every pixel of the result, where in the source it comes from.

import Biometrics

/// Resamples pictures.
enum Warp {
    /// A picture of `width` x `height` whose pixel (u, v) is the source's at `origin(u, v)`, bilinear; nil there, or a place outside the
    /// source, keeps `background`'s pixel (which has the size of the result) or grey.
    static func render(
        _ source: Frame, width: Int, height: Int, background: Frame?, timestamp: UInt64,
        origin: (Float, Float) -> (x: Float, y: Float)?
    ) -> Frame? {
        let channels = source.format.bytesPerPixel
        var pixels = [UInt8](repeating: 96, count: width * height * channels)
        if let background, background.pixels.count == pixels.count { pixels = background.pixels }
        let limitX = Float(source.width - 1)
        let limitY = Float(source.height - 1)
        for v in 0..<height {
            for u in 0..<width {
                guard let place = origin(Float(u), Float(v)), place.x >= 0, place.y >= 0, place.x < limitX,
                    place.y < limitY
                else { continue }
                sample(source, at: place, into: &pixels, index: (v * width + u) * channels, channels)
            }
        }
        return Frame(width: width, height: height, format: source.format, pixels: pixels, timestamp: timestamp)
    }

    @inline(__always)
    private static func sample(
        _ source: Frame, at place: (x: Float, y: Float), into pixels: inout [UInt8], index: Int, _ channels: Int
    ) {
        let x = Int(place.x)
        let y = Int(place.y)
        // 8-bit fixed point is finer than the result's grey levels.
        let fx = Int((place.x - Float(x)) * 256)
        let fy = Int((place.y - Float(y)) * 256)
        let upper = (y * source.width + x) * channels
        let lower = upper + source.width * channels
        for c in 0..<channels {
            let top = Int(source.pixels[upper + c]) * (256 - fx) + Int(source.pixels[upper + channels + c]) * fx
            let bottom = Int(source.pixels[lower + c]) * (256 - fx) + Int(source.pixels[lower + channels + c]) * fx
            pixels[index + c] = UInt8(truncatingIfNeeded: (top * (256 - fy) + bottom * fy + 32_768) >> 16)
        }
    }
}
