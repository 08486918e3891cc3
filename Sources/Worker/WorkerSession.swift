// SPDX-License-Identifier: Apache-2.0
// The worker's conversation: requests in, evidence out, one frame at a time. It ends when the helper's end of the socket closes. It decides nothing
// about a person, and after its first word it holds no descriptor but the socket and the cameras.

import Biometrics
import Capture
public import Platform
import Vision
import Wire

/// One worker's life after its walls stand.
public struct WorkerSession: ~Copyable {
    /// A camera that streams.
    private struct Eye {
        let role: CameraRole
        var source: any FrameSource
        var warmUp: WarmUp
        var rate = LookRate()
        var deadline: UInt64
    }

    /// A camera that has delivered is given so long for its next frame, in milliseconds.
    static let stall: UInt64 = 3_000
    /// How long one wait for a frame lasts before the socket is looked at again.
    static let slice: UInt64 = 25
    /// How long the helper may leave the answers unread.
    static let sending: UInt64 = 2_000
    /// A colour and an infrared camera.
    static let mostCameras = 2
    /// Pictures that wait for `look`.
    static let mostPictures = 16
    /// Bytes of a picture file.
    static let mostPictureBytes = 32 << 20

    private let channel: Channel
    private let clock: any TimeSource
    private var looker: any Looker
    private var cameras: any CameraOpening
    private var deframer = Deframer(limits: WorkerRequest.limits)
    private var passed: [PassedDescriptor] = []
    private var eyes: [Eye] = []
    private var pictures: [Frame] = []
    /// Whether still pictures were sent; then frames of its own are not wanted.
    private var takesPictures = false
    private var isLooking = false
    private var embedEvery = false
    private var sequence: UInt32 = 0
    /// Nil in a login: then no pixel leaves this process.
    private var sharing: PictureSharing?
    /// When the latest view of each camera was taken.
    private var viewed: [CameraRole: UInt64] = [:]

    /// A session over a connected socket.
    public init(
        channel: consuming Channel, clock: any TimeSource, looker: any Looker, cameras: any CameraOpening
    ) {
        self.channel = channel
        self.clock = clock
        self.looker = looker
        self.cameras = cameras
    }

    /// Says hello with the walls in force, then answers until the helper closes the socket.
    public mutating func run(layers: Sandbox.Layers) throws(WorkerError) {
        try send(
            .hello(
                WorkerHello(
                    bringsFrames: cameras.bringsFrames, hasPassive: looker.hasPassive,
                    hasSecondOpinion: looker.hasSecondOpinion, sandbox: .init(rawValue: layers.rawValue))))
        while try listen() {
            // A trouble with one camera closes both.
            for index in eyes.indices.reversed() where eyes.indices.contains(index) { try lookOut(of: index) }
        }
    }

    /// Handles what the helper says; waits only when no camera streams.
    ///
    /// False at the end of the conversation.
    private mutating func listen() throws(WorkerError) -> Bool {
        do throws(PlatformError) {
            if !eyes.isEmpty, try Readiness.wait(toRead: [channel.raw], until: 0).isEmpty { return true }
            guard var received = try channel.receive(until: .max) else { return false }
            if let descriptor = received.takeDescriptor() { passed.append(PassedDescriptor(descriptor)) }
            deframer.append(received.bytes)
        } catch {
            throw .conversation(error.description)
        }
        while let request = try nextRequest() { try handle(request) }
        return true
    }

    private mutating func nextRequest() throws(WorkerError) -> WorkerRequest? {
        do throws(WireError) {
            guard let frame = try deframer.next() else { return nil }
            return try WorkerRequest(frame)
        } catch {
            throw .conversation(error.description)
        }
    }

    private mutating func handle(_ request: WorkerRequest) throws(WorkerError) {
        switch request {
        case .camera(let role, let rotation, let deadline):
            try open(try passedDescriptor(), role: role, rotation: rotation, deadline: deadline)
        case .picture:
            takesPictures = true
            try read(try passedDescriptor())
        case .look(let every):
            isLooking = true
            embedEvery = every
            try openOwnFrames()
            try lookAtPictures()
        case .stop:
            eyes = []
            pictures = []
            isLooking = false
            try send(.end)
        case .share(let wanted):
            guard sharing == nil, sequence == 0, !isLooking, !takesPictures, eyes.isEmpty else {
                throw .conversation("too late to ask for pictures")
            }
            sharing = wanted
            looker.keepsFaces = wanted.faces
        }
    }

    private mutating func passedDescriptor() throws(WorkerError) -> Descriptor {
        guard !passed.isEmpty, let descriptor = passed.removeFirst().take() else {
            throw .conversation("a descriptor was announced and did not come")
        }
        return descriptor
    }
}

