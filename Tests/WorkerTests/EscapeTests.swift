// SPDX-License-Identifier: Apache-2.0
// The walls, proven from inside. The replaying worker runs the very library code of the installed one, and makes every attempt to get out once the
// walls stand; the installed one itself is asked by a library that the test preloads into it, and looked at from outside.

import CProbe
import Foundation
import Platform
import Testing
import Wire
import Worker

/// Two dim frames of 64x48.
private let frames = Data(repeating: 40, count: 2 * 64 * 48 * 3)
private let clip = "frames=FOLDER/clip.rgb\nwidth=64\nheight=48\n"

@Suite(
    .enabled(if: SpawnedWorker.isPossible, "needs root and SECONDLOOK_MODELS; run `make test`"), .serialized)
struct EscapeTests {
    /// A thread that takes no signal ends while the walls are built: that keeps them from nothing.
    @Test func everyAttemptToGetOutFails() throws {
        let folder = try ReplayFolder(
            clip + "report=FOLDER/report\n", files: ["clip.rgb": frames, "report": Data(count: 16_384)])
        var worker = try SpawnedWorker(folder.program)
        let hello = try worker.reply()
        let expected = WorkerHello(bringsFrames: true, hasPassive: false, hasSecondOpinion: false, sandbox: .all)
        #expect(hello == .hello(expected))
        let lines = try folder.text(of: "report").split(separator: "\n").map(String.init)
        #expect(lines.count == Int(cprobe_count()) + 3, "two bystanders, every attempt, the sum")
        #expect(lines.last == "holes: 0")
        for line in lines.dropLast() { #expect(line.hasSuffix(": -1"), "\(line)") }
        for wanted in ["open a file", "read the store", "make an internet socket", "fork", "exec", "ptrace the parent"]
        {
            #expect(lines.contains("\(wanted): -1"))
        }
        // Shut in, it still sees.
        try worker.send(.look(embedEvery: true))
        var kinds: [String] = []
        for _ in 0..<3 {
            switch try worker.reply() {
            case .started: kinds.append("started")
            case .frame: kinds.append("frame")
            default: kinds.append("other")
            }
        }
        #expect(kinds == ["started", "frame", "frame"])
        try worker.endSending()
        #expect(try worker.child.wait(until: SystemTime().now() + 10_000) == .exited(0))
    }

    @Test func theInstalledWorkerIsShutInAsSeenFromOutside() throws {
        var worker = try SpawnedWorker(try SpawnedWorker.programs() + "/secondlook-vision")
        let hello = try worker.reply()
        let expected = WorkerHello(bringsFrames: false, hasPassive: false, hasSecondOpinion: false, sandbox: .all)
        #expect(hello == .hello(expected))
        #expect(try worker.status("Uid") == "64123 64123 64123 64123")
        #expect(try worker.status("Gid") == "64123 64123 64123 64123")
        #expect(try worker.status("Groups") == "")
        for set in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] {
            #expect(try worker.status(set) == "0000000000000000", "\(set)")
        }
        #expect(try worker.status("NoNewPrivs") == "1")
        #expect(try worker.status("Seccomp") == "2")
        #expect(try worker.status("Threads") == "1", "a thread that nobody asked for")
        let held = Set(try worker.descriptors())
        #expect(held == ["0 /dev/null", "1 /dev/null", "2 /dev/null", "3 socket"], "nothing else may stay open")
        try worker.endSending()
        #expect(try worker.child.wait(until: SystemTime().now() + 10_000) == .exited(0))
    }

    @Test func theInstalledWorkerAskedFromInsideCannotGetOut() throws {
        let folder = try ReplayFolder("script=none\n", files: ["report": Data(count: 16_384)])
        let library = "\(folder.path)/preloaded.so"
        let compiled = try run(
            "/usr/bin/cc",
            [
                "-shared", "-fPIC", "-O1", "-o", library, "\(root)/Tests/CProbe/CProbe.c",
                "\(root)/Tests/CProbe/preload.inc",
            ],
            ["-x", "c", "-I\(root)/Tests/CProbe/include", "-pthread", "-ldl"])
        #expect(compiled == 0)
        var worker = try SpawnedWorker(
            try SpawnedWorker.programs() + "/secondlook-vision",
            environment: ["LD_PRELOAD=\(library)", "PROBE_REPORT=\(folder.path)/report"])
        _ = try worker.reply()
        // The preloaded code runs at the first wait for the helper's words, when the walls stand.
        try worker.send(.stop)
        #expect(try worker.reply() == .end)
        let lines = try folder.text(of: "report").split(separator: "\n").map(String.init)
        #expect(lines.count == Int(cprobe_count()) + 1)
        #expect(lines.last == "holes: 0")
    }

    @Test func startedAsRootWithoutAUserItRefuses() throws {
        for words in [["sandbox=require"], ["sandbox=best-effort"], ["uid=0", "gid=0"], ["uid=64123", "gid=0"]] {
            var worker = try SpawnedWorker(try SpawnedWorker.programs() + "/secondlook-vision", words: words)
            guard case .trouble(.sandbox, _) = try worker.reply() else {
                Issue.record("\(words) was accepted")
                continue
            }
            #expect(try worker.reply() == nil)
            #expect(try worker.child.wait(until: SystemTime().now() + 10_000) == .exited(1))
        }
    }

    @Test func aWrongCommandLineEndsIt() throws {
        var worker = try SpawnedWorker(
            try SpawnedWorker.programs() + "/secondlook-vision", words: ["frames=9", "uid=64123", "gid=64123"])
        #expect(try worker.reply() == nil)
        #expect(try worker.child.wait(until: SystemTime().now() + 10_000) == .exited(2))
    }

    private var root: String { "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") }

    private func run(_ program: String, _ sources: [String], _ flags: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = flags + sources
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
