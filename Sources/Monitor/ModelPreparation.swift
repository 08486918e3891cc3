// SPDX-License-Identifier: Apache-2.0
// Makes the prepared models: a worker reads the models, whose hashes were proven before, and writes each as this processor wants it into a
// file it is given. The list that names the files is put in place last and in one step, so that a login meanwhile sees the old state or the
// new one.

public import Platform
import TemplateStore

/// Makes models ready for this processor.
public enum ModelPreparation {
    /// How long it may take, in milliseconds.
    static let longest: UInt64 = 120_000
    /// Who prepares stands in this line: what another one is making would be taken for what an earlier one left.
    static let line = "prepare.line"

    /// A file that is being made.
    private final class Target: Sendable {
        let model: OpenModel
        let name: String
        let path: String
        let descriptor: Descriptor

        init(_ model: OpenModel, folder: String) throws(PlatformError) {
            let suffix = try Machine.randomBytes(8)
            self.model = model
            name = "\(model.entry.role.rawValue)-\(Hex.text(suffix)).ort"
            path = folder + "/" + name
            descriptor = try SafeFile.makeFile(folder + "/" + name, mode: 0o600)
        }
    }

    /// Makes them anew, in the place of those that were there; the roles that are ready.
    ///
    /// - Parameter patience: how long to wait for another one that prepares, in milliseconds.
    /// - Throws: `model`, `manifest`, `worker` when a model cannot be prepared; then what was there before is still there.
    public static func run(
        _ installation: Installation, time: any TimeSource = SystemTime(), patience: UInt64 = 120_000
    ) throws(MonitorError) -> [NetworkRole] {
        try makeFolders(installation)
        let turn = try turn(in: installation.preparedModels, time, until: time.now() + patience)
        defer { hold(turn) }
        let set = try ModelSet(installation)
        var proof = ModelProof(set)
        try proof.finish()
        let runtime = try PreparedModels.runtime(of: installation)
        let folder = installation.preparedModels
        var targets: [Target] = []
        do throws(MonitorError) {
            for model in set.models {
                targets.append(try system { () throws(PlatformError) in try Target(model, folder: folder) })
            }
            try InstalledWorker(installation).prepare(
                set, into: targets.map { (role: $0.model.entry.role, descriptor: $0.descriptor.raw) },
                until: time.now() + longest)
            var entries: [PreparedModels.Entry] = []
            for target in targets { entries.append(try entry(target)) }
            let list = PreparedModels(
                folder: folder, processor: Machine.processor, runtime: runtime, entries: entries)
            try system { () throws(PlatformError) in
                try SafeFile.replace(folder + "/" + PreparedModels.fileName, with: Array(list.text.utf8), mode: 0o600)
            }
        } catch {
            for target in targets { try? SafeFile.remove(target.path) }
            throw error
        }
        removeOthers(in: folder, keeping: targets.map(\.name))
        return set.models.map(\.entry.role)
    }

    private static func turn(
        in folder: String, _ time: any TimeSource, until deadline: UInt64
    ) throws(MonitorError) -> Turn {
        do throws(PlatformError) {
            var turn = try Turn(at: folder + "/" + line)
            while !(try turn.hasCome()) {
                guard time.now() < deadline else { throw .protocolBroken("another 'models prepare' is at work") }
                try Readiness.pause(until: time.now() + 50)
            }
            return turn
        } catch { throw .system(error) }
    }

    /// Keeps a turn to this point.
    private static func hold(_ turn: borrowing Turn) {}

    private static func makeFolders(_ installation: Installation) throws(MonitorError) {
        try system { () throws(PlatformError) in
            for folder in [installation.state, installation.preparedModels] where !SafeFile.exists(folder) {
                try SafeFile.makeFolder(folder)
            }
        }
    }

    /// What was written, by its own hash.
    private static func entry(_ target: Target) throws(MonitorError) -> PreparedModels.Entry {
        let content: [UInt8]
        do throws(PlatformError) {
            try SafeFile.sync(target.descriptor, path: target.path)
            content = try SafeFile.read(target.path, limit: 1 << 30, as: .privateFile)
        } catch { throw .system(error) }
        guard !content.isEmpty else { throw .worker("it wrote nothing to '\(target.path)'") }
        let hash = try stored { () throws(StoreError) in try Digest.hex(.sha256, of: content) }
        return PreparedModels.Entry(
            role: target.model.entry.role, of: target.model.entry.sha256, file: target.name, sha256: hash,
            bytes: content.count)
    }

    /// Files of earlier runs, and of runs that were interrupted; one that stays is only room on the disk.
    private static func removeOthers(in folder: String, keeping names: [String]) {
        guard let found = try? SafeFile.names(in: folder) else { return }
        for name in found where name.hasSuffix(".ort") && !names.contains(name) {
            try? SafeFile.remove(folder + "/" + name)
        }
    }
}
