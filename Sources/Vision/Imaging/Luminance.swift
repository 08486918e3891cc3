// SPDX-License-Identifier: Apache-2.0
// A small grey picture: what brightness, contrast, sharpness and motion are measured on.

/// A grey picture of floats, 0 to 255, row by row.
struct Luminance: Equatable {
    private(set) var width: Int
    private(set) var height: Int
    private(set) var values: [Float]

    /// Weights of red, green and blue in luminance (ITU-R BT.601), as JPEG and OpenCV have them.
    static let red: Float = 0.299
    static let green: Float = 0.587
    static let blue: Float = 0.114

    init(width: Int, height: Int, values: [Float]) {
        precondition(values.count == width * height)
        self.width = width
        self.height = height
        self.values = values
    }

    /// Grey from three planes.
    ///
    /// - Parameter order: which colour each plane holds: 0 red, 1 green, 2 blue.
    init(planes: borrowing MutableSpan<Float>, width: Int, height: Int, layout: PlaneLayout) {
        self.width = width
        self.height = height
        let weights = layout.order.map { [Luminance.red, Luminance.green, Luminance.blue][$0] / layout.scale }
        values = [Float](repeating: 0, count: width * height)
        precondition(2 * layout.planeStride + (height - 1) * layout.rowStride + width <= planes.count)
        let (a, b, c) = (weights[0], weights[1], weights[2])
        // SAFETY: the precondition bounds the largest index read; `values` has width * height elements.
        unsafe planes.withUnsafeBufferPointer { planes in
            unsafe values.withUnsafeMutableBufferPointer { values in
                guard let from = planes.baseAddress, let to = values.baseAddress else { return }
                for row in 0..<height {
                    let start = row * layout.rowStride
                    for x in 0..<width {
                        let at = start + x
                        unsafe to[row * width + x] =
                            a * from[at] + b * from[at + layout.planeStride] + c * from[at + 2 * layout.planeStride]
                    }
                }
            }
        }
    }

    /// Mean and standard deviation.
    func spread() -> (mean: Float, deviation: Float) {
        guard !values.isEmpty else { return (0, 0) }
        var (sum, squares) = (Double(0), Double(0))
        for row in 0..<height {
            var (rowSum, rowSquares) = (Float(0), Float(0))
            for value in values[(row * width)..<((row + 1) * width)] {
                rowSum += value
                rowSquares += value * value
            }
            sum += Double(rowSum)
            squares += Double(rowSquares)
        }
        let mean = sum / Double(values.count)
        let variance = max(0, squares / Double(values.count) - mean * mean)
        return (Float(min(255, max(0, mean))), Float(min(128, variance.squareRoot())))
    }

    /// Variance of the Laplacian (centre 4, neighbours -1) over the inner pixels: the usual measure of focus.
    func sharpness() -> Float {
        guard width > 2, height > 2 else { return 0 }
        var (sum, squares) = (Double(0), Double(0))
        for y in 1..<(height - 1) {
            for x in 1..<(width - 1) {
                let at = y * width + x
                let sides = values[at - 1] + values[at + 1] + values[at - width] + values[at + width]
                let value = Double(4 * values[at] - sides)
                sum += value
                squares += value * value
            }
        }
        let count = Double((width - 2) * (height - 2))
        return Float(min(1e6, max(0, squares / count - (sum / count) * (sum / count))))
    }

    /// Half as wide and high; each pixel is the mean of four.
    func halved() -> Luminance {
        let (w, h) = (max(1, width / 2), max(1, height / 2))
        var half = [Float](repeating: 0, count: w * h)
        guard width >= 2, height >= 2 else { return self }
        for y in 0..<h {
            for x in 0..<w {
                let at = 2 * y * width + 2 * x
                half[y * w + x] = (values[at] + values[at + 1] + values[at + width] + values[at + width + 1]) / 4
            }
        }
        return Luminance(width: w, height: h, values: half)
    }
}
