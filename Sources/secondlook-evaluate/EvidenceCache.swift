// SPDX-License-Identifier: Apache-2.0
// The evidence of a session, kept as the bytes a worker would send. Seeing takes minutes, judging none: a measurement that was interrupted
// goes on where it was, and other thresholds are tried in seconds.

import Biometrics
import Foundation
import Wire

/// Evidence by session.
struct EvidenceCache: Sendable {
    private let folder: String?
    private let models: LoadedModels

    /// A cache in `folder`; nil keeps nothing.
    init(folder: String?, models: LoadedModels) throws {
        self.folder = folder
        self.models = models
        if let folder { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
    }

    /// The evidence of all frames of a session, seen by `observer` unless it was seen before.
    ///
    /// `variant` tells apart what `frames` does
    /// with a session.
    func evidence(
        _ session: SessionSource, variant: String = "",
        observer: () throws -> [FrameEvidence]
    ) throws -> [FrameEvidence] {
        guard let folder else { return try observer() }
        let file = URL(filePath: "\(folder)/\(key(session, variant)).evidence")
        if let data = try? Data(contentsOf: file), let frames = decoded([UInt8](data)) { return frames }
        let frames = try observer()
        let bytes = frames.flatMap { WorkerReply.frame($0).frame.bytes } + WorkerReply.end.frame.bytes
        try Data(bytes).write(to: file, options: .atomic)
        return frames
    }

    /// Nil when the file is not whole.
    private func decoded(_ bytes: [UInt8]) -> [FrameEvidence]? {
        var deframer = Deframer(reserving: bytes.count, limits: WorkerReply.limits)
        deframer.append(bytes)
        var frames: [FrameEvidence] = []
        while let frame = try? deframer.next(), let reply = try? WorkerReply(frame) {
            switch reply {
            case .frame(let evidence): frames.append(evidence)
            case .end: return frames
            default: return nil
            }
        }
        return nil
    }

    /// A name from everything the evidence depends on (FNV-1a).
    private func key(_ session: SessionSource, _ variant: String) -> String {
        let text = "2|\(models.identity)|\(session.path)|\(variant)"
        let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\(session.name.prefix(40))-\(String(hash, radix: 16))"
    }
}
