// SPDX-License-Identifier: Apache-2.0
// The networks a measurement runs, from the folder the Makefile fills. Each worker thread loads its own.

import Foundation
import Vision

/// Where the networks are.
struct LoadedModels: Sendable {
    private let folder: String
    private let liveness: String?
    private let runtime: InferenceRuntime

    /// Whether there is a passive network.
    var hasLiveness: Bool { liveness != nil }

    /// Opens the runtime in `--models` or the environment's SECONDLOOK_MODELS.
    ///
    /// `--liveness FILE` names another passive network,
    /// `--liveness none` leaves it out.
    init(_ arguments: Arguments) throws {
        guard let folder = arguments.optional("models") ?? ProcessInfo.processInfo.environment["SECONDLOOK_MODELS"]
        else { throw EvaluateError.usage("--models DIR is missing and SECONDLOOK_MODELS is not set") }
        self.folder = folder
        let given = arguments.optional("liveness") ?? "\(folder)/liveness.onnx"
        if given == "none" {
            liveness = nil
        } else if FileManager.default.fileExists(atPath: given) {
            liveness = given
        } else if arguments.optional("liveness") != nil {
            throw EvaluateError.file(given, "no such file")
        } else {
            liveness = nil
        }
        runtime = try InferenceRuntime(path: "\(folder)/libonnxruntime.so")
    }

    /// An observer of its own for one thread.
    func observer() throws -> Observer {
        var wanted: [(role: ModelRole, source: ModelSource)] = [
            (.detector, .path("\(folder)/detector.onnx")), (.recogniser, .path("\(folder)/recogniser.onnx")),
        ]
        if let liveness { wanted.append((.liveness, .path(liveness))) }
        let engines = try runtime.load(wanted)
        return try Observer(
            detector: engines[0], recogniser: engines[1], liveness: engines.count > 2 ? engines[2] : nil)
    }

    /// The networks of these roles, in this order, for one thread.
    func engines(_ roles: [ModelRole]) throws -> [OnnxEngine] {
        try runtime.load(roles.map { ($0, .path(path($0))) })
    }

    private func path(_ role: ModelRole) -> String {
        role == .liveness ? liveness ?? "\(folder)/liveness.onnx" : "\(folder)/\(role.rawValue).onnx"
    }

    /// A key of the networks' bytes: results kept under it are those of these very files.
    func key(_ roles: [ModelRole]) throws -> String {
        var state: (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15)
        for role in roles {
            for byte in try Files.load(path(role)) {
                state.0 = (state.0 ^ UInt64(byte)) &* 0x100_0000_01B3
                state.1 = (state.1 &+ state.0).multipliedFullWidth(by: 0xA076_1D64_78BD_642F).high ^ state.0
            }
        }
        return String(state.0, radix: 16) + String(state.1, radix: 16)
    }

    /// Distinguishes cached evidence of different networks: path, size and date of each.
    var identity: String {
        ["\(folder)/detector.onnx", "\(folder)/recogniser.onnx", liveness].compactMap { $0 }.map { path in
            let attributes = (try? FileManager.default.attributesOfItem(atPath: path)) ?? [:]
            let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
            let date = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            return "\(path):\(size):\(Int(date))"
        }.joined(separator: "|")
    }
}
