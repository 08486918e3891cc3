// SPDX-License-Identifier: Apache-2.0
// The worker from start to end: load, shut in, talk. Nothing of a camera is touched before the walls stand.

import Biometrics
public import Platform
public import Vision
import Wire

/// The program that sees.
public enum Worker {
    /// Exit codes; the helper needs none of them, a person who starts the worker by hand does.
    public enum Exit {
        /// The helper closed the conversation.
        public static let done: UInt8 = 0
        /// A fault, told to the helper before.
        public static let fault: UInt8 = 1
        /// Wrong command line.
        public static let usage: UInt8 = 2
    }

    /// Makes the source of frames once the detector is loaded and before the walls stand.
    public typealias CameraFactory = (_ detector: any InferenceEngine) throws -> any CameraOpening

    /// Runs a worker on descriptor 3.
    ///
    /// - Parameters:
    ///   - words: the command line without the program's name.
    ///   - clock: the time.
    ///   - factory: what opens cameras; only `secondlook-replay` gives another than `KernelCameras`.
    ///   - inside: runs once the walls stand, before the first word; for the escape tests of `secondlook-replay`.
    /// - Returns: the exit code.
    public static func run(
        _ words: [String], clock: any TimeSource = SystemTime(), factory: CameraFactory? = nil,
        inside: () -> Void = {}
    ) -> UInt8 {
        do throws(PlatformError) {
            try OwnProcess.harden()
        } catch {
            return Exit.fault
        }
        guard let arguments = try? WorkerArguments(words) else { return Exit.usage }
        if !arguments.prepared.isEmpty { return prepareFiles(arguments) }
        let channel = Channel(Descriptor(owning: WorkerArguments.socket))
        guard (try? channel.isLocalStream()) == true else { return Exit.usage }
        let prepared: Prepared
        do throws(WorkerError) {
            prepared = try prepare(arguments, clock: clock, factory: factory)
        } catch {
            return tell(error, over: channel, clock: clock)
        }
        inside()
        var session = WorkerSession(
            channel: channel, clock: clock, looker: prepared.looker, cameras: prepared.cameras)
        do throws(WorkerError) {
            try session.run(layers: prepared.layers)
            return Exit.done
        } catch {
            return Exit.fault
        }
    }

    /// Writes the models as this processor wants them, for `secondlook models prepare`.
    ///
    /// Like loading, this is done before the walls stand: of what it reads, the hashes are known.
    private static func prepareFiles(_ arguments: WorkerArguments) -> UInt8 {
        do throws(VisionError) {
            let runtime = try InferenceRuntime(descriptor: arguments.runtime)
            for role in ModelRole.allCases {
                guard let target = arguments.prepared[role], let source = arguments.models[role] else { continue }
                try runtime.prepare(role, .descriptor(source), into: "/proc/self/fd/\(target)")
            }
            return Exit.done
        } catch {
            return Exit.fault
        }
    }

    /// What a login's networks and frames take of the heap, in bytes.
    private static let heap = 24 << 20

    private struct Prepared {
        let looker: any Looker
        let cameras: any CameraOpening
        let layers: Sandbox.Layers
    }

    /// Loads everything, then builds the walls.
    private static func prepare(
        _ arguments: WorkerArguments, clock: any TimeSource, factory: CameraFactory?
    ) throws(WorkerError) -> Prepared {
        OwnProcess.widenHeap(bytes: heap)
        let (engines, observer) = try OwnProcess.withLeanHeap { () throws(WorkerError) in try load(arguments) }
        var cameras: any CameraOpening = KernelCameras(clock: clock)
        if let factory, let detector = engines[.detector] {
            do { cameras = try factory(detector) } catch { throw .usage("\(error)") }
        }
        let account = arguments.user.flatMap { user in arguments.group.map { (user: user, group: $0) } }
        do throws(PlatformError) {
            let layers = try Sandbox.enter(Sandbox.Plan(account: account, strictness: arguments.strictness))
            return Prepared(looker: NetworkLooker(observer), cameras: cameras, layers: layers)
        } catch {
            throw .sandbox(error.description)
        }
    }

    private static func load(
        _ arguments: WorkerArguments
    ) throws(WorkerError) -> ([ModelRole: OnnxEngine], Observer) {
        // The descriptors are closed when this returns, whatever happens: nothing stays open behind the walls.
        let roles = ModelRole.allCases.filter { arguments.models[$0] != nil }
        let owned = ([arguments.runtime] + roles.compactMap { arguments.models[$0] }).map { number in
            PassedDescriptor(Descriptor(owning: number))
        }
        defer { withExtendedLifetime(owned) {} }
        do throws(VisionError) {
            let runtime = try InferenceRuntime(descriptor: arguments.runtime)
            let sources = roles.compactMap { role in
                arguments.models[role].map { (role: role, source: ModelSource.descriptor($0)) }
            }
            let loaded = try runtime.load(sources)
            let engines = Dictionary(uniqueKeysWithValues: zip(roles, loaded))
            guard let detector = engines[.detector], let recogniser = engines[.recogniser] else {
                throw .modelUnreadable(.detector, "not given")
            }
            let observer = try Observer(
                detector: detector, recogniser: recogniser, liveness: engines[.liveness],
                secondOpinion: engines[.secondOpinion])
            return (engines, observer)
        } catch {
            throw .model(error.description)
        }
    }

    /// The last word of a worker that could not begin.
    private static func tell(_ error: WorkerError, over channel: borrowing Channel, clock: any TimeSource) -> UInt8 {
        let kind: TroubleKind =
            switch error {
            case .sandbox: .sandbox
            case .model: .model
            case .usage, .conversation: .failed
            }
        let reply = WorkerReply.trouble(kind, detail: Trouble.line(error.description))
        try? channel.send(reply.frame.bytes, until: clock.now() + WorkerSession.sending)
        return Exit.fault
    }
}
