// SPDX-License-Identifier: Apache-2.0
// Builds the programs of Tests/Module once and runs one call of the real module through libpam in a folder of its own.

import Foundation
import Testing
import Wire

/// Codes of libpam, as <security/_pam_types.h> numbers them.
enum Code: Int, Sendable {
    case success = 0
    case systemError = 4
    case authError = 7
    case authInfoUnavailable = 9
    case userUnknown = 10
    case maxTries = 11
    case conversationError = 19
    case tokenRecoveryError = 21
    case incomplete = 31
}

/// One line of a scripted helper.
enum Step: Sendable {
    case read
    case say(HelperMessage)
    case raw([UInt8], times: Int = 1)
    case wait
    case close
    case sleep(Int)
    case stop
    case signal(Int)
    case exit(Int)

    var line: String {
        switch self {
        case .read: "read"
        case .say(let message): Step.raw(message.frame.bytes).line
        case .raw(let bytes, let times): "send \(hex(bytes)) \(times)"
        case .wait: "wait"
        case .close: "close"
        case .sleep(let milliseconds): "sleep \(milliseconds)"
        case .stop: "stop"
        case .signal(let number): "signal \(number)"
        case .exit(let code): "exit \(code)"
        }
    }

    static let ready = Step.say(.ready(wantsSecret: true, prompt: "Password: "))
    static let readyForFace = Step.say(.ready(wantsSecret: false, prompt: ""))

    /// The usual course up to the verdict.
    static let untilSecret: [Step] = [.read, .ready, .read]

    /// A verdict with the exit code that belongs to it.
    static func verdict(_ byte: UInt8) -> [Step] { [.say(.verdict(byte)), .exit(Int(byte))] }

    static let accepting = untilSecret + verdict(0x41)
}

func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// What came of a call.
struct Report: Sendable {
    /// The lines that the caller wrote, by name and in order.
    var lines: [(name: String, value: String)] = []
    /// The lines that the helper wrote; empty when it was not started.
    var seen: [(name: String, value: String)] = []
    /// What was printed by the caller to its standard output and error, with the log when that was asked for.
    var printed = ""
    /// What the last module of the stack found in PAM_AUTHTOK.
    var token: String?
    /// The caller's own exit code, or its signal plus 1,000.
    var exit = -1

    func all(_ name: String) -> [String] { lines.filter { $0.name == name }.map(\.value) }
    func number(_ name: String) -> Int? { all(name).last.flatMap { Int($0) } }
    func helper(_ name: String) -> String? { seen.last { $0.name == name }?.value }

    var code: Code? { number("code").flatMap { Code(rawValue: $0) } }
    /// The longest of the calls.
    var milliseconds: Int { all("ms").compactMap { Int($0) }.max() ?? .max }
    /// What was said to the person, with the style in front (1 hidden question, 2 shown question, 3 error, 4 information).
    var said: [String] { all("said") }
    /// The frames that the helper received.
    var frames: [ModuleMessage] {
        seen.filter { $0.name == "frame" || $0.name == "more" }.compactMap { try? ModuleMessage(rawFrame($0.value)) }
    }
    var begin: BeginRequest? {
        if case .begin(let request)? = frames.first { return request }
        return nil
    }

