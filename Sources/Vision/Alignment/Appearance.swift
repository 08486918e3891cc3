// SPDX-License-Identifier: Apache-2.0
// What an aligned face looks like, in a hundred numbers. The recogniser says who somebody is and is dear; this says that nothing has changed
// since it was asked, and costs next to nothing.

public import Biometrics

/// An aligned face as a coarse grey pattern without its light: block means, less their mean, of length one.
///
/// The background at the edges of the picture is left out. A picture of one grey has no pattern and resembles nothing.
public struct Appearance: Sendable {
    /// Pixels of a block's side.
    static let block = 8
    /// Blocks that count, of 14 in a row: from the brows to the chin, without what lies beside the face.
    static let rows = 2..<13
    static let columns = 2..<12
    /// Correlation from which two looks show the same face: two people's reach it twice in 10,000 pairs, and of one face's within 400 ms three in four
    /// do; the others turned or moved (docs/accuracy.md).
    public static let same: Float = 0.9

    private let pattern: [Float]

    /// The pattern of a face in a frame; nil when its landmarks coincide.
    public init?(_ frame: Frame, _ landmarks: Landmarks) {
        guard let grey = Aligner.align(frame, landmarks)?.luminance else { return nil }
        self.init(grey)
    }

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
    public func resembles(_ other: Appearance) -> Bool {
        guard !pattern.isEmpty, pattern.count == other.pattern.count else { return false }
        return zip(pattern, other.pattern).reduce(0) { $0 + $1.0 * $1.1 } >= Appearance.same
    }
}
