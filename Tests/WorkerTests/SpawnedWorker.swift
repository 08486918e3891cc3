// SPDX-License-Identifier: Apache-2.0
// Starts the built worker (or the replaying one, in a folder of its own with its settings) with real models, as the helper does.

import Foundation
import Platform
import Wire

/// A worker process with its conversation.
struct SpawnedWorker: ~Copyable {
    /// The folder with the three models and the runtime; the Makefile names it.
    static let models = ProcessInfo.processInfo.environment["SECONDLOOK_MODELS"]
    /// Everything that is needed is there, and this process may change its user.
    static let isPossible = models != nil && Machine.effectiveUser == 0
    /// The account of the tests' workers; nobody else's number.
    static let user: UInt32 = 64_123

    var child: Child
    private let channel: Channel
    private var deframer = Deframer(limits: WorkerReply.limits)

    /// The folder of the built programs: the one that holds this test bundle.
    static func programs() throws -> String { try OwnProcess.programFolder() }

    /// - Parameters:
    ///   - program: an absolute path.
    ///   - environment: `NAME=value`; the helper gives none.
    ///   - words: more words of the command line.
    ///   - number: a descriptor that becomes 9 in the child.
    ///   - folder: where the models and the runtime are.
    init(
        _ program: String, words: [String] = ["uid=64123", "gid=64123", "sandbox=require"], environment: [String] = [],
        passing number: Int32? = nil, withModels: Bool = true, modelsIn folder: String = models ?? ""
    ) throws {
        let executable = try SafeFile.open(program, checking: .lastFolder)
        let pair = try Channel.makePair()
        let null = try SafeFile.openNull()
        var placements = [
            Child.Placement(null.raw, at: 0), .init(null.raw, at: 1), .init(null.raw, at: 2),
            .init(pair.second.raw, at: 3),
        ]
        var arguments = ["secondlook-vision"]
        let files = withModels ? try SpawnedWorker.openModels(in: folder) : []
        let names = ["runtime", "detector", "recogniser"]
        for (index, file) in files.enumerated() {
            arguments.append("\(names[index])=\(4 + index)")
            placements.append(.init(file.raw, at: Int32(4 + index)))
        }
        if let number { placements.append(.init(number, at: 9)) }
        child = try Child(
            program: executable, arguments: arguments + words, environment: environment, placements: placements)
        channel = pair.first
        _ = files
    }

    private static func openModels(in folder: String) throws -> [ReadableFile] {
        try ["libonnxruntime.so", "detector.onnx", "recogniser.onnx"].map { try ReadableFile("\(folder)/\($0)") }
    }

    func send(_ request: WorkerRequest) throws {
        try channel.send(request.frame.bytes, until: SystemTime().now() + 5_000)
    }

    /// The next reply within half a minute; nil at the end.
    mutating func reply(within milliseconds: UInt64 = 30_000) throws -> WorkerReply? {
        while true {
            if let frame = try deframer.next() { return try WorkerReply(frame) }
            guard let received = try channel.receive(until: SystemTime().now() + milliseconds) else { return nil }
            deframer.append(received.bytes)
        }
    }

    /// Closes the helper's half of the conversation.
    func endSending() throws { try channel.endSending() }

    /// A line of /proc/PID/status by its name.
    func status(_ name: String) throws -> String {
        let text = String(
            decoding: try SafeFile.readUnchecked("/proc/\(child.process)/status", limit: 65_536), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
        return line.split(separator: ":").last?.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
    }

    /// What the process's descriptors lead to.
    func descriptors() throws -> [String] {
        let folder = "/proc/\(child.process)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).map {
            "\($0) \(try OwnProcess.readLink("\(folder)/\($0)").prefix { $0 != ":" })"
        }
    }
}

/// Arrays hold copyable values, so each descriptor is in a box.
private final class ReadableFile {
    private let descriptor: Descriptor
    var raw: Int32 { descriptor.raw }
    init(_ path: String) throws { descriptor = try SafeFile.open(path, checking: .lastFolder) }
}

/// A folder with the replaying worker and its settings, removed at its end.
final class ReplayFolder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("replay-\(UUID().uuidString)").path
    var program: String { path + "/secondlook-vision" }

    /// - Parameters:
    ///   - settings: lines of replay.conf; FOLDER stands for the folder.
    ///   - files: more files by name.
    init(_ settings: String, files: [String: Data] = [:]) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let built = try SpawnedWorker.programs() + "/secondlook-replay"
        try FileManager.default.copyItem(atPath: built, toPath: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        for (name, content) in files { try content.write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
        let text = settings.replacing("FOLDER", with: path)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/replay.conf"))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func text(of name: String) throws -> String {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
        return String(decoding: data.prefix { $0 != 0 }, as: UTF8.self)
    }
}
