// SPDX-License-Identifier: Apache-2.0
// A worker that a camera has taken over plays whatever it can think of. Nothing of it is ever a success, and each attempt ends in time.

import Biometrics
import Platform
import Policy
import TemplateStore
import TestSupport
import Testing
import Wire

@testable import Monitor

/// One trick.
struct Trick: Sendable, CustomTestStringConvertible {
    let name: String
    let script: ScriptedWorkers.Script
    var testDescription: String { name }

    init(_ name: String, _ script: @escaping ScriptedWorkers.Script) {
        self.name = name
        self.script = script
    }

    /// A trick played once frames may come; `frames` of the enrolled person follow it.
    init(looking name: String, _ trick: @escaping ScriptedWorkers.Script) {
        self.init(name) { stage in
            guard World.warmUp(&stage) else { return }
            trick(&stage)
            stage.frames(12, World.evidence(1))
        }
    }

    /// A frame of the enrolled person whose bytes are changed in one place: offset within the payload, new bytes.
    init(bytes name: String, at offset: Int, _ bytes: [UInt8]) {
        self.init(looking: name) { stage in
            let frame = FrameEvidence(
                sequence: stage.sequence, timestamp: SystemTime().now(), width: 640, height: 480, brightness: 120,
                contrast: 40, fingerprint: 7, faces: [World.evidence(1)])
            stage.sequence += 1
            var raw = WorkerReply.frame(frame).frame.bytes
            for (index, byte) in bytes.enumerated() { raw[RawFrame.headerLength + offset + index] = byte }
            stage.say(raw: raw)
        }
    }

    /// A face with one number changed in a way that the encoder lets through.
    init(face name: String, _ change: @escaping @Sendable (inout FaceEvidence) -> Void) {
        self.init(looking: name) { stage in
            var face = World.evidence(1)
            change(&face)
            for _ in 0..<12 { stage.frame([face]) }
            stage.awaitEnd()
        }
    }
}

@Suite struct HostileWorkerTests {
    static let nan: [UInt8] = [0x7F, 0xC0, 0, 0]
    static let infinite: [UInt8] = [0x7F, 0x80, 0, 0]
    static let huge: [UInt8] = [0x7F, 0x7F, 0xFF, 0xFF]
    // Payload of a frame: sequence 0, timestamp 4, role 12, width 13, height 15, brightness 17, contrast 21, fingerprint 25, number of
    // faces 33, then the face: track 34, box 38, score 54, landmarks 58, brightness 98, contrast 102, sharpness 106, flags 110, embedding 111.
    static let numbers: [(String, Int)] = [
        ("frame brightness", 17), ("frame contrast", 21), ("box x", 38), ("box width", 46), ("score", 54), ("eye", 58),
        ("mouth", 94), ("face brightness", 98), ("face contrast", 102), ("sharpness", 106), ("embedding", 111),
        ("embedding end", 619), ("passive", 623), ("motion", 627),
    ]

