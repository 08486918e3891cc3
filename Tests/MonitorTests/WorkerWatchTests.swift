// SPDX-License-Identifier: Apache-2.0
// Every state of the conversation with the worker times every message, and what needs memory: order, time, amount, tracks.

import Biometrics
import Testing
import Wire

@testable import Monitor

@Suite struct WorkerWatchTests {
    static let now: UInt64 = 1_000_000

    static func frame(_ sequence: UInt32 = 0, at time: UInt64 = now, tracks: [UInt32] = [1]) -> FrameEvidence {
        FrameEvidence(
            sequence: sequence, timestamp: time, width: 640, height: 480, brightness: 100, contrast: 30,
            fingerprint: UInt64(sequence), faces: tracks.map { World.evidence(1, track: $0) })
    }

    static let replies: [WorkerReply] = [
        World.hello, World.started, .frame(frame()), .trouble(.failed, detail: "x"),
        .trouble(.pictureUnreadable, detail: "x"),
        .end, .pixels(PictureRows(sequence: 0, subject: .view, width: 1, height: 1, firstRow: 0, pixels: [1, 2, 3])),
    ]

    /// A watch in a state, as a real conversation reaches it.
    static func watch(in state: WorkerState, brings: Bool = false) throws -> WorkerWatch {
        var watch = WorkerWatch()
        guard state != .loading else { return watch }
        try watch.check(
            .hello(WorkerHello(bringsFrames: brings, hasPassive: true, hasSecondOpinion: false, sandbox: .all)),
            now: now)
        guard state != .idle else { return watch }
        if !brings { watch.sent(.camera(role: .colour, rotation: 0, deadline: 1000), now: now) }
        guard state != .prepared else { return watch }
        watch.sent(.look(embedEvery: false), now: now)
        guard state != .looking else { return watch }
        try watch.check(.trouble(.gone, detail: ""), now: now)
        return watch
    }

    /// The state that a message leads to; nil where it is a breach.
    static func next(_ state: WorkerState, _ reply: WorkerReply) -> WorkerState? {
        switch (state, reply) {
        case (.loading, .hello): .idle
        case (.over, _): nil
        case (.prepared, .trouble(.pictureUnreadable, _)), (.looking, .trouble(.pictureUnreadable, _)): state
        case (_, .trouble): .over
        case (.loading, _): nil
        case (_, .end): .idle
        case (.prepared, .started), (.looking, .started): state
        default: nil
        }
    }

    @Test(arguments: WorkerState.allCases, replies)
    func eachMessageInEachState(state: WorkerState, reply: WorkerReply) throws {
        var watch = try Self.watch(in: state)
        #expect(watch.state == state)
        if let next = Self.next(state, reply) {
            try watch.check(reply, now: Self.now)
            #expect(watch.state == next)
        } else {
            // A frame is a breach even while looking, since its camera has not started.
            #expect(throws: MonitorError.self) { try watch.check(reply, now: Self.now) }
            #expect(watch.state == .over)
        }
    }

    private func looking() throws -> WorkerWatch {
        var watch = try Self.watch(in: .looking)
        try watch.check(World.started, now: Self.now)
        return watch
    }

    @Test func framesInOrderPass() throws {
        var watch = try looking()
        for sequence in 0..<200 as Range<UInt32> {
            let time = Self.now + UInt64(sequence) * 33
            try watch.check(.frame(Self.frame(sequence, at: time)), now: time)
        }
    }

    @Test(arguments: [
        ("starts at one", [1] as [UInt32]), ("repeats", [0, 0]), ("skips", [0, 2]), ("goes back", [0, 1, 0]),
        ("is enormous", [UInt32.max]),
    ])
    func refusesASequenceThat(_: String, sequence: [UInt32]) throws {
        var watch = try looking()
        #expect(throws: MonitorError.self) {
            for number in sequence { try watch.check(.frame(Self.frame(number)), now: Self.now) }
        }
    }

    @Test(arguments: [
        ("backwards", [1_000_000, 999_999] as [UInt64]), ("future", [1_000_100]), ("far future", [UInt64.max]),
        ("past", [900_000]), ("before look", [999_000]), ("zero", [0]),
    ])
    func refusesATimeThatIs(_: String, times: [UInt64]) throws {
        var watch = try looking()
        #expect(throws: MonitorError.self) {
            for (index, time) in times.enumerated() {
                try watch.check(.frame(Self.frame(UInt32(index), at: time)), now: Self.now)
            }
        }
    }

    @Test func refusesAFlood() throws {
        var watch = try looking()
        #expect(throws: MonitorError.evidence("more frames than any camera takes")) {
            for number in 0..<1000 as Range<UInt32> { try watch.check(.frame(Self.frame(number)), now: Self.now) }
        }
    }

    @Test func refusesOneTrackTwiceInAFrame() throws {
        var watch = try looking()
        #expect(throws: MonitorError.evidence("two faces of one track")) {
            try watch.check(.frame(Self.frame(tracks: [4, 4])), now: Self.now)
        }
    }

    @Test func refusesATrackThatHadEnded() throws {
        var watch = try looking()
        #expect(throws: MonitorError.evidence("a track that had ended")) {
            for number in 0..<600 as Range<UInt32> {
                let time = Self.now + UInt64(number) * 33
                let tracks: [UInt32] = number == 0 || number == 599 ? [1] : [2]
                try watch.check(.frame(Self.frame(number, at: time, tracks: tracks)), now: time)
            }
        }
    }

    @Test func refusesAnotherSizeOrRole() throws {
        var watch = try looking()
        var other = Self.frame()
        other.width = 320
        #expect(throws: MonitorError.evidence("a frame of another size than its camera's")) {
            try watch.check(.frame(other), now: Self.now)
        }
        watch = try looking()
        var infrared = Self.frame()
        infrared.role = .infrared
        #expect(throws: MonitorError.evidence("a frame of a camera that was not passed")) {
            try watch.check(.frame(infrared), now: Self.now)
        }
        watch = try looking()
        #expect(throws: MonitorError.evidence("a camera started twice")) {
            try watch.check(World.started, now: Self.now)
        }
    }

    @Test func aTurnedCameraMayGiveItsSidesTheOtherWayRound() throws {
        var watch = try looking()
        var turned = Self.frame()
        (turned.width, turned.height) = (480, 640)
        try watch.check(.frame(turned), now: Self.now)
    }

    @Test func aWorkerThatBringsFramesNeedsNoCamera() throws {
        var watch = try Self.watch(in: .looking, brings: true)
        try watch.check(World.started, now: Self.now)
        try watch.check(.frame(Self.frame()), now: Self.now)
    }

    @Test func picturesFollowOneAnother() throws {
        var watch = try Self.watch(in: .idle)
        for number in 0..<3 as Range<UInt32> {
            watch.sent(.picture, now: Self.now)
            watch.sent(.look(embedEvery: true), now: Self.now)
            try watch.check(.frame(Self.frame(number)), now: Self.now)
            try watch.check(.end, now: Self.now)
        }
        #expect(throws: MonitorError.self) { try watch.check(.frame(Self.frame(3)), now: Self.now) }
    }
}
