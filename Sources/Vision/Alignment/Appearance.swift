// SPDX-License-Identifier: Apache-2.0
// What an aligned face looks like, in a hundred numbers. The recogniser says who somebody is and is dear; this says that nothing has changed
// since it was asked, and costs next to nothing.

/// An aligned face as a coarse grey pattern without its light: block means, less their mean, of length one.
///
/// The background at the edges of the picture is left out. A picture of one grey has no pattern and resembles nothing.
struct Appearance: Sendable {
    /// Pixels of a block's side.
    static let block = 8
    /// Blocks that count, of 14 in a row: from the brows to the chin, without what lies beside the face.
    static let rows = 2..<13
    static let columns = 2..<12
    /// Correlation from which two looks show the same face. Of 17,500 pairs of looks at two people one in 1,000 reaches it; of pairs of the same
    /// face within 400 ms four in five do, and the rest turned or moved (docs/accuracy.md).
    static let same: Float = 0.9

    private let pattern: [Float]

    /// The pattern of an aligned face in grey.
    init(_ grey: Luminance) {
        precondition(grey.width == AlignedFace.side && grey.height == AlignedFace.side)
        var means: [Float] = []
        means.reserveCapacity(Appearance.rows.count * Appearance.columns.count)
        for row in Appearance.rows {
            var sums = [Float](repeating: 0, count: Appearance.columns.count)
            for y in (row * Appearance.block)..<((row + 1) * Appearance.block) {
                let line = y * grey.width + Appearance.columns.lowerBound * Appearance.block
                for x in 0..<(Appearance.columns.count * Appearance.block) {
                    sums[x / Appearance.block] += grey.values[line + x]
                }
            }
            means += sums
        }
        let middle = means.reduce(0, +) / Float(means.count)
        let length = means.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }.squareRoot()
        pattern = length > 1 ? means.map { ($0 - middle) / length } : []
    }

    /// Whether both look like one face seen twice; the same under another light, unless that comes from another side.
    func resembles(_ other: Appearance) -> Bool {
        guard !pattern.isEmpty, pattern.count == other.pattern.count else { return false }
        return zip(pattern, other.pattern).reduce(0) { $0 + $1.0 * $1.1 } >= Appearance.same
    }
}
