// SPDX-License-Identifier: Apache-2.0
// Models as the inference library leaves them after all rewriting for this processor: a worker maps them and is ready in a third of the
// time, with half the memory of its own. They are made on this machine by `secondlook models prepare` and lie where only root may
// write. A list that was made for another processor, another library or other models serves nobody, and the models themselves are used;
// a file that is not what the list says is refused like any other model.

import Platform
import TemplateStore

/// The list of prepared models, beside them.
public struct PreparedModels: Equatable, Sendable {
    /// The name of the list.
    static let fileName = "prepared.json"

    /// A prepared model.
    public struct Entry: Equatable, Sendable {
        /// What it is for.
        let role: NetworkRole
        /// SHA-256 of the model it was made of.
        let of: String
        /// The file's name, in the list's folder.
        let file: String
        /// SHA-256 of the file.
        let sha256: String
        /// The file's length in bytes.
        let bytes: Int
    }

    let folder: String
    let processor: String
    let runtime: String
    let entries: [Entry]

    /// What is prepared for this processor and this library; nil when nothing is.
    ///
    /// - Throws: `manifest` for a list that others could change or that is none.
    static func serving(_ installation: Installation) throws(MonitorError) -> PreparedModels? {
        let path = installation.preparedModels + "/" + fileName
        guard SafeFile.exists(path) else { return nil }
        let content: [UInt8]
        do throws(PlatformError) {
            content = try SafeFile.read(path, limit: ModelManifest.longest, as: .privateFile)
        } catch {
            throw .manifest(path: path, problem: ModelSet.problem(of: error, path))
        }
        guard let list = PreparedModels(content, folder: installation.preparedModels) else {
            throw .manifest(path: path, problem: "is no list of prepared models; run: secondlook models prepare")
        }
        guard list.processor == Machine.processor, list.runtime == (try runtime(of: installation)) else { return nil }
        return list
    }

    /// What tells one build of the inference library from another: the length and times of its file.
    ///
    /// Device and inode are left out: they may differ from boot to boot.
    static func runtime(of installation: Installation) throws(MonitorError) -> String {
        let file = try installation.openRuntime()
        let status = try system { () throws(PlatformError) in try file.status() }
        return status.fingerprint.split(separator: ":").dropFirst(2).joined(separator: ":")
    }

    /// The prepared form of a model; nil when there is none of just this model, or its file has given way to a newer one.
    func open(_ model: ModelManifest.Entry) throws(MonitorError) -> OpenModel? {
        guard let entry = entries.first(where: { $0.role == model.role && $0.of == model.sha256 }) else { return nil }
        let path = folder + "/" + entry.file
        // Between the reading of the list and this the file may have given way to a newer one.
        guard SafeFile.exists(path) else { return nil }
        let file = try ModelSet.file(path, as: .privateFile, checking: .everyFolder)
        let status = try system { () throws(PlatformError) in try file.status() }
        guard status.size == UInt64(entry.bytes) else {
            throw .model(path: path, problem: "was altered: \(status.size) bytes instead of \(entry.bytes)")
        }
        return OpenModel(
            entry: model, path: path, prepared: entry, fingerprint: status.fingerprint, descriptor: file)
    }
}

extension PreparedModels {
    /// Reads a list; nil when it is none.
    init?(_ content: [UInt8], folder: String) {
        guard let root = JSONValue(content), let processor = root["processor"]?.text,
            let runtime = root["runtime"]?.text, let models = root["models"]?.elements
        else { return nil }
        var entries: [Entry] = []
        for model in models {
            guard let role = model["role"]?.text.flatMap(NetworkRole.init(rawValue:)), let of = model["of"]?.text,
                let file = model["file"]?.text, file.utf8.allSatisfy(PreparedModels.isPlain), !file.hasPrefix("."),
                let sha256 = model["sha256"]?.text, sha256.utf8.count == 64, Hex.bytes(sha256) != nil,
                let bytes = model["bytes"]?.whole, (1...(1 << 30)).contains(bytes),
                !entries.contains(where: { $0.role == role })
            else { return nil }
            entries.append(Entry(role: role, of: of, file: file, sha256: sha256, bytes: bytes))
        }
        self.folder = folder
        self.processor = processor
        self.runtime = runtime
        self.entries = entries
    }

    /// The list as JSON: every text in it is one that needs no quoting.
    var text: String {
        let models = entries.map { entry in
            """
              {"role": "\(entry.role.rawValue)", "of": "\(entry.of)", "file": "\(entry.file)",
               "sha256": "\(entry.sha256)", "bytes": \(entry.bytes)}
            """
        }
        return """
            {"processor": "\(processor)", "runtime": "\(runtime)", "models": [
            \(models.joined(separator: ",\n"))
            ]}

            """
    }

    /// Letters, digits, `-` and `.`.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x2D, 0x2E: true
        default: false
        }
    }
}
