// SPDX-License-Identifier: Apache-2.0
// The two-dimensional spectrum of a small square: where a regular pattern is one point, whatever its phase. Written out, since a library for one
// transform of one size would be a dependency of the process that must stay small.

#if canImport(Glibc)
    import Glibc
#endif

/// Fourier transforms squares of one size.
struct Spectrum {
    /// Pixels along a side; a power of two.
    static let side = 64
    /// Columns of the half spectrum; the other half mirrors it.
    static let columns = side / 2 + 1

    private let cosines: [Float]
    private let sines: [Float]
    private let reversed: [Int]

    init() {
        let turn = 2 * Float.pi / Float(Spectrum.side)
        cosines = (0..<Spectrum.side / 2).map { cos(turn * Float($0)) }
        sines = (0..<Spectrum.side / 2).map { -sin(turn * Float($0)) }
        let bits = Spectrum.side.trailingZeroBitCount
        reversed = (0..<Spectrum.side).map { index in
            (0..<bits).reduce(0) { $0 | (index >> $1 & 1) << (bits - 1 - $1) }
        }
    }

    /// Power at columns 0 to 32 and all rows of the transform of `patch`, both row by row.
    ///
    /// Rows past the middle are negative frequencies.
    func power(_ patch: [Float]) -> [Float] {
        let (side, columns) = (Spectrum.side, Spectrum.columns)
        precondition(patch.count == side * side)
        var real = [Float](repeating: 0, count: side * columns)
        var imaginary = real
        var (re, im) = ([Float](repeating: 0, count: side), [Float](repeating: 0, count: side))
        // Two rows of real numbers are one row of complex ones.
        for y in stride(from: 0, to: side, by: 2) {
            for x in 0..<side {
                re[x] = patch[y * side + x]
                im[x] = patch[(y + 1) * side + x]
            }
            transform(&re, &im)
            for u in 0..<columns {
                let mirrored = (side - u) % side
                real[y * columns + u] = (re[u] + re[mirrored]) / 2
                imaginary[y * columns + u] = (im[u] - im[mirrored]) / 2
                real[(y + 1) * columns + u] = (im[u] + im[mirrored]) / 2
                imaginary[(y + 1) * columns + u] = (re[mirrored] - re[u]) / 2
            }
        }
        var power = [Float](repeating: 0, count: side * columns)
        for u in 0..<columns {
            for y in 0..<side {
                re[y] = real[y * columns + u]
                im[y] = imaginary[y * columns + u]
            }
            transform(&re, &im)
            for v in 0..<side { power[v * columns + u] = re[v] * re[v] + im[v] * im[v] }
        }
        return power
    }

    /// The transform of one row, in place: Cooley and Tukey's, radix 2.
    private func transform(_ re: inout [Float], _ im: inout [Float]) {
        let side = Spectrum.side
        for i in 0..<side where i < reversed[i] {
            re.swapAt(i, reversed[i])
            im.swapAt(i, reversed[i])
        }
        var half = 1
        while half < side {
            let step = side / (2 * half)
            for start in stride(from: 0, to: side, by: 2 * half) {
                for k in 0..<half {
                    let (a, b) = (start + k, start + k + half)
                    let (c, s) = (cosines[k * step], sines[k * step])
                    let (x, y) = (re[b] * c - im[b] * s, re[b] * s + im[b] * c)
                    (re[b], im[b]) = (re[a] - x, im[a] - y)
                    (re[a], im[a]) = (re[a] + x, im[a] + y)
                }
            }
            half *= 2
        }
    }
}
