// SPDX-License-Identifier: Apache-2.0
// The installed helper by itself: every call it makes fails once, and callers that are not root come through the service's socket. Both play in
// a private namespace, like the scenarios.

import Foundation
import Testing

/// Runs a script of Tests/demo in the private namespace; its last line and whether it ended well.
private func play(_ script: String, _ arguments: [String]) throws -> (text: String, isFine: Bool) {
    // A copy, because both replace what is in it.
    let copy = NSTemporaryDirectory() + "secondlook-prefix-\(UUID().uuidString)"
    try FileManager.default.copyItem(atPath: Stage.prefix ?? "", toPath: copy)
    defer { try? FileManager.default.removeItem(atPath: copy) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "\(Stage.root)/Tests/demo/private-namespace")
    process.currentDirectoryURL = URL(fileURLWithPath: Stage.root)
    process.arguments = [copy, "python3", "Tests/demo/\(script)", copy] + arguments
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (text, process.terminationStatus == 0)
}

@Suite(.enabled(if: Stage.isReady, "needs root, SECONDLOOK_PREFIX and SECONDLOOK_CLIPS; run `make test`"))
struct HelperFailureTests {
    @Test func noFailedCallLetsAnybodyIn() throws {
        // Some of the calls, for less than a minute; `Tests/demo/failing_helper.py PREFIX` by itself lets all of them fail.
        let (text, isFine) = try play("failing_helper.py", ["--step", "13", "--seconds", "45"])
        #expect(isFine, "\(text)")
        print(text.split(separator: "\n").last ?? "")
    }
}

@Suite(.enabled(if: Stage.isReady, "needs root, SECONDLOOK_PREFIX and SECONDLOOK_CLIPS; run `make test`"))
struct ServiceTests {
    @Test func aUserPassesAsHimselfOnly() throws {
        let (text, isFine) = try play("service_scenarios.py", [Stage.clips ?? ""])
        #expect(isFine, "\(text)")
        #expect(text.split(separator: "\n").count(where: { $0.hasPrefix("ok ") }) >= 10, "\(text)")
    }
}
