// SPDX-License-Identifier: Apache-2.0
// One direction of a separable resizing: which source pixels make each output pixel, and how much each counts.

/// Weights along one axis.
struct Axis: Equatable {
    /// What is beyond the picture.
    enum Border {
        /// Its mirror image about the centre of the border pixel, as often as it takes (BORDER_REFLECT_101).
        case mirrored
        /// The border pixel again and again (BORDER_REPLICATE).
        case repeated
    }

    /// For output pixel o, its taps are `firsts[o]..<firsts[o + 1]` of the two arrays below.
    private(set) var firsts: [Int] = [0]
    /// Positions in the picture; what was beyond it is already put to the border's rule.
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
    /// centres, without looking beyond the stretch (INTER_LINEAR). Outside the picture `border` decides.
    init(origin: Int, length: Int, limit: Int, count: Int, border: Border = .mirrored) {
        let step = Double(length) / Double(count)
        for o in 0..<count {
            if length > count {
                let (from, to) = (Double(o) * step, Double(o + 1) * step)
                var i = Int(from)
                while Double(i) < to - 1e-9, i < length {
                    let share = min(to, Double(i + 1)) - max(from, Double(i))
                    if share > 1e-9 { add(border.folded(origin + i, limit), Float(share / step)) }
                    i += 1
                }
            } else {
                let centre = max(0, min(Double(length - 1), (Double(o) + 0.5) * step - 0.5))
                let low = Int(centre)
                let part = Float(centre - Double(low))
                add(border.folded(origin + low, limit), 1 - part)
                if part > 0 { add(border.folded(origin + low + 1, limit), part) }
            }
            firsts.append(sources.count)
        }
        range = (sources.min() ?? 0)...(sources.max() ?? 0)
    }

    private mutating func add(_ position: Int, _ weight: Float) {
        sources.append(position)
        weights.append(weight)
    }
}

extension Axis.Border {
    /// The position in 0..<limit that stands for `position`.
    func folded(_ position: Int, _ limit: Int) -> Int {
        switch self {
        case .repeated: return max(0, min(limit - 1, position))
        case .mirrored:
            guard limit > 1 else { return 0 }
            let period = 2 * (limit - 1)
            let folded = ((position % period) + period) % period
            return folded < limit ? folded : period - folded
        }
    }
}