    static let tricks: [Trick] =
        numbers.map { Trick(bytes: "NaN as \($0.0)", at: $0.1, nan) }
        + numbers.map { Trick(bytes: "infinity as \($0.0)", at: $0.1, infinite) }
        + numbers.map { Trick(bytes: "enormous \($0.0)", at: $0.1, huge) } + [
            Trick(bytes: "nine faces announced", at: 33, [9]), Trick(bytes: "255 faces announced", at: 33, [255]),
            Trick(bytes: "width 0", at: 13, [0, 0]), Trick(bytes: "width 65535", at: 13, [255, 255]),
            Trick(bytes: "unknown role", at: 12, [7]), Trick(bytes: "unknown flags", at: 110, [0xFF]),
            Trick(bytes: "no flags but their data", at: 110, [0]),
            Trick(bytes: "zero embedding", at: 111, [UInt8](repeating: 0, count: 512)),
            Trick(face: "no embedding in any frame") { $0.embedding = nil },
            Trick("nothing at all") { _ in },
            Trick("frames before the greeting") { stage in stage.frames(3, World.evidence(1)) },
            Trick("frames before look") { stage in
                stage.say(World.hello)
                stage.frames(12, World.evidence(1))
            },
            Trick("started before look, frames before look") { stage in
                stage.say(World.hello)
                stage.say(World.started)
                for _ in 0..<12 { stage.frame([World.evidence(1)]) { $0.timestamp -= 1000 } }
            },
            Trick("frames without a started camera") { stage in
                stage.say(World.hello)
                if stage.awaitLook() { stage.frames(12, World.evidence(1)) }
            },
            Trick("a second greeting") { stage in
                stage.say(World.hello)
                stage.say(World.hello)
            },
            Trick(looking: "a greeting while looking") { $0.say(World.hello) },
            Trick(looking: "a camera that starts twice") { $0.say(World.started) },
            Trick(looking: "an infrared camera nobody passed") {
                $0.say(.started(role: .infrared, width: 640, height: 480, format: 1, tenthsOfRate: 300))
            },
            Trick(looking: "frames of a camera nobody passed") {
                $0.frame([World.evidence(1)]) { $0.role = .infrared }
            },
            Trick(looking: "a skipped number") { $0.sequence += 1 },
            Trick(looking: "a repeated number") { stage in
                stage.frame([World.evidence(1)])
                stage.sequence -= 1
            },
            Trick(looking: "the future") { $0.frame([World.evidence(1)]) { $0.timestamp += 60_000 } },
            Trick(looking: "the past") { $0.frame([World.evidence(1)]) { $0.timestamp = 5 } },
            Trick(looking: "a clock that runs backwards") { stage in
                stage.frame([World.evidence(1)])
                stage.frame([World.evidence(1)]) { $0.timestamp -= 100 }
            },
            Trick(looking: "a flood") { stage in
                let begin = stage.sequence
                let frames = (begin..<begin + 600).map { number in
                    FrameEvidence(
                        sequence: number, timestamp: SystemTime().now(), width: 640, height: 480, brightness: 120,
                        contrast: 40, fingerprint: UInt64(number), faces: [])
                }
                stage.sequence += 600
                stage.say(raw: frames.flatMap { WorkerReply.frame($0).frame.bytes })
            },
            Trick(looking: "another size") { $0.frame([World.evidence(1)]) { $0.width = 64 } },
            Trick(looking: "two faces of one track") { $0.frame([World.evidence(1), World.evidence(1)]) },
            Trick(looking: "frames after the end") { stage in stage.say(.end) },
            Trick(looking: "frames after a trouble") { $0.say(.trouble(.busy, detail: "")) },
            Trick(looking: "another version") { $0.say(raw: [2, 0x93, 0, 0]) },
            Trick(looking: "a helper's message") { $0.say(raw: [1, 0x13, 0, 1, 0]) },
            Trick(looking: "an unknown type") { $0.say(raw: [1, 0xEE, 0, 0]) },
            Trick(looking: "a length beyond the limit") { $0.say(raw: [1, 0x93, 0xFF, 0xFF]) },
            Trick(looking: "an end with a payload") { $0.say(raw: [1, 0x95, 0, 1, 0]) },
            Trick(looking: "an empty frame") { $0.say(raw: [1, 0x93, 0, 0]) },
            Trick(looking: "a descriptor") { $0.sayWithDescriptor(.end) },
            Trick(looking: "random bytes") { $0.say(raw: (0..<200).map { UInt8($0 * 7 % 251) }) },
            Trick(looking: "a picture nobody asked for") {
                $0.say(
                    .pixels(
                        PictureRows(
                            sequence: $0.sequence, subject: .view, width: 1, height: 1, firstRow: 0, pixels: [1, 2, 3]))
                )
            },
            Trick(looking: "the header of a picture") { $0.say(raw: [1, 0x96, 0xFF, 0xFF]) },
            Trick(looking: "a text that is no text") { $0.say(raw: [1, 0x94, 0, 5, 1, 0, 2, 0xFF, 0xFE]) },
            Trick("half a greeting") { $0.say(raw: [1, 0x91, 0]) },
            Trick("a greeting with unknown walls") { $0.say(raw: [1, 0x91, 0, 2, 2, 0xFF]) },
            Trick("a greeting without walls") { stage in
                stage.say(
                    .hello(WorkerHello(bringsFrames: false, hasPassive: true, hasSecondOpinion: false, sandbox: [])))
                if stage.awaitLook() { stage.frames(12, World.evidence(1)) }
            },
            Trick(looking: "the same frame again and again") { stage in
                for _ in 0..<12 { stage.frame([World.evidence(1)]) { $0.fingerprint = 5 } }
            },
            Trick(looking: "a stranger beside the enrolled person") { stage in
                var stranger = World.evidence(2, track: 2)
                stranger.box.x = 40
                for _ in 0..<30 {
                    stage.frame([World.evidence(1), stranger])
                    try? Readiness.pause(until: SystemTime().now() + 60)
                }
            },
        ]

    @Test func thereAreAtLeastForty() { #expect(Self.tricks.count >= 40) }

    @Test func aPassiveNetworkThatWasNotGivenIsNotBelieved() throws {
        let world = try World(World.sees(World.evidence(1)))
        TemporaryFolder.remove(world.temporary.file("programs/models/liveness.onnx"))
        #expect(try world.attempt().report.verdict == Verdict(.fault, .badEvidence))
    }

    @Test(arguments: tricks)
    func neverPasses(trick: Trick) throws {
        let world = try World(trick.script)
        let begun = SystemTime().now()
        let attempt = try world.attempt(BeginRequest(deadline: 6000, user: "anna", service: "sudo"))
        #expect(attempt.report.verdict.outcome != .accepted)
        #expect(attempt.report.verdict.outcome != .skipped)
        #expect(attempt.verdictByte == attempt.report.verdict.outcome.rawValue)
        // The deadline, and room for a busy machine; the longest of the settings is 15 s.
        #expect(SystemTime().now() - begun < 9000)
        #expect(try world.openStore().attempts().count == 1, "it is on record")
    }
}
