// SPDX-License-Identifier: Apache-2.0
// The seam between the arithmetic of Vision and the library that runs networks: tests put a fake here.

/// A tensor's name and the shape it has in one run.
public struct Tensor: Sendable, Equatable, Hashable {
    /// The port's name.
    public var name: String
    /// The dimensions of this run, all above zero.
    public var shape: [Int]

    /// A tensor.
    public init(_ name: String, _ shape: [Int]) {
        self.name = name
        self.shape = shape
    }
}

/// A loaded network with one input.
public protocol InferenceEngine: AnyObject {
    /// The network's inputs.
    var inputs: [Port] { get }
    /// The network's outputs.
    var outputs: [Port] { get }

    /// Runs the network once.
    ///
    /// - Parameters:
    ///   - input: the input and its shape in this run.
    ///   - outputs: the outputs wanted, with the shapes they will have.
    ///   - fill: writes the input, row-major; the span has the shape's product of elements and holds what the last run of the same
    ///     shapes left there (zeros at first).
    /// - Returns: the outputs in the order asked for, row-major.
    func run(input: Tensor, outputs: [Tensor], fill: (inout MutableSpan<Float>) -> Void) throws(VisionError)
        -> [[Float]]
}
