// SPDX-License-Identifier: Apache-2.0
// What each network is for, and the shape by which a swapped file is told: hashes are the helper's business, this is the second lock.

/// The part a network plays; the raw value is its name on the command line, in the manifest and in errors.
public enum ModelRole: String, Sendable, Equatable, CaseIterable {
    /// YuNet: faces and five landmarks.
    case detector = "detector"
    /// SFace: 128 numbers for an aligned face.
    case recogniser = "recogniser"
    /// The passive liveness network.
    case liveness = "liveness"
    /// Another passive liveness network beside it.
    case secondOpinion = "second-opinion"
}

/// An input or output of a network.
public struct Port: Sendable, Equatable {
    /// Its name in the graph.
    public var name: String
    /// Its dimensions; -1 where any size is taken.
    public var shape: [Int]
    /// Whether its elements are 32-bit floats, the only kind that is served.
    public var isFloat: Bool

    /// A port.
    public init(name: String, shape: [Int], isFloat: Bool = true) {
        self.name = name
        self.shape = shape
        self.isFloat = isFloat
    }

    /// Whether a tensor of `wanted` fits: the same rank, and equal sizes where the port fixes one.
    public func takes(_ wanted: [Int]) -> Bool {
        isFloat && shape.count == wanted.count && zip(shape, wanted).allSatisfy { $0 == -1 || $0 == $1 }
    }
}

extension InferenceEngine {
    /// Refuses a network that lacks a port of this name for this shape.
    func demand(_ role: ModelRole, input: (name: String, shape: [Int]), outputs: [(name: String, shape: [Int])])
        throws(VisionError)
    {
        guard inputs.count == 1, let port = inputs.first, port.name == input.name, port.takes(input.shape) else {
            throw .modelSwapped(role, "its input is not '\(input.name)' of \(input.shape)")
        }
        guard self.outputs.count == outputs.count else {
            throw .modelSwapped(role, "it has \(self.outputs.count) outputs, not \(outputs.count)")
        }
        for output in outputs {
            guard let found = self.outputs.first(where: { $0.name == output.name }), found.takes(output.shape) else {
                throw .modelSwapped(role, "it has no output '\(output.name)' of \(output.shape)")
            }
        }
    }
}
