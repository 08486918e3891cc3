// SPDX-License-Identifier: Apache-2.0
// What a child inherits, how it ends, and that it is gone when its owner is.

import Platform
import TestSupport
import Testing

@Suite struct ChildTests {
    private var soon: UInt64 { SystemTime().now() + 5000 }

    /// Runs a shell script and returns what it wrote to descriptor 1 and how it ended.
    private func run(_ script: String, environment: [String] = []) throws -> (text: String, end: Child.End?) {
        let pair = try Channel.makePair()
        let null = try SafeFile.openNull()
        let shell = try SafeFile.openForReading("/bin/sh")
        var child = try Child(
            program: shell, arguments: ["sh", "-c", script], environment: environment,
            placements: [.init(null.raw, at: 0), .init(pair.second.raw, at: 1), .init(null.raw, at: 2)])
        let near = pair.takeFirst()
        var text: [UInt8] = []
        while let part = try near.receive(until: soon) { text += part.bytes }
        return (String(decoding: text, as: UTF8.self), try child.wait(until: soon))
    }

    @Test func tellsTheExitCode() throws {
        #expect(try run("exit 65").end == .exited(65))
        #expect(try run("kill -9 $$").end == .killed(9))
    }

    @Test func inheritsNothingButWhatItIsGiven() throws {
        let temporary = TemporaryFolder()
        let leak = try SafeFile.openForReading(temporary.write("leak", text: "x"))
        let copy = try leak.duplicate()
        let (text, _) = try run("/bin/ls /proc/self/fd; pwd; umask; env; ps -o sid= -p $$ 2>/dev/null")
        // ls itself opens the folder as 3.
        #expect(text.split(separator: "\n").prefix(7).joined(separator: " ") == "0 1 2 3 / 0077 PWD=/")
        _ = copy.raw
    }

    @Test func givesTheEnvironmentItIsTold() throws {
        #expect(try run("echo $A", environment: ["A=b c"]).text == "b c\n")
    }

    @Test func startsWithDefaultSignals() throws {
        let (text, _) = try run("grep -E 'SigBlk|SigIgn' /proc/self/status")
        let masks = text.split(separator: "\n").map { line in
            line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? .max
        }
        // 32 and 33 are the C library's own, which no program can set.
        #expect(masks.map { $0 & ~(3 << 31) } == [0, 0])
    }

    @Test func placesDescriptorsAlsoWhenTheyCross() throws {
        let temporary = TemporaryFolder()
        let one = try SafeFile.openForReading(temporary.write("one", text: "one"))
        let two = try SafeFile.openForReading(temporary.write("two", text: "two"))
        let pair = try Channel.makePair()
        let shell = try SafeFile.openForReading("/bin/sh")
        var child = try Child(
            program: shell, arguments: ["sh", "-c", "cat /proc/self/fd/\(one.raw) /proc/self/fd/\(two.raw)"],
            placements: [.init(pair.second.raw, at: 1), .init(one.raw, at: two.raw), .init(two.raw, at: one.raw)])
        let near = pair.takeFirst()
        var text: [UInt8] = []
        while text.count < 6, let part = try near.receive(until: soon) { text += part.bytes }
        #expect(String(decoding: text, as: UTF8.self) == "twoone")
        #expect(try child.wait(until: soon) == .exited(0))
    }

    @Test func aProgramThatCannotBeExecutedIsAnError() throws {
        let temporary = TemporaryFolder()
        let file = try SafeFile.openForReading(temporary.write("file", text: "not a program", mode: 0o644))
        #expect {
            _ = try Child(program: file, arguments: ["file"], placements: []).process
        } throws: { error in
            [13, 8].contains((error as? PlatformError)?.code ?? 0)
        }
    }

    @Test func aRunningChildIsNilAndThenKilled() throws {
        let shell = try SafeFile.openForReading("/bin/sleep")
        var child = try Child(program: shell, arguments: ["sleep", "100"], placements: [])
        #expect(try child.wait(until: SystemTime().now() + 30) == nil)
        #expect(try child.kill() == .killed(9))
        #expect(try child.wait(until: 0) == .killed(9), "the end is remembered")
    }

    @Test func aChildGoesWithItsOwner() throws {
        let sleep = try SafeFile.openForReading("/bin/sleep")
        let child = try Child(program: sleep, arguments: ["sleep", "100"], placements: [])
        let number = child.process
        #expect(SafeFile.exists("/proc/\(number)"))
        _ = consume child
        #expect(!SafeFile.exists("/proc/\(number)"), "killed and reaped")
    }
}