    private func rawFrame(_ digits: String) throws -> RawFrame {
        var bytes: [UInt8] = []
        var rest = Substring(digits)
        while !rest.isEmpty {
            bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return RawFrame(type: bytes.count > 1 ? bytes[1] : 0, payload: Array(bytes.dropFirst(4)))
    }

    /// Holds for every call, whatever came of it: the caller lives and is as it was, and nothing was printed.
    func expectUntouchedCaller(printsNothing: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(exit == 0, sourceLocation: sourceLocation)
        #expect(all("failed").isEmpty, sourceLocation: sourceLocation)
        #expect(all("changed").isEmpty, sourceLocation: sourceLocation)
        #expect(all("left").isEmpty, sourceLocation: sourceLocation)
        if printsNothing { #expect(printed.isEmpty, sourceLocation: sourceLocation) }
    }

    /// Holds for every fault besides: refused as a fault, and within the module's deadline and 200 ms.
    func expectFault(seconds: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) {
        expectUntouchedCaller(sourceLocation: sourceLocation)
        #expect(code == .systemError, sourceLocation: sourceLocation)
        #expect(milliseconds <= seconds * 1000 + 200, sourceLocation: sourceLocation)
    }
}

/// One call of the module.
struct Call: Sendable {
    /// Which of the builds of module-tests.mk: plain, odd, failing or sanitized.
    var module = "plain"
    var control = "required"
    /// The module's options; `conf=` with the script is added unless `usesConf` is false.
    var arguments = ["timeout=1"]
    var usesConf = true
    var script: [Step] = Step.accepting
    /// The caller's options.
    var options = ["answer=geheim"]
    var user = "anna"
    /// Lines of the stack before and after the module; TOKEN stands for the neighbour module.
    var before: [String] = []
    var after: [String] = []
    /// A program with arguments that runs the caller.
    var under: [String] = []
    var environment: [String: String] = [:]
    /// The user that plays the service while the call runs; nil for none.
    var service: Int?

    func run() throws -> Report {
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write("script", script.map(\.line).joined(separator: "\n") + "\n")
        try folder.write("stack/test", stack(folder))
        let listener = try service.map { try Rig.listen(as: $0, script: folder.path("script")) }
        defer { listener?.end() }
        let caller = Rig.folder + (module == "sanitized" ? "/sanitized/caller" : "/caller")
        let program = under + [caller, folder.path("report"), folder.path("stack"), "test", user] + options
        let exit = try Rig.run(program, output: folder.path("printed"), environment: environment)
        return Report(
            lines: folder.lines("report"), seen: folder.lines("script.seen"), printed: folder.text("printed") ?? "",
            token: folder.text("token"), exit: exit)
    }

    private func stack(_ folder: Folder) -> String {
        let words = arguments + (usesConf ? ["conf=" + folder.path("script")] : [])
        let own = "\(control) \(Rig.folder)/\(module)/pam_secondlook.so " + words.joined(separator: " ")
        let dump = "optional \(Rig.folder)/token.so dump=" + folder.path("token")
        let lines = before + [own] + after + [dump]
        return lines.map { "auth " + $0.replacing("TOKEN", with: Rig.folder + "/token.so") + "\n" }.joined()
    }
}

/// The programs, and how one is run.
enum Rig {
    static let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized.path
    static let folder = package + "/build/module-tests"

    /// Helpers have to belong to root, and only root starts one.
    static let isRoot = geteuid() == 0

    /// Builds what is not up to date; false with the compiler's words printed when that fails.
    static let isBuilt: Bool = {
        let made = try? run(
            ["make", "-s", "-C", package, "-f", "pam/module.mk", "module-test"], output: nil, environment: nil)
        return made == 0
    }()

    /// Runs a program with an empty input to its end; the exit code, or 1,000 and the signal.
    static func run(_ words: [String], output: String?, environment: [String: String]?) throws -> Int {
        let process = try start(words, output: output, environment: environment)
        process.waitUntilExit()
        return process.terminationReason == .exit
            ? Int(process.terminationStatus) : 1000 + Int(process.terminationStatus)
    }

    static func start(_ words: [String], output: String?, environment: [String: String]?) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        if let environment {
            process.environment = environment.merging(["PATH": "/usr/bin:/bin"]) { own, _ in own }
        }
        process.standardInput = FileHandle.nullDevice
        if let output {
            _ = FileManager.default.createFile(atPath: output, contents: nil)
            let file = try #require(FileHandle(forWritingAtPath: output))
            process.standardOutput = file
            process.standardError = file
        }
        try process.run()
        return process
    }

    /// The output of a program that has to succeed.
    static func output(_ words: String...) throws -> String {
        let folder = try Folder()
        defer { folder.remove() }
        try #require(try run(words, output: folder.path("output"), environment: [:]) == 0)
        return folder.text("output") ?? ""
    }

    /// Starts a scripted helper that plays the service, and waits until it listens.
    static func listen(as user: Int, script: String) throws -> Listener {
        let path = folder + "/run/service.sock"
        try FileManager.default.createDirectory(atPath: folder + "/run", withIntermediateDirectories: true)
        try? FileManager.default.removeItem(atPath: path)
        let words = [folder + "/libexec/helper", "--listen", path, String(user), "--conf", script]
        let process = try start(words, output: nil, environment: [:])
        for _ in 0..<500 where !FileManager.default.fileExists(atPath: path + ".listens") { usleep(10_000) }
        return Listener(process: process, path: path)
    }
}

/// A running service.
struct Listener {
    let process: Process
    let path: String

    func end() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: path)
        try? FileManager.default.removeItem(atPath: path + ".listens")
    }
}

/// A temporary folder that everyone can write to (the service may run as another user).
struct Folder {
    private let root: URL

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "secondlook-module-\(UUID().uuidString)")
        let stack = root.appending(path: "stack")
        try FileManager.default.createDirectory(at: stack, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: root.path)
    }

    func path(_ name: String) -> String { root.appending(path: name).path }
    func write(_ name: String, _ text: String) throws {
        try text.write(toFile: path(name), atomically: false, encoding: .utf8)
    }
    func text(_ name: String) -> String? { try? String(contentsOfFile: path(name), encoding: .utf8) }
    func lines(_ name: String) -> [(name: String, value: String)] {
        (text(name) ?? "").split(separator: "\n").map { line in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }
    func remove() { try? FileManager.default.removeItem(at: root) }
}
