// SPDX-License-Identifier: Apache-2.0
// The conversation with the worker over a channel, and the worker's process. When this ends, the worker ends.

import Biometrics
public import Platform
import Wire

/// The helper's end of the conversation with the worker.
public struct WorkerLink: ~Copyable {
    private static let patience: UInt64 = 2000

    private let channel: Channel
    private var child: Child?
    private let time: any TimeSource
    private var deframer = Deframer(limits: WorkerReply.limits)
    private(set) var watch = WorkerWatch()

    /// A worker at the other end of a channel; `child` is its process, where it is one of this process.
    public init(_ channel: consuming Channel, child: consuming Child?, time: any TimeSource) {
        self.channel = channel
        self.child = child
        self.time = time
    }

    var raw: Int32 { channel.raw }

    /// What the worker says next; nil when it has said nothing whole by the deadline.
    ///
    /// - Throws: `evidence` for anything no worker says, `worker` when it ended.
    mutating func receive(until deadline: UInt64) throws(MonitorError) -> WorkerReply? {
        while true {
            if let reply = try decoded() {
                try watch.check(reply, now: time.now())
                return reply
            }
            let received: Channel.Received?
            do throws(PlatformError) {
                received = try channel.receive(until: deadline)
            } catch .timedOut { return nil } catch { throw .evidence(error.description) }
            guard let received = consume received else { throw .worker("it ended\(ending())") }
            guard !received.hasDescriptor else { throw .evidence("a descriptor came along") }
            deframer.append(received.bytes)
        }
    }

    private mutating func decoded() throws(MonitorError) -> WorkerReply? {
        do throws(WireError) {
            guard let frame = try deframer.next() else { return nil }
            return try WorkerReply(frame)
        } catch { throw .evidence(error.description) }
    }

    /// Asks for pictures; from here on they may come.
    ///
    /// Only sessions of the admin command do this.
    mutating func share(_ sharing: PictureSharing) throws(MonitorError) {
        deframer.permit(WorkerReply.sharingLimits)
        try send(.share(sharing))
    }

    mutating func send(_ request: WorkerRequest) throws(MonitorError) {
        watch.sent(request, now: time.now())
        do throws(PlatformError) {
            try channel.send(request.frame.bytes, until: time.now() + WorkerLink.patience)
        } catch { throw .worker("it does not listen: \(error.description)") }
    }

    mutating func send(_ request: WorkerRequest, passing descriptor: borrowing Descriptor) throws(MonitorError) {
        watch.sent(request, now: time.now())
        do throws(PlatformError) {
            try channel.send(request.frame.bytes, passing: descriptor, until: time.now() + WorkerLink.patience)
        } catch { throw .worker("it does not listen: \(error.description)") }
    }

    /// Waits for the greeting.
    mutating func greet(until deadline: UInt64) throws(MonitorError) -> WorkerHello {
        while watch.hello == nil {
            switch try receive(until: deadline) {
            case .none: throw .worker("it did not load the models in time")
            case .trouble(let kind, let detail): throw WorkerLink.fault(kind, detail)
            case .some: continue
            }
        }
        guard let hello = watch.hello else { throw .worker("no greeting") }
        return hello
    }

    /// A trouble before or beside the camera's as a fault.
    static func fault(_ kind: TroubleKind, _ detail: String) -> MonitorError {
        switch kind {
        case .model: .model(path: "models", problem: "cannot be loaded: \(detail)")
        case .sandbox: .sandbox(detail)
        default: .worker(detail)
        }
    }

    /// How the process ended, for the record.
    private mutating func ending() -> String {
        guard let end = try? child?.wait(until: time.now() + 200) else { return "" }
        switch end {
        case .exited(let code): return " with exit code \(code)"
        case .killed(let signal): return " by signal \(signal)"
        case .unknown: return ""
        }
    }
}

/// Starts workers; a protocol so that a test can play one.
public protocol WorkerStarting: Sendable {
    /// Starts a worker with these models.
    func start(_ models: ModelSet, isStrict: Bool, time: any TimeSource) throws(MonitorError) -> WorkerLink
}

/// Starts the installed worker.
public struct InstalledWorker: WorkerStarting {
    private let installation: Installation

    /// The worker of an installation.
    public init(_ installation: Installation) { self.installation = installation }

    /// Starts it: its socket is descriptor 3, runtime and models follow.
    public func start(_ models: ModelSet, isStrict: Bool, time: any TimeSource) throws(MonitorError) -> WorkerLink {
        let program = try open(installation.worker)
        let runtime = try installation.openRuntime()
        let nothing = try system { () throws(PlatformError) in try SafeFile.openNull() }
        var arguments = ["secondlook-vision", "runtime=4"]
        let pair = try system { () throws(PlatformError) in try Channel.makePair() }
        var placements = [
            Child.Placement(nothing.raw, at: 0), .init(nothing.raw, at: 1), .init(nothing.raw, at: 2),
            .init(pair.second.raw, at: 3), .init(runtime.raw, at: 4),
        ]
        for (index, model) in models.models.enumerated() {
            let number = Int32(5 + index)
            arguments.append("\(model.entry.role.rawValue)=\(number)")
            placements.append(.init(model.descriptor.raw, at: number))
        }
        arguments += try identity(isStrict: isStrict)
        let words = arguments
        let places = placements
        let child = try system { () throws(PlatformError) in
            try Child(program: program, arguments: words, placements: places)
        }
        return WorkerLink(pair.takeFirst(), child: child, time: time)
    }

    /// Has a worker write models in the form for this processor into opened files.
    ///
    /// - Throws: `worker` unless it ends well by the deadline.
    func prepare(
        _ models: ModelSet, into targets: [(role: NetworkRole, descriptor: Int32)], until deadline: UInt64
    ) throws(MonitorError) {
        let program = try open(installation.worker)
        let runtime = try installation.openRuntime()
        let nothing = try system { () throws(PlatformError) in try SafeFile.openNull() }
        var words = ["secondlook-vision", "runtime=4"]
        var places = [
            Child.Placement(nothing.raw, at: 0), .init(nothing.raw, at: 1), .init(nothing.raw, at: 2),
            .init(runtime.raw, at: 4),
        ]
        for model in models.models {
            let number = Int32(places.count + 1)
            words.append("\(model.entry.role.rawValue)=\(number)")
            places.append(.init(model.descriptor.raw, at: number))
        }
        for target in targets {
            let number = Int32(places.count + 1)
            words.append("prepared-\(target.role.rawValue)=\(number)")
            places.append(.init(target.descriptor, at: number))
        }
        let (arguments, placements) = (words, places)
        let end = try system { () throws(PlatformError) -> Child.End? in
            var child = try Child(program: program, arguments: arguments, placements: placements)
            return try child.wait(until: deadline)
        }
        guard end == .exited(0) else { throw .worker("it could not prepare the models") }
    }

    /// The user the worker becomes; a missing one is a missing wall.
    private func identity(isStrict: Bool) throws(MonitorError) -> [String] {
        let mode = "sandbox=\(isStrict ? "require" : "best-effort")"
        guard Machine.effectiveUser == 0 else { return [mode] }
        let name = installation.workerUser
        let account = try system { () throws(PlatformError) in try Account.find(name: name) }
        if let account { return ["uid=\(account.user)", "gid=\(account.group)", mode] }
        guard !isStrict else { throw .sandbox("the user '\(name)' does not exist") }
        return [mode]
    }

    private func open(_ path: String) throws(MonitorError) -> Descriptor {
        do throws(PlatformError) { return try SafeFile.open(path, checking: .lastFolder) } catch {
            throw .worker(error.description)
        }
    }
}
