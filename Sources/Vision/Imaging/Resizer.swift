// SPDX-License-Identifier: Apache-2.0
// Cutting and resizing a frame into the planes a network reads. Rows are summed first: that pass runs over neighbouring bytes, which the
// compiler turns into vector instructions, and it is where nearly all pixels are touched.

import Biometrics

/// How planes are laid out and scaled.
struct PlaneLayout: Equatable {
    /// Elements from one row to the next.
    var rowStride: Int
    /// Elements from one plane to the next.
    var planeStride: Int
    /// Which colour each plane holds: 0 red, 1 green, 2 blue.
    var order: [Int]
    /// Factor on the 0 to 255 values.
    var scale: Float

    /// The first element of a colour's plane.
    func start(of colour: Int) -> Int { (order.firstIndex(of: colour) ?? 0) * planeStride }
}

/// A resizer with its working memory.
struct Resizer {
    private var sums: [Float] = []

    /// Resizes `frame` along both axes into `planes`; grey frames fill all planes alike.
    mutating func resize(
        _ frame: Frame, x: Axis, y: Axis, into planes: inout MutableSpan<Float>, layout: PlaneLayout
    ) {
        let channels = frame.format.bytesPerPixel
        let first = x.range.lowerBound * channels
        let width = (x.range.upperBound - x.range.lowerBound + 1) * channels
        if sums.count < width { sums = [Float](repeating: 0, count: width) }
        precondition(
            (layout.order.count - 1) * layout.planeStride + (y.count - 1) * layout.rowStride + x.count <= planes.count
                && x.range.upperBound < frame.width && y.range.upperBound < frame.height && x.range.lowerBound >= 0
                && y.range.lowerBound >= 0)
        // SAFETY: the precondition bounds every index below: sources lie within the frame, outputs within the planes.
        unsafe frame.pixels.withUnsafeBufferPointer { pixels in
            unsafe sums.withUnsafeMutableBufferPointer { sums in
                unsafe planes.withUnsafeMutableBufferPointer { planes in
                    for row in 0..<y.count {
                        let taps = y.firsts[row]..<y.firsts[row + 1]
                        for tap in taps {
                            let start = y.sources[tap] * frame.width * channels + first
                            unsafe Resizer.addRow(
                                pixels.extracting(start..<(start + width)), y.weights[tap],
                                isFirst: tap == taps.lowerBound,
                                to: sums)
                        }
                        unsafe Resizer.spread(
                            sums, x, offset: first, channels: channels, layout,
                            to: planes.extracting((row * layout.rowStride)..<planes.count))
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func addRow(
        _ row: UnsafeBufferPointer<UInt8>, _ weight: Float, isFirst: Bool, to sums: UnsafeMutableBufferPointer<Float>
    ) {
        // SAFETY: `sums` is at least as long as the row.
        guard let from = row.baseAddress, let to = sums.baseAddress else { return }
        let count = row.count
        if isFirst {
            for i in 0..<count { unsafe to[i] = weight * Float(from[i]) }
        } else {
            for i in 0..<count { unsafe to[i] += weight * Float(from[i]) }
        }
    }

    @inline(__always)
    private static func spread(
        _ sums: UnsafeMutableBufferPointer<Float>, _ x: Axis, offset: Int, channels: Int, _ layout: PlaneLayout,
        to planes: UnsafeMutableBufferPointer<Float>
    ) {
        // SAFETY: positions less `offset` lie within `sums`, outputs within the planes, as the caller checked.
        unsafe x.sources.withUnsafeBufferPointer { sources in
            unsafe x.weights.withUnsafeBufferPointer { weights in
                unsafe x.firsts.withUnsafeBufferPointer { firsts in
                    guard let from = sums.baseAddress, let to = planes.baseAddress else { return }
                    let (second, last) = (min(1, channels - 1), channels - 1)
                    // Where each colour goes; looked up once, since this runs for every pixel that a network sees.
                    let red = layout.start(of: 0)
                    let green = layout.start(of: 1)
                    let blue = layout.start(of: 2)
                    for o in 0..<x.count {
                        var (a, b, c) = (Float(0), Float(0), Float(0))
                        for tap in unsafe firsts[o]..<firsts[o &+ 1] {
                            let weight = unsafe weights[tap]
                            let at = unsafe sources[tap] &* channels &- offset
                            unsafe a += weight * from[at]
                            unsafe b += weight * from[at &+ second]
                            unsafe c += weight * from[at &+ last]
                        }
                        unsafe to[red &+ o] = layout.scale * a
                        unsafe to[green &+ o] = layout.scale * b
                        unsafe to[blue &+ o] = layout.scale * c
                    }
                }
            }
        }
    }
}