extension WorkerSession {
    private mutating func open(
        _ descriptor: consuming Descriptor, role: CameraRole, rotation: UInt16, deadline: UInt32
    ) throws(WorkerError) {
        guard !cameras.bringsFrames, eyes.count < WorkerSession.mostCameras else {
            throw .conversation("a camera too many")
        }
        let opened: OpenedCamera
        do {
            opened = try cameras.open(descriptor, role: role, rotation: rotation)
        } catch {
            return try report(error)
        }
        try start(opened, role: role, deadline: clock.now() + UInt64(deadline))
    }

    private mutating func openOwnFrames() throws(WorkerError) {
        guard cameras.bringsFrames, eyes.isEmpty, !takesPictures else { return }
        let opened: OpenedCamera?
        let infrared: OpenedCamera?
        do {
            opened = try cameras.ownFrames()
            infrared = try cameras.ownInfraredFrames()
        } catch {
            return try report(error)
        }
        if let opened { try start(opened, role: .colour, deadline: clock.now() + WorkerSession.stall) }
        if let infrared { try start(infrared, role: .infrared, deadline: clock.now() + WorkerSession.stall) }
    }

    private mutating func start(_ opened: OpenedCamera, role: CameraRole, deadline: UInt64) throws(WorkerError) {
        eyes.append(Eye(role: role, source: opened.source, warmUp: WarmUp(role: role), deadline: deadline))
        try send(
            .started(
                role: role, width: UInt16(clamping: opened.width), height: UInt16(clamping: opened.height),
                format: opened.code, tenthsOfRate: UInt16(clamping: opened.rate)))
    }

    /// Waits a moment for the next frame of a camera and tells what is in it.
    ///
    /// Frames that come before `look` are let go: they warm the camera up.
    private mutating func lookOut(of index: Int) throws(WorkerError) {
        let frame: Frame?
        do {
            frame = try eyes[index].source.next(until: clock.now() + WorkerSession.slice)
        } catch CaptureError.timedOut where clock.now() < eyes[index].deadline {
            return
        } catch {
            eyes = []
            return try report(error)
        }
        guard let frame else {
            eyes.remove(at: index)
            if eyes.isEmpty { try send(.end) }
            return
        }
        eyes[index].deadline = clock.now() + WorkerSession.stall
        guard eyes[index].warmUp.admits(frame), isLooking, eyes[index].rate.admits(frame.timestamp, now: clock.now())
        else { return }
        // Which frames of a strobed infrared camera are lit shows only in their order: all of them are taken.
        if eyes[index].role == .colour, let due = eyes[index].rate.due { eyes[index].source.skip(before: due) }
        try look(at: frame, role: eyes[index].role)
    }

    private mutating func look(at frame: Frame, role: CameraRole) throws(WorkerError) {
        let evidence: FrameEvidence
        do {
            evidence = try looker.look(at: frame, sequence: sequence, role: role, embedEvery: embedEvery)
        } catch {
            try send(.trouble(.model, detail: "\(error)"))
            throw .model("\(error)")
        }
        try share(frame, role)
        sequence += 1
        try send(.frame(evidence))
    }

    /// The pictures of a frame, where they were asked for; they go before its evidence.
    private mutating func share(_ frame: Frame, _ role: CameraRole) throws(WorkerError) {
        guard let sharing else { return }
        var pictures = sharing.faces ? looker.faces : []
        let isDue = viewed[role].map { frame.timestamp >= $0 + UInt64(sharing.interval) } ?? true
        if sharing.views, isDue, let view = SharedPicture(view: frame, side: Int(sharing.side)) {
            viewed[role] = frame.timestamp
            pictures.append(view)
        }
        for picture in pictures {
            for rows in PictureRows.pieces(of: picture, sequence: sequence) { try send(.pixels(rows)) }
        }
    }
}

extension WorkerSession {
    /// Decodes a still picture; what cannot be read is a trouble, and the next picture may follow.
    private mutating func read(_ descriptor: consuming Descriptor) throws(WorkerError) {
        guard pictures.count < WorkerSession.mostPictures else { throw .conversation("a picture too many") }
        do {
            let bytes = try SafeFile.read(descriptor, limit: WorkerSession.mostPictureBytes, path: "picture")
            pictures.append(try Picture.decode(bytes, timestamp: clock.now()))
        } catch {
            return try report(error)
        }
        try lookAtPictures()
    }

    /// Each picture is a scene of its own: whoever is in it is looked at as thoroughly as can be.
    private mutating func lookAtPictures() throws(WorkerError) {
        guard isLooking, !pictures.isEmpty else { return }
        let waiting = pictures
        pictures = []
        for picture in waiting { try look(at: picture, role: .colour) }
        if eyes.isEmpty { try send(.end) }
    }

    private func report(_ error: any Error) throws(WorkerError) {
        let (kind, detail) = Trouble.describe(error)
        try send(.trouble(kind, detail: detail))
    }

    private func send(_ reply: WorkerReply) throws(WorkerError) {
        do throws(PlatformError) {
            try channel.send(reply.frame.bytes, until: clock.now() + WorkerSession.sending)
        } catch {
            throw .conversation(error.description)
        }
    }
}
