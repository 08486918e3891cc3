// SPDX-License-Identifier: Apache-2.0
// A whole installation in a temporary folder, with a worker, a module, accounts and passwords that a test plays.

import Biometrics
import Credentials
import Dispatch
import Platform
import Policy
import TemplateStore
import TestSupport
import Wire

@testable import Monitor

/// Plays a worker at the other end of a channel.
struct Stage: ~Copyable {
    private let channel: Channel
    private var deframer = Deframer(limits: WorkerRequest.limits)
    private(set) var requests: [WorkerRequest] = []
    private(set) var descriptors = 0
    var sequence: UInt32 = 0

    init(_ channel: consuming Channel) { self.channel = channel }

    func say(_ reply: WorkerReply) { say(raw: reply.frame.bytes) }

    func say(raw bytes: [UInt8]) { try? channel.send(bytes, until: SystemTime().now() + 2000) }

    func sayWithDescriptor(_ reply: WorkerReply) {
        guard let null = try? SafeFile.openNull() else { return }
        try? channel.send(reply.frame.bytes, passing: null, until: SystemTime().now() + 2000)
    }

    /// Listens until `look` comes or the helper leaves; false when it left.
    mutating func awaitLook() -> Bool {
        let deadline = SystemTime().now() + 10_000
        while true {
            while let frame = try? deframer.next() {
                guard let request = try? WorkerRequest(frame) else { return false }
                requests.append(request)
                if case .look = request { return true }
            }
            guard let some = try? channel.receive(until: deadline) else { return false }
            if some.hasDescriptor { descriptors += 1 }
            deframer.append(some.bytes)
        }
    }

    /// Waits for the helper to leave.
    func awaitEnd() {
        while let received = try? channel.receive(until: SystemTime().now() + 10_000) { _ = received.hasDescriptor }
    }

    /// Sends a frame with these faces, taken now.
    mutating func frame(
        _ faces: [FaceEvidence], brightness: Float = 120, change: (inout FrameEvidence) -> Void = { _ in }
    ) {
        var evidence = FrameEvidence(
            sequence: sequence, timestamp: SystemTime().now(), width: 640, height: 480, brightness: brightness,
            contrast: 40, fingerprint: UInt64(sequence) &* 0x9E37_79B9_7F4A_7C15, faces: faces)
        change(&evidence)
        sequence += 1
        say(.frame(evidence))
    }

    /// So many frames of a face, one every 60 ms.
    mutating func frames(_ count: Int, _ face: FaceEvidence?) {
        for _ in 0..<count {
            var moved = face
            if var some = moved {
                some.motion = Motion(
                    face: Point(sequence.isMultiple(of: 2) ? 2 : -2, 0), surround: Point(0, 0), faceChange: 3,
                    surroundChange: 1)
                moved = some
            }
            frame(moved.map { [$0] } ?? [])
            try? Readiness.pause(until: SystemTime().now() + 60)
        }
    }
}

/// Starts a thread that plays the worker.
struct ScriptedWorkers: WorkerStarting {
    typealias Script = @Sendable (inout Stage) -> Void
    let script: Script

    init(_ script: @escaping Script) { self.script = script }

    func start(_ models: ModelSet, isStrict: Bool, time: any TimeSource) throws(MonitorError) -> WorkerLink {
        let pair: ChannelPair
        do throws(PlatformError) { pair = try Channel.makePair() } catch { throw .system(error) }
        let far = pair.second.rawDuplicate()
        let script = script
        DispatchQueue.global().async {
            var stage = Stage(Channel(Descriptor(owning: far)))
            script(&stage)
            stage.awaitEnd()
        }
        return WorkerLink(pair.takeFirst(), child: nil, time: time)
    }
}

extension Channel {
    func rawDuplicate() -> Int32 { dup(raw) }
}

/// Fails whenever a worker is started.
struct NoWorkers: WorkerStarting {
    func start(_ models: ModelSet, isStrict: Bool, time: any TimeSource) throws(MonitorError) -> WorkerLink {
        throw .worker("cannot start")
    }
}

/// Starts no worker before it may, and then takes a while, like models on a slow disk.
struct HeldWorkers: WorkerStarting {
    private let workers: any WorkerStarting
    private let pause: UInt64
    private let gate = DispatchSemaphore(value: 0)

    init(_ script: @escaping ScriptedWorkers.Script, pause: UInt64 = 0) {
        workers = ScriptedWorkers(script)
        self.pause = pause
    }

    func release() { gate.signal() }

    func start(_ models: ModelSet, isStrict: Bool, time: any TimeSource) throws(MonitorError) -> WorkerLink {
        guard gate.wait(timeout: .now() + 10) == .success else { throw .worker("was held for too long") }
        try? Readiness.pause(until: time.now() + pause)
        return try workers.start(models, isStrict: isStrict, time: time)
    }
}

struct FixedPasswords: PasswordChecking {
    var password = "right"
    var outcome = PasswordOutcome.right

    func check(
        _ typed: borrowing SecretBytes, of user: String, at time: Int64
    ) throws(CredentialsError) -> PasswordOutcome {
        let bytes = unsafe typed.withBytes { unsafe Array($0) }
        return bytes == Array(password.utf8) ? outcome : .wrong
    }
}

struct NoPasswords: PasswordChecking {
    func check(_: borrowing SecretBytes, of _: String, at _: Int64) throws(CredentialsError) -> PasswordOutcome {
        throw .shadow(code: 5)
    }
}

struct FixedRemoteness: RemoteChecking {
    var words: String?
    var isCertain = true
    func remoteness(of request: BeginRequest, caller process: Int32) -> Remoteness? {
        words.map { Remoteness($0, isCertain: isCertain) }
    }
}

/// Gives a descriptor of /dev/null for a camera, or a fault.
struct FixedCameras: CameraOpening {
    var fault: CameraFault?

    func open(_ settings: Settings) throws(CameraFault) -> OpenCamera {
        if let fault { throw fault }
        do throws(PlatformError) {
            return OpenCamera(role: .colour, name: "test", descriptor: try SafeFile.openNull())
        } catch { throw CameraFault(.cameraFailed, error.description) }
    }
}

/// What the module saw of an attempt.
struct Attempted {
    var verdictByte: UInt8?
    var notices: [String] = []
    var prompts: [String] = []
    var wasAskedForSecret = false
    var wasEndedInOrder = false
    var report: LoginReport
}

func dup(_ number: Int32) -> Int32 {
    (try? Descriptor.duplicateNumber(number)) ?? -1
}

extension Descriptor {
    /// A copy of a number that someone else owns.
    static func duplicateNumber(_ number: Int32) throws(PlatformError) -> Int32 {
        let borrowed = Descriptor(owning: number)
        let copy: Int32
        do throws(PlatformError) { copy = try borrowed.duplicate().take() } catch {
            _ = borrowed.take()
            throw error
        }
        _ = borrowed.take()
        return copy
    }
}
