// SPDX-License-Identifier: Apache-2.0
// The inference library for real: loading, refusing and running.

import Biometrics
import Glibc
import TestSupport
import Testing

@testable import Vision

@Suite(.enabled(if: Models.arePresent, "SECONDLOOK_MODELS names no folder of models"))
struct OnnxEngineTests {
    private func runtime() throws -> InferenceRuntime { try InferenceRuntime(path: Models.path("libonnxruntime.so")) }

    @Test func namesItsVersion() throws {
        #expect(try runtime().version.split(separator: ".").count == 3)
    }

    @Test func opensTheLibraryByDescriptor() throws {
        let path = try Models.path("libonnxruntime.so")
        // SAFETY: the string is passed for the call.
        let descriptor = unsafe open(path, O_RDONLY)
        defer { close(descriptor) }
        #expect(try !InferenceRuntime(descriptor: descriptor).version.isEmpty)
    }

    @Test func loadsInOrderAndDescribes() throws {
        let engines = try runtime().load([
            (.detector, .path(Models.path("detector.onnx"))), (.recogniser, .path(Models.path("recogniser.onnx"))),
        ])
        #expect(engines.count == 2)
        #expect(engines[0].inputs.map(\.name) == ["input"])
        #expect(engines[0].outputs.count == 12)
        #expect(engines[1].inputs == [Port(name: "data", shape: [1, 3, 112, 112])])
        #expect(engines[1].outputs == [Port(name: "fc1", shape: [1, 128])])
    }

    @Test func refusesASwappedModelByName() throws {
        let engines = try runtime().load([
            (.detector, .path(Models.path("recogniser.onnx"))), (.recogniser, .path(Models.path("detector.onnx"))),
        ])
        #expect(throws: VisionError.modelSwapped(.detector, "its input is not 'input' of [1, 3, 64, 64]")) {
            try Detector(engine: engines[0])
        }
        #expect(throws: VisionError.modelSwapped(.recogniser, "its input is not 'data' of [1, 3, 112, 112]")) {
            try Recogniser(engine: engines[1])
        }
        #expect(throws: VisionError.self) { try PassiveNetwork(engine: engines[0]) }
    }

    @Test func refusesBytesThatAreNoNetwork() throws {
        // The library itself is a regular file, but no network.
        let library = try Models.path("libonnxruntime.so")
        #expect {
            try runtime().load([(.recogniser, .path(library))])
        } throws: { error in
            guard case .modelRefused(.recogniser, let words) = error as? VisionError else { return false }
            return !words.isEmpty
        }
    }

    @Test func namesAModelThatIsMissing() throws {
        #expect(throws: VisionError.modelUnreadable(.liveness, "'/nowhere/liveness.onnx': no such file")) {
            try runtime().load([(.liveness, .path("/nowhere/liveness.onnx"))])
        }
        #expect(throws: VisionError.modelUnreadable(.liveness, "'/dev/null': empty, too large or not a regular file")) {
            try runtime().load([(.liveness, .path("/dev/null"))])
        }
    }

    @Test func runsAtSeveralSizesAndAgainAlike() throws {
        let engine = try runtime().load([(.detector, .path(Models.path("detector.onnx")))])[0]
        func run(_ width: Int, _ height: Int) throws -> [[Float]] {
            try engine.run(
                input: Tensor("input", [1, 3, height, width]), outputs: Detector.tensors(width: width, height: height)
            ) { span in
                for i in 0..<span.count { span[i] = Float(i % 251) }
            }
        }
        let first = try run(64, 64)
        #expect(first.map(\.count) == [64, 16, 4, 64, 16, 4, 256, 64, 16, 640, 160, 40])
        #expect(first.allSatisfy { $0.allSatisfy(\.isFinite) })
        for step in 1...10 { #expect(try run(64 + 32 * step, 64)[0].count == (8 + 4 * step) * 8) }
        #expect(try run(64, 64) == first)
    }

    @Test func runtimesOfOneProcessShareMemoryAndAnswerAlike() throws {
        // They have one environment and one arena. The second is opened while the first is, outlives it, and a third comes after both.
        func answer(_ engine: OnnxEngine) throws -> [Float] {
            try engine.run(input: Tensor("data", [1, 3, 112, 112]), outputs: [Tensor("fc1", [1, 128])]) { span in
                for i in 0..<span.count { span[i] = Float(i % 241) }
            }[0]
        }
        func recogniser() throws -> OnnxEngine {
            try runtime().load([(.recogniser, .path(Models.path("recogniser.onnx")))])[0]
        }
        var first: OnnxEngine? = try recogniser()
        let second = try recogniser()
        let expected = try first.map(answer)
        #expect(expected?.contains { $0 != 0 } == true)
        #expect(try answer(second) == expected)
        first = nil
        #expect(try answer(second) == expected)
        #expect(try answer(recogniser()) == expected)
    }

    @Test(arguments: [
        (ModelRole.recogniser, "recogniser.onnx", Tensor("data", [1, 3, 112, 112]), [Tensor("fc1", [1, 128])]),
        (.detector, "detector.onnx", Tensor("input", [1, 3, 64, 96]), Detector.tensors(width: 96, height: 64)),
    ])
    func aPreparedModelAnswersAlikeToTheLastBit(
        role: ModelRole, file: String, input: Tensor, outputs: [Tensor]
    ) throws {
        let temporary = TemporaryFolder()
        let runtime = try runtime()
        let target = temporary.file("prepared.ort")
        try runtime.prepare(role, .path(Models.path(file)), into: target)
        let engines = try runtime.load([(role, .path(Models.path(file))), (role, .path(target))])
        let results = try engines.map { engine in
            try engine.run(input: input, outputs: outputs) { span in
                for i in 0..<span.count { span[i] = Float(i % 251) }
            }
        }
        #expect(results[0] == results[1])
        #expect(engines[0].inputs == engines[1].inputs)
    }

    @Test func saysWhatCannotBePrepared() throws {
        #expect(throws: VisionError.self) {
            try runtime().prepare(.detector, .path(Models.path("libonnxruntime.so")), into: "/dev/null")
        }
        #expect(throws: VisionError.self) {
            try runtime().prepare(.detector, .path(Models.path("detector.onnx")), into: "/nowhere/prepared.ort")
        }
    }

    @Test func saysWhatFailsInARun() throws {
        let engine = try runtime().load([(.recogniser, .path(Models.path("recogniser.onnx")))])[0]
        #expect {
            try engine.run(input: Tensor("data", [1, 3, 64, 64]), outputs: [Tensor("fc1", [1, 128])]) { _ in }
        } throws: { error in
            guard case .inference(.recogniser, let words) = error as? VisionError else { return false }
            return !words.isEmpty
        }
    }
}

@Suite struct InferenceRuntimeTests {
    @Test func namesALibraryThatIsMissing() {
        #expect {
            try InferenceRuntime(path: "/nowhere/libonnxruntime.so")
        } throws: { error in
            guard case .runtime("/nowhere/libonnxruntime.so", let words) = error as? VisionError else { return false }
            return words.contains("No such file")
        }
    }

    @Test func refusesAnotherLibrary() {
        #expect(throws: VisionError.runtime("libm.so.6", "the library has no OrtGetApiBase")) {
            try InferenceRuntime(path: "libm.so.6")
        }
    }
}
