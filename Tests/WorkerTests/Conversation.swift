// SPDX-License-Identifier: Apache-2.0
// The helper's side of a conversation with a session that runs on a thread of its own, with a scripted looker and scripted cameras.

import Biometrics
import Foundation
import Platform
import Wire
import Worker

/// What a scripted camera does, step by step; after the last it keeps silent.
enum CameraStep: Sendable {
    case frame(UInt8)
    case end
    case silence
    case fault(ScriptedFault)
}

struct ScriptedFault: Error, Sendable {
    let make: @Sendable () -> any Error
}

final class ScriptedSource: FrameSource {
    private var steps: [CameraStep]
    private let format: Frame.Format
    private let interval: UInt64
    private let skips: Bool
    private var time: UInt64 = 10_000
    private var wantedFrom: UInt64 = 0

    init(_ steps: [CameraStep], format: Frame.Format = .rgb, interval: UInt64, skips: Bool) {
        self.skips = skips
        self.steps = steps
        self.interval = interval
        self.format = format
    }

    func skip(before moment: UInt64) { if skips { wantedFrom = moment } }

    func next(until deadline: UInt64) throws -> Frame? {
        time += interval
        var step = steps.isEmpty ? .silence : steps.removeFirst()
        while case .frame = step, time < wantedFrom {
            time += interval
            step = steps.isEmpty ? .silence : steps.removeFirst()
        }
        switch step {
        case .frame(let level):
            let pixels = [UInt8](repeating: level, count: 32 * 32 * format.bytesPerPixel)
            return Frame(width: 32, height: 32, format: format, pixels: pixels, timestamp: time)
        case .end: return nil
        case .silence:
            _ = try? Readiness.wait(toRead: [Conversation.idle.raw], until: deadline)
            throw Conversation.timedOut
        case .fault(let fault): throw fault.make()
        }
    }
}

struct ScriptedCameras: CameraOpening {
    var own: [CameraStep]?
    var steps: [CameraStep] = []
    var openFault: ScriptedFault?
    /// Milliseconds between frames.
    var interval: UInt64 = 66
    /// Whether frames that are not wanted are let go by the source.
    var skips = true

    var bringsFrames: Bool { own != nil }

    mutating func ownFrames() throws -> OpenedCamera? { own.map { opened($0, .rgb) } }

    mutating func open(
        _ descriptor: consuming Descriptor, role: CameraRole, rotation: UInt16
    ) throws -> OpenedCamera {
        if let openFault { throw openFault.make() }
        return opened(steps, role == .infrared ? .grey : .rgb)
    }

    private func opened(_ steps: [CameraStep], _ format: Frame.Format) -> OpenedCamera {
        OpenedCamera(
            source: ScriptedSource(steps, format: format, interval: interval, skips: skips), width: 32, height: 32,
            code: 1, rate: 300)
    }
}

struct ScriptedLooker: Looker {
    var hasPassive = true
    var hasSecondOpinion = false
    var failsAt: UInt32?
    var keepsFaces = false
    private(set) var faces: [SharedPicture] = []

    mutating func look(
        at frame: Frame, sequence: UInt32, role: CameraRole, embedEvery: Bool
    ) throws -> FrameEvidence {
        if sequence == failsAt { throw Conversation.timedOut }
        let side = SharedPicture.faceSide
        faces = []
        if keepsFaces {
            let pixels = [UInt8](repeating: frame.pixels[0], count: side * side * 3)
            faces = [SharedPicture(subject: .face(5), width: side, height: side, pixels: pixels)].compactMap { $0 }
        }
        return FrameEvidence(
            sequence: sequence, timestamp: frame.timestamp, role: role, width: UInt16(frame.width),
            height: UInt16(frame.height), brightness: Float(frame.pixels[0]), contrast: embedEvery ? 1 : 0,
            fingerprint: 1, faces: [])
    }
}

final class Conversation {
    /// Never readable: waiting on it is waiting for the deadline.
    static let idle: Descriptor = {
        guard let pair = try? Channel.makePair() else { preconditionFailure("no sockets") }
        _ = pair.second.take().take()
        return pair.first.take()
    }()
    static let timedOut = PlatformError.timedOut("a test")

    private let channel: Channel
    private var deframer = Deframer(limits: WorkerReply.sharingLimits)
    private let finished = DispatchSemaphore(value: 0)
    private let outcome = Outcome()

    private final class Outcome: @unchecked Sendable {
        var error: WorkerError?
    }

    /// Starts a session.
    init(
        cameras: ScriptedCameras = ScriptedCameras(), isKernel: Bool = false, looker: ScriptedLooker = ScriptedLooker()
    ) throws {
        let pair = try Channel.makePair()
        channel = pair.first
        let number = pair.second.take().take()
        let (finished, outcome) = (finished, outcome)
        Thread.detachNewThread {
            let opening: any CameraOpening = isKernel ? KernelCameras(clock: SystemTime()) : cameras
            var session = WorkerSession(
                channel: Channel(Descriptor(owning: number)), clock: SystemTime(), looker: looker, cameras: opening)
            do throws(WorkerError) { try session.run(layers: [.seccomp]) } catch { outcome.error = error }
            finished.signal()
        }
    }

    func send(_ request: WorkerRequest) throws {
        try channel.send(request.frame.bytes, until: SystemTime().now() + 5_000)
    }

    func send(_ bytes: [UInt8]) throws { try channel.send(bytes, until: SystemTime().now() + 5_000) }

    /// Sends a message with a descriptor of `path`.
    func send(_ request: WorkerRequest, with path: String) throws {
        let file = try SafeFile.open(path, checking: .lastFolder)
        try channel.send(request.frame.bytes, passing: file, until: SystemTime().now() + 5_000)
    }

    /// Sends a message with an open descriptor.
    func send(_ request: WorkerRequest, passing file: borrowing Descriptor) throws {
        try channel.send(request.frame.bytes, passing: file, until: SystemTime().now() + 5_000)
    }

    /// The next reply; nil at the end.
    func reply() throws -> WorkerReply? {
        while true {
            if let frame = try deframer.next() { return try WorkerReply(frame) }
            guard let received = try receive() else { return nil }
            deframer.append(received)
        }
    }

    private func receive() throws -> [UInt8]? {
        guard let received = try channel.receive(until: SystemTime().now() + 10_000) else { return nil }
        return received.bytes
    }

    /// Replies up to and with the first that `last` accepts.
    func replies(through last: (WorkerReply) -> Bool) throws -> [WorkerReply] {
        var all: [WorkerReply] = []
        while let reply = try reply() {
            all.append(reply)
            if last(reply) { break }
        }
        return all
    }

    /// Closes the helper's half and returns how the session ended.
    func close() -> WorkerError? {
        try? channel.endSending()
        return finished.wait(timeout: .now() + 10) == .success ? outcome.error : .conversation("still running")
    }
}
