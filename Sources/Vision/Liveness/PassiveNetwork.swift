// SPDX-License-Identifier: Apache-2.0
// The passive liveness network: our own, or the teacher it learned from, by one contract. It sees a square about the face with some of its
// surround, which is where the edge of a print or a screen shows.

public import Biometrics

/// A passive network over a loaded one.
public struct PassiveNetwork {
    /// Pixels along a side of what it sees.
    static let side = 128
    /// The square's side over the longer side of the face's box.
    static let span: Float = 1.5
    /// What it is shown where a face is so close that the square reaches beyond the picture.
    static let border = Axis.Border.repeated

    private static let input = Tensor("input", [1, 3, side, side])
    private let engine: any InferenceEngine
    private let role: ModelRole
    private let output: Tensor
    private var resizer = Resizer()

    /// Takes a network of one input Nx3x128x128 and two logits (0 live, 1 attack) and refuses another by name.
    public init(engine: any InferenceEngine, role: ModelRole = .liveness) throws(VisionError) {
        // Teacher and student call their output differently; its shape is what counts.
        let output = Tensor(engine.outputs.first?.name ?? "output", [1, 2])
        try engine.demand(
            role, input: (PassiveNetwork.input.name, PassiveNetwork.input.shape), outputs: [(output.name, output.shape)]
        )
        self.engine = engine
        self.role = role
        self.output = output
    }

    /// The logit difference, live minus attack, -100 to 100; nil when the network's answer is no number or the box is out of all range.
    public mutating func judge(_ frame: Frame, _ box: Box) throws(VisionError) -> Float? {
        guard let square = PassiveNetwork.square(about: box) else { return nil }
        let layout = PlaneLayout(
            rowStride: PassiveNetwork.side, planeStride: PassiveNetwork.side * PassiveNetwork.side, order: [0, 1, 2],
            scale: 1 / 255)
        let (side, border) = (PassiveNetwork.side, PassiveNetwork.border)
        let x = Axis(origin: square.left, length: square.side, limit: frame.width, count: side, border: border)
        let y = Axis(origin: square.top, length: square.side, limit: frame.height, count: side, border: border)
        var resizer = Resizer()
        swap(&resizer, &self.resizer)
        let outputs = try engine.run(input: PassiveNetwork.input, outputs: [output]) { planes in
            resizer.resize(frame, x: x, y: y, into: &planes, layout: layout)
        }
        swap(&resizer, &self.resizer)
        guard let logits = outputs.first, logits.count == 2 else { return nil }
        let difference = logits[0] - logits[1]
        return difference.isFinite ? max(-100, min(100, difference)) : nil
    }

    /// The square in whole pixels, cut as in training: side and corner are truncated.
    static func square(about box: Box) -> (left: Int, top: Int, side: Int)? {
        let longer = max(box.width, box.height)
        guard longer.isFinite, longer > 1, longer < 8192 else { return nil }
        let half = longer * span / 2
        return (Int(box.centre.x - half), Int(box.centre.y - half), max(2, Int(longer * span)))
    }
}
