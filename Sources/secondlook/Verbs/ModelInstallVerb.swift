// SPDX-License-Identifier: Apache-2.0
// Installs networks that do not come along: known by the hash that this installation pins, whatever their file is called and wherever they
// come from. What is downloaded is written nowhere until its hash was found right.

import Monitor
import Platform
import TemplateStore

extension Verbs {
    static let modelInstallVerbs = [
        Verb(
            name: "models install", summary: "Install the optional second opinion on liveness, by its pinned hash.",
            operands: [],
            options: [
                Option(name: "from", values: .one("DIR"), help: "from a file in this folder, not from the network")
            ],
            run: installModels)
    ]

    @Sendable private static func installModels(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("models install")
        let installation = session.paths.installation
        let offers = try ModelOffers.read(installation)
        var installed: [String] = []
        var present: [String] = []
        for offer in offers {
            if try ModelOffers.isInstalled(offer, in: installation) {
                present.append(offer.role.rawValue)
                continue
            }
            let content: [UInt8]
            if let folder = typed.value("from") {
                guard let found = try ModelOffers.find(offer, in: folder) else { continue }
                content = found
            } else {
                session.output.progress("downloading \(offer.name)")
                content = try Download.fetch(offer.source, bytes: offer.bytes, into: installation.addedModels)
                session.output.endProgress()
            }
            try ModelOffers.install(offer, content, in: installation)
            installed.append(offer.role.rawValue)
        }
        if typed.has("json") {
            let names = { (list: [String]) in JSON.array(list.map(JSON.string)) }
            session.output.line(JSON.of(["installed": names(installed), "present": names(present)]).text)
        } else {
            for role in installed { session.output.line("installed: \(role)") }
            for role in present { session.output.line("already installed: \(role)") }
        }
        if installed.isEmpty, present.isEmpty {
            let hashes = offers.map { "\($0.name) (sha256 \($0.sha256.prefix(12))...)" }.joined(separator: ", ")
            throw .failed("models install: no file in '\(typed.value("from") ?? "")' is \(hashes)")
        }
    }
}

/// What can be installed besides what came along.
enum ModelOffers {
    /// The list beside the models.
    static let fileName = "optional.json"

    static func read(_ installation: Installation) throws(CommandError) -> [ModelManifest.Entry] {
        let path = installation.models + "/" + fileName
        do {
            let content = try SafeFile.read(path, limit: ModelManifest.longest, checking: .lastFolder)
            return try ModelManifest(content, path: path).entries
        } catch {
            throw .failed("models install: \(error)")
        }
    }

    /// Whether a model of that role is among those a login would use.
    static func isInstalled(_ offer: ModelManifest.Entry, in installation: Installation) throws(CommandError) -> Bool {
        do throws(MonitorError) {
            return try ModelSet(installation).model(offer.role)?.entry.sha256 == offer.sha256
        } catch {
            throw .failed("models install: \(error.description)")
        }
    }

    /// The content of the file in a folder that has the offer's length and hash.
    static func find(_ offer: ModelManifest.Entry, in folder: String) throws(CommandError) -> [UInt8]? {
        do throws(PlatformError) {
            for name in try SafeFile.names(in: folder).sorted() {
                let path = folder + "/" + name
                guard let file = try? SafeFile.openForReading(path), let status = try? file.status(),
                    status.kind == .file, status.size == UInt64(offer.bytes)
                else { continue }
                let content = try SafeFile.read(file, limit: offer.bytes, path: path)
                if isRight(content, offer) { return content }
            }
            return nil
        } catch {
            throw .failed("models install: \(error.description)")
        }
    }

    static func isRight(_ content: [UInt8], _ offer: ModelManifest.Entry) -> Bool {
        content.count == offer.bytes && (try? Digest.hex(.sha256, of: content)) == offer.sha256
    }

    /// Writes the file, then the manifest that names it: between the two the file is one that nobody asks for.
    static func install(
        _ offer: ModelManifest.Entry, _ content: [UInt8], in installation: Installation
    ) throws(CommandError) {
        guard isRight(content, offer) else {
            throw .failed("models install: what came is not \(offer.name): its SHA-256 differs")
        }
        let folder = installation.addedModels
        do {
            try makeFolders(installation)
            try SafeFile.replace(folder + "/" + offer.file, with: content, mode: 0o644)
            let path = folder + "/" + ModelManifest.fileName
            var entries: [ModelManifest.Entry] = []
            if SafeFile.exists(path) {
                entries = try ModelManifest(try SafeFile.read(path, limit: ModelManifest.longest), path: path).entries
            }
            entries.removeAll { $0.role == offer.role }
            let text = JSON.of(["models": .array((entries + [offer]).map(json))]).text + "\n"
            try SafeFile.replace(path, with: Array(text.utf8), mode: 0o644)
        } catch {
            throw .failed("models install: \(error)")
        }
    }

    static func makeFolders(_ installation: Installation) throws(PlatformError) {
        for folder in [installation.state, installation.addedModels] where !SafeFile.exists(folder) {
            try SafeFile.makeFolder(folder)
        }
    }

    private static func json(_ entry: ModelManifest.Entry) -> JSON {
        .of([
            "role": .string(entry.role.rawValue), "file": .string(entry.file), "sha256": .string(entry.sha256),
            "bytes": .integer(entry.bytes), "licence": .string(entry.licence), "source": .string(entry.source),
            "name": .string(entry.name), "input": .string(entry.input), "calibration": .string(entry.calibration),
        ])
    }
}

/// Fetches a file by the machine's own curl: this program has no code that speaks to a network.
enum Download {
    static let program = "/usr/bin/curl"
    /// Milliseconds after which it has failed.
    static let longest: UInt64 = 120_000

    static func fetch(_ address: String, bytes: Int, into folder: String) throws(CommandError) -> [UInt8] {
        guard address.hasPrefix("https://") else {
            throw .failed("models install: '\(address)' is no address; use --from DIR")
        }
        guard SafeFile.exists(program) else {
            throw .failed(
                "models install: '\(program)' is missing; install curl, or fetch \(address) and use --from DIR")
        }
        do throws(PlatformError) {
            let tool = try SafeFile.open(program)
            let pipe = try Channel.makePair()
            let variables = ["https_proxy", "HTTPS_PROXY", "SSL_CERT_FILE"].compactMap { name in
                OwnProcess.variable(name).map { "\(name)=\($0)" }
            }
            let words = [
                "curl", "--proto", "=https", "-fsSL", "--max-time", "100", "--max-filesize", String(bytes), address,
            ]
            var child = try Child(
                program: tool, arguments: words, environment: variables,
                placements: [Child.Placement(pipe.second.raw, at: 1)])
            return try receive(from: pipe.takeFirst(), &child, limit: bytes)
        } catch {
            throw .failed("models install: cannot download \(address): \(error.description); use --from DIR")
        }
    }

    /// Reads until the tool closes its end.
    private static func receive(
        from ours: consuming Channel, _ child: inout Child, limit: Int
    ) throws(PlatformError) -> [UInt8] {
        let deadline = SystemTime().now() + longest
        var content: [UInt8] = []
        while let part = try ours.receive(until: deadline) {
            content += part.bytes
            guard content.count <= limit else { throw .tooLarge(path: "download", limit: limit) }
        }
        guard let end = try child.wait(until: deadline), end == .exited(0) else {
            throw .protocolBroken("curl did not succeed")
        }
        return content
    }
}
