// SPDX-License-Identifier: Apache-2.0
// The models of one attempt: opened, checked for owner, mode and length, and ready to be passed to the worker.

import Platform

/// A model's file, opened.
public final class OpenModel: Sendable {
    /// What the manifest says of it.
    public let entry: ModelManifest.Entry
    /// Its path.
    public let path: String
    /// SHA-256 of the opened file: the manifest's, unless it is the prepared form.
    public let sha256: String
    /// The opened file's length in bytes.
    public let bytes: Int
    /// Whether it is the form for this processor.
    public let isPrepared: Bool
    /// Device, inode, size and times.
    public let fingerprint: String
    let descriptor: Descriptor

    init(
        entry: ModelManifest.Entry, path: String, prepared: PreparedModels.Entry? = nil, fingerprint: String,
        descriptor: consuming Descriptor
    ) {
        self.entry = entry
        self.path = path
        sha256 = prepared?.sha256 ?? entry.sha256
        bytes = prepared?.bytes ?? entry.bytes
        isPrepared = prepared != nil
        self.fingerprint = fingerprint
        self.descriptor = descriptor
    }
}

/// The models of an installation, opened.
public struct ModelSet: Sendable {
    /// Those that are there, in the order of their roles.
    public let models: [OpenModel]

    /// The model of a role, or nil.
    public func model(_ role: NetworkRole) -> OpenModel? { models.first { $0.entry.role == role } }

    /// SHA-256 of the recogniser, to which templates are bound.
    public var recogniserHash: String { model(.recogniser)?.entry.sha256 ?? "" }

    /// Opens the models; one that an administrator added wins over the one that came with the installation.
    ///
    /// - Parameter preferringPrepared: a model's form for this processor is taken in its place, where there is one that serves.
    /// - Throws: `manifest`, or `model` with the path of a file that is missing, of another length, or open to others.
    public init(_ installation: Installation, preferringPrepared: Bool = false) throws(MonitorError) {
        let manifests = try ModelSet.manifests(installation)
        let prepared = preferringPrepared ? try PreparedModels.serving(installation) : nil
        var models: [OpenModel] = []
        for role in NetworkRole.allCases {
            if let model = try ModelSet.open(role, manifests) {
                models.append(try prepared?.open(model.entry) ?? model)
            } else if role.isRequired {
                throw .manifest(path: manifests.last?.folder ?? "", problem: "has no \(role.rawValue)")
            }
        }
        self.models = models
    }

    /// A folder with its manifest.
    private struct Listing {
        let folder: String
        let manifest: ModelManifest
    }

    private static func manifests(_ installation: Installation) throws(MonitorError) -> [Listing] {
        var listings: [Listing] = []
        if SafeFile.exists(installation.addedModels + "/" + ModelManifest.fileName) {
            listings.append(try listing(installation.addedModels, .everyFolder))
        }
        listings.append(try listing(installation.models, .lastFolder))
        return listings
    }

    private static func listing(_ folder: String, _ ancestry: SafeFile.Ancestry) throws(MonitorError) -> Listing {
        let path = folder + "/" + ModelManifest.fileName
        let content: [UInt8]
        do throws(PlatformError) {
            content = try SafeFile.read(path, limit: ModelManifest.longest, checking: ancestry)
        } catch {
            throw .manifest(path: path, problem: problem(of: error, path))
        }
        return Listing(folder: folder, manifest: try ModelManifest(content, path: path))
    }

    /// The file of a role; nil when no manifest lists it, or when it may be absent and is.
    private static func open(_ role: NetworkRole, _ listings: [Listing]) throws(MonitorError) -> OpenModel? {
        for listing in listings {
            guard let entry = listing.manifest.entry(role) else { continue }
            let path = listing.folder + "/" + entry.file
            if !role.isRequired, !SafeFile.exists(path) { continue }
            return try model(entry, path, try file(path))
        }
        return nil
    }

    /// A file after the checks, or the fault with its path.
    static func file(
        _ path: String, as purpose: SafeFile.Purpose = .publicFile, checking ancestry: SafeFile.Ancestry = .lastFolder
    ) throws(MonitorError) -> Descriptor {
        do throws(PlatformError) {
            return try SafeFile.open(path, as: purpose, checking: ancestry)
        } catch {
            throw .model(path: path, problem: problem(of: error, path))
        }
    }

    private static func model(
        _ entry: ModelManifest.Entry, _ path: String, _ file: consuming Descriptor
    ) throws(MonitorError) -> OpenModel {
        let status: FileStatus
        do throws(PlatformError) { status = try file.status() } catch { throw .system(error) }
        guard status.size == UInt64(entry.bytes) else {
            throw .model(path: path, problem: "was altered: \(status.size) bytes instead of \(entry.bytes)")
        }
        return OpenModel(entry: entry, path: path, fingerprint: status.fingerprint, descriptor: file)
    }

    /// A fault of opening, without saying the path twice.
    static func problem(of error: PlatformError, _ path: String) -> String {
        if error.isMissing { return "is missing" }
        if case .unsafeFile(let where_, let problem) = error, where_ == path { return problem }
        return "cannot be opened: \(error.description)"
    }
}
