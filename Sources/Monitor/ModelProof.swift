// SPDX-License-Identifier: Apache-2.0
// Proves that the opened models are those of the manifest before any verdict rests on them.
//
// The proof is the SHA-256 of the whole file. At 20 MB that is 0.1 s of processor time, so what was proven is remembered in the store by
// the file's device, inode, size and times of change, and by the boot: a file is read in full once a boot, and again as soon as
// anything was written to it or it was replaced. The rest of the time the proof costs one fstat. It is done in small steps, so that the
// helper can listen to the person and the worker in between.

import Platform
public import TemplateStore

/// The proof under way.
public struct ModelProof: ~Copyable {
    /// Bytes hashed in one step: about 4 ms.
    static let stepLength = 1 << 20

    private let boot: String
    private var waiting: [OpenModel]
    private var digest: Digest?
    private var offset = 0
    /// What is to be remembered, by path.
    public private(set) var fresh: [String: String] = [:]

    /// Begins; models that the store remembers as proven are taken for proven.
    ///
    /// - Parameter boot: the kernel's number of this boot.
    public init(_ set: ModelSet, boot: String, store: borrowing Store) throws(MonitorError) {
        self.boot = boot
        waiting = []
        for model in set.models {
            let known = try stored { () throws(StoreError) in try store.proof(of: model.path) }
            if known != ModelProof.note(model, boot) { waiting.append(model) }
        }
    }

    /// Begins with nothing taken for proven.
    public init(_ set: ModelSet) {
        boot = ""
        waiting = set.models
    }

    /// True when every model is proven.
    public var isComplete: Bool { waiting.isEmpty }

    /// Does a piece of the work; throws `model` with the path of a file that is not the manifest's.
    public mutating func step() throws(MonitorError) {
        guard let model = waiting.first else { return }
        let piece: [UInt8]
        do throws(PlatformError) {
            piece = try SafeFile.readPiece(
                model.descriptor, at: offset, length: ModelProof.stepLength, path: model.path)
        } catch { throw .model(path: model.path, problem: ModelSet.problem(of: error, model.path)) }
        offset += piece.count
        let isEnd = piece.isEmpty || offset >= model.bytes
        let hash = try stored { () throws(StoreError) in try advance(piece, isEnd: isEnd) }
        guard let hash else { return }
        guard hash == model.sha256 else {
            throw .model(path: model.path, problem: "was altered: its SHA-256 differs")
        }
        fresh[model.path] = ModelProof.note(model, boot)
        waiting.removeFirst()
        offset = 0
    }

    /// Does all of it.
    public mutating func finish() throws(MonitorError) {
        while !isComplete { try step() }
    }

    private mutating func advance(_ piece: [UInt8], isEnd: Bool) throws(StoreError) -> String? {
        var current: Digest
        switch digest.take() {
        case .some(let begun): current = begun
        case .none: current = try Digest(.sha256)
        }
        try current.add(piece)
        if isEnd { return Hex.text(try current.finish()) }
        digest = consume current
        return nil
    }

    private static func note(_ model: OpenModel, _ boot: String) -> String {
        "\(boot) \(model.fingerprint) \(model.sha256)"
    }
}
