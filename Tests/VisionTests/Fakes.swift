// SPDX-License-Identifier: Apache-2.0
// A network that answers what a test tells it to, and the places of real ones.

import Biometrics
import Glibc
import Testing

@testable import Vision

/// Answers with numbers made by a closure; remembers its last input.
final class FakeEngine: InferenceEngine {
    let inputs: [Port]
    let outputs: [Port]
    private(set) var seen: [Float] = []
    private(set) var runs = 0
    private let answer: (Tensor, [Float]) -> [Float]

    init(inputs: [Port], outputs: [Port], answer: @escaping (Tensor, [Float]) -> [Float]) {
        self.inputs = inputs
        self.outputs = outputs
        self.answer = answer
    }

    func run(
        input: Tensor, outputs: [Tensor], fill: (inout MutableSpan<Float>) -> Void
    ) throws(VisionError) -> [[Float]] {
        var values = [Float](repeating: 0, count: input.shape.reduce(1, *))
        var span = values.mutableSpan
        fill(&span)
        seen = values
        runs += 1
        return outputs.map { answer($0, values) }
    }

    /// A detector whose cells all answer zero but for what `faces` sets.
    static func detector(_ answer: @escaping (Tensor, [Float]) -> [Float]) -> FakeEngine {
        FakeEngine(
            inputs: [Port(name: "input", shape: [1, 3, -1, -1])],
            outputs: Detector.tensors(width: 64, height: 64).map { Port(name: $0.name, shape: [1, -1, $0.shape[2]]) },
            answer: answer)
    }

    static func recogniser(_ answer: @escaping (Tensor, [Float]) -> [Float]) -> FakeEngine {
        FakeEngine(
            inputs: [Port(name: "data", shape: [1, 3, 112, 112])], outputs: [Port(name: "fc1", shape: [1, 128])],
            answer: answer)
    }

    static func liveness(_ logits: [Float]) -> FakeEngine {
        FakeEngine(
            inputs: [Port(name: "input", shape: [-1, 3, 128, 128])], outputs: [Port(name: "output", shape: [-1, 2])]
        ) { _, _ in logits }
    }
}

/// Where the real models are, when they are.
enum Models {
    static let folder: String? = {
        // SAFETY: read once, at the start of the tests, which change no variable.
        guard let value = unsafe getenv("SECONDLOOK_MODELS") else { return nil }
        // SAFETY: the environment's string ends with a zero.
        let folder = unsafe String(cString: value)
        return ["detector.onnx", "recogniser.onnx", "libonnxruntime.so"].allSatisfy { has(folder + "/" + $0) }
            ? folder : nil
    }()

    static var arePresent: Bool { folder != nil }

    static func has(_ path: String) -> Bool {
        // SAFETY: the string is passed for the call.
        unsafe access(path, R_OK) == 0
    }

    static func path(_ name: String) throws -> String { try #require(folder) + "/" + name }
}

/// A picture without a meaning but with texture, the same every time.
func texture(_ width: Int, _ height: Int, _ format: Frame.Format = .rgb, shiftedBy shift: (Int, Int) = (0, 0)) -> Frame
{
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * format.bytesPerPixel)
    for y in 0..<height {
        for x in 0..<width {
            let (u, v) = (Float(x - shift.0), Float(y - shift.1))
            for c in 0..<format.bytesPerPixel {
                let wave =
                    sin(u * 0.21 + Float(c)) + sin(v * 0.17 - Float(c)) + sin((u + v) * 0.11) + sin((u - 2 * v) * 0.07)
                pixels.append(UInt8(127 + 31 * wave))
            }
        }
    }
    guard let frame = Frame(width: width, height: height, format: format, pixels: pixels, timestamp: 0) else {
        preconditionFailure("sides and pixels agree")
    }
    return frame
}
