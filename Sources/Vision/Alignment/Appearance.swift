// SPDX-License-Identifier: Apache-2.0
// What an aligned face looks like, in a hundred numbers. The recogniser says who somebody is and is dear; this says that nothing has changed
// since it was asked, and costs next to nothing.

public import Biometrics

/// An aligned face as a coarse pattern without its light: by how much each block is lighter than those around it, as a ratio; less their mean, of
/// length one.
///
/// Light that falls from one side makes half of every face dark: a pattern that is not freed of it shows the lamp, and two people under one lamp
/// look alike. Blocks at the edges of the picture do not count by themselves. A picture of one grey has no pattern and resembles nothing.
public struct Appearance: Sendable {
    /// Pixels of a block's side, and blocks of the picture's.
    static let block = 8
    static let side = AlignedFace.side / block
    /// Blocks that count: from the brows to the chin, without what lies beside the face.
    static let rows = 2..<13
    static let columns = 2..<12
    /// Blocks each way that a block is set against.
    static let around = 2
    /// Added to the luminance before its logarithm: what is nearly black would be noise.
    static let dark: Float = 8
    /// Correlation from which two looks show the same face: two people's hardly ever reach it, and of one face's within 400 ms two in three do; the
    /// others turned or moved (docs/accuracy.md).
    public static let same: Float = 0.87

    private let pattern: [Float]

    /// The pattern of a face in a frame; nil when its landmarks coincide.
    public init?(_ frame: Frame, _ landmarks: Landmarks) {
        guard let grey = Aligner.align(frame, landmarks)?.luminance else { return nil }
        self.init(grey)
    }

    /// The pattern of an aligned face in grey.
    init(_ grey: Luminance) {
        precondition(grey.width == AlignedFace.side && grey.height == AlignedFace.side)
        let light = Appearance.light(grey)
        var values: [Float] = []
        values.reserveCapacity(Appearance.rows.count * Appearance.columns.count)
        for row in Appearance.rows {
            for column in Appearance.columns {
                values.append(light[row * Appearance.side + column] - Appearance.surround(of: row, column, in: light))
            }
        }
        let middle = values.reduce(0, +) / Float(values.count)
        let length = values.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }.squareRoot()
        pattern = length > 0.01 ? values.map { ($0 - middle) / length } : []
    }

    /// The logarithm of each block's mean.
    private static func light(_ grey: Luminance) -> [Float] {
        var sums = [Float](repeating: 0, count: side * side)
        for y in 0..<grey.height {
            for x in 0..<grey.width { sums[y / block * side + x / block] += grey.values[y * grey.width + x] }
        }
        return sums.map { logarithm($0 / Float(block * block) + dark) }
    }

    /// The mean of the blocks about one, beyond the picture's edge its last ones again.
    private static func surround(of row: Int, _ column: Int, in light: [Float]) -> Float {
        var sum: Float = 0
        for y in (row - around)...(row + around) {
            for x in (column - around)...(column + around) {
                sum += light[max(0, min(side - 1, y)) * side + max(0, min(side - 1, x))]
            }
        }
        return sum / Float((2 * around + 1) * (2 * around + 1))
    }

    /// Whether both look like one face seen twice; the same under another light.
    public func resembles(_ other: Appearance) -> Bool {
        guard !pattern.isEmpty, pattern.count == other.pattern.count else { return false }
        return zip(pattern, other.pattern).reduce(0) { $0 + $1.0 * $1.1 } >= Appearance.same
    }
}
