// SPDX-License-Identifier: Apache-2.0
// One direction of a separable resizing: which source pixels make each output pixel, and how much each counts.

/// Weights along one axis.
struct Axis: Equatable {
    /// For output pixel o, its taps are `firsts[o]..<firsts[o + 1]` of the two arrays below.
    private(set) var firsts: [Int] = [0]
    /// Positions in the picture, already mirrored at its borders.
    private(set) var sources: [Int] = []
    /// Shares, of sum 1 for each output pixel.
    private(set) var weights: [Float] = []

    /// Output pixels.
    var count: Int { firsts.count - 1 }
    /// The lowest and highest position used.
    private(set) var range = 0...0

    /// Resizes the stretch of `length` pixels that begins at `origin` of a picture `limit` pixels long to `count` pixels.
    ///
    /// Shrinking takes the mean over the area that an output pixel covers (as OpenCV's INTER_AREA), enlarging is bilinear between pixel
    /// centres, without looking beyond the stretch (INTER_LINEAR). Outside the picture it is mirrored about the centre of the border
    /// pixel (BORDER_REFLECT_101), as often as it takes.
    init(origin: Int, length: Int, limit: Int, count: Int) {
        let step = Double(length) / Double(count)
        for o in 0..<count {
            if length > count {
                let (from, to) = (Double(o) * step, Double(o + 1) * step)
                var i = Int(from)
                while Double(i) < to - 1e-9, i < length {
                    let share = min(to, Double(i + 1)) - max(from, Double(i))
                    if share > 1e-9 { add(origin + i, limit, Float(share / step)) }
                    i += 1
                }
            } else {
                let centre = max(0, min(Double(length - 1), (Double(o) + 0.5) * step - 0.5))
                let low = Int(centre)
                let part = Float(centre - Double(low))
                add(origin + low, limit, 1 - part)
                if part > 0 { add(origin + low + 1, limit, part) }
            }
            firsts.append(sources.count)
        }
        range = (sources.min() ?? 0)...(sources.max() ?? 0)
    }

    private mutating func add(_ position: Int, _ limit: Int, _ weight: Float) {
        sources.append(Axis.mirrored(position, limit))
        weights.append(weight)
    }

    /// `position` folded into 0..<limit about the border pixels' centres.
    static func mirrored(_ position: Int, _ limit: Int) -> Int {
        guard limit > 1 else { return 0 }
        let period = 2 * (limit - 1)
        let folded = ((position % period) + period) % period
        return folded < limit ? folded : period - folded
    }
}
