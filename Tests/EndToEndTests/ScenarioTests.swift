// SPDX-License-Identifier: Apache-2.0
// The whole path in `swift test`: the same table that `make demo` prints, played once against the real module under pamtester, and each
// of its lines held as an expectation. SECONDLOOK_PREFIX and SECONDLOOK_CLIPS (the Makefile sets them) name what it plays with.

import Foundation
import Testing

enum Stage {
    static let prefix = ProcessInfo.processInfo.environment["SECONDLOOK_PREFIX"]
    static let clips = ProcessInfo.processInfo.environment["SECONDLOOK_CLIPS"]
    static let isReady = prefix != nil && clips != nil && geteuid() == 0

    /// The root of this repository.
    static var root: String { "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") }
}

// One after the other: what turns its head in real time must not share the machine with ten logins at once.
@Suite(.serialized, .enabled(if: Stage.isReady, "needs root, SECONDLOOK_PREFIX and SECONDLOOK_CLIPS; run `make test`"))
struct ScenarioTests {
    @Test func everyScenarioEndsAsItMust() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "\(Stage.root)/Tests/demo/run")
        process.arguments = [Stage.prefix ?? "", Stage.clips ?? ""]
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()

        let lines = text.split(separator: "\n").map(String.init)
        let played = lines.filter { $0.hasPrefix("ok ") || $0.hasPrefix("FAILED ") }
        for line in played { #expect(line.hasPrefix("ok "), "\(line)") }
        for line in lines where line.hasPrefix("SKIPPED ") { print(line) }
        let closing = lines.last ?? ""
        print("scenarios: \(closing)")
        #expect(closing.contains("passed, 0 failed"), "\(text)")
        #expect(played.count >= 15, "\(text)")
        #expect(process.terminationStatus == 0)
    }

    @Test func manyLoginsLeaveNothingBehind() throws {
        // The short form of `make soak`; the module knows the helper of this prefix only, so that no copy of it would do.
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "\(Stage.root)/Tests/demo/soak")
        process.arguments = [
            Stage.prefix ?? "", Stage.clips ?? "", "--logins", "40", "--at-once", "10", "--waves", "1",
        ]
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        #expect(text.contains("\"recorded\": 50"), "\(text)")
        print("soak: \(text.split(separator: "\n").last ?? "")")
    }
}
