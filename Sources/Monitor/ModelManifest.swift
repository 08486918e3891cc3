// SPDX-License-Identifier: Apache-2.0
// The list of models beside their files: what each is, where it comes from, and the hash by which it is known.

import TemplateStore

/// What a network is for; the raw value is its name in the manifest and on the worker's command line.
public enum NetworkRole: String, Sendable, CaseIterable {
    /// Finds faces and landmarks.
    case detector = "detector"
    /// Describes a face in 128 numbers.
    case recogniser = "recogniser"
    /// Tells a live face from an attack.
    case liveness = "liveness"
    /// The same by another network.
    case secondOpinion = "second-opinion"

    /// Without these nothing can be judged; the others may be absent.
    public var isRequired: Bool { self == .detector || self == .recogniser }
}

/// A manifest: an object with the list `models`.
public struct ModelManifest: Equatable, Sendable {
    /// The name of the file.
    public static let fileName = "manifest.json"
    /// The longest manifest, in bytes.
    public static let longest = 65_536

    /// A model.
    public struct Entry: Equatable, Sendable {
        /// What it is for.
        public let role: NetworkRole
        /// The file's name, in the manifest's folder.
        public let file: String
        /// SHA-256, 64 lower-case digits.
        public let sha256: String
        /// The file's length in bytes.
        public let bytes: Int
        /// SPDX name of its licence.
        public let licence: String
        /// Where it comes from.
        public let source: String
        /// What its authors call it, or empty.
        public let name: String
        /// Its input, in words, or empty.
        public let input: String
        /// What its thresholds were calibrated with, in words, or empty.
        public let calibration: String
    }

    /// The models, in the order of the file; each role stands at most once.
    public let entries: [Entry]

    /// Reads a manifest; members that are not known are passed over.
    ///
    /// - Parameter path: for errors only.
    public init(_ content: [UInt8], path: String) throws(MonitorError) {
        guard let models = JSONValue(content)?["models"]?.elements else {
            throw .manifest(path: path, problem: "is no list of models")
        }
        var entries: [Entry] = []
        for (index, model) in models.enumerated() {
            guard let roleName = model["role"]?.text else {
                throw .manifest(path: path, problem: "has no role for model \(index + 1)")
            }
            guard let role = NetworkRole(rawValue: roleName) else {
                throw .manifest(path: path, problem: "has the unknown role '\(roleName)'")
            }
            guard !entries.contains(where: { $0.role == role }) else {
                throw .manifest(path: path, problem: "has the role '\(roleName)' twice")
            }
            entries.append(try ModelManifest.entry(model, role: role, path: path))
        }
        self.entries = entries
    }

    /// The entry of a role, or nil.
    public func entry(_ role: NetworkRole) -> Entry? { entries.first { $0.role == role } }

    private static func entry(_ model: JSONValue, role: NetworkRole, path: String) throws(MonitorError) -> Entry {
        func fault(_ what: String) -> MonitorError {
            .manifest(path: path, problem: "has \(what) for '\(role.rawValue)'")
        }
        guard let file = model["file"]?.text, !file.isEmpty, file.utf8.count <= 128, !file.hasPrefix("."),
            file.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
        else { throw fault("no file name") }
        guard let sha256 = model["sha256"]?.text, sha256.utf8.count == 64, Hex.bytes(sha256) != nil else {
            throw fault("no SHA-256")
        }
        guard let bytes = model["bytes"]?.whole, (1...(1 << 30)).contains(bytes) else { throw fault("no length") }
        guard let licence = model["licence"]?.text, let source = model["source"]?.text else {
            throw fault("no licence or source")
        }
        return Entry(
            role: role, file: file, sha256: sha256, bytes: bytes, licence: licence, source: source,
            name: model["name"]?.text ?? "", input: model["input"]?.text ?? "",
            calibration: model["calibration"]?.text ?? "")
    }
}
