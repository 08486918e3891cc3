// SPDX-License-Identifier: Apache-2.0
// SFace: an aligned face becomes 128 numbers. The graph normalises its input by itself.

public import Biometrics

/// The recogniser over a loaded network.
public struct Recogniser {
    private static let input = Tensor("data", [1, 3, AlignedFace.side, AlignedFace.side])
    private static let output = Tensor("fc1", [1, Embedding.dimension])

    private let engine: any InferenceEngine

    /// Takes a network with SFace's input and output and refuses another by name.
    public init(engine: any InferenceEngine) throws(VisionError) {
        try engine.demand(
            .recogniser, input: (Recogniser.input.name, Recogniser.input.shape),
            outputs: [(Recogniser.output.name, Recogniser.output.shape)])
        self.engine = engine
    }

    /// The embedding of a face; nil when its landmarks coincide or the network answers nothing usable.
    public func embed(_ frame: Frame, _ landmarks: Landmarks) throws(VisionError) -> Embedding? {
        guard let face = Aligner.align(frame, landmarks) else { return nil }
        return try embed(face)
    }

    func embed(_ face: AlignedFace) throws(VisionError) -> Embedding? {
        let outputs = try engine.run(input: Recogniser.input, outputs: [Recogniser.output]) { planes in
            for i in 0..<face.planes.count { planes[i] = face.planes[i] }
        }
        guard let numbers = outputs.first else { return nil }
        return Embedding(numbers)
    }
}
