// SPDX-License-Identifier: Apache-2.0
// The worker is an enemy that may have been taken over by a camera. The codec has checked every number against its range; this checks
// what needs memory: what may come when, in which order, how much, and whether time runs forward.

import Biometrics
public import Wire

/// Where the conversation with the worker stands.
public enum WorkerState: Equatable, Sendable, CaseIterable {
    /// Started; it loads the models.
    case loading
    /// It said `hello`.
    case idle
    /// A camera or a picture was passed, but `look` not said.
    case prepared
    /// `look` was said: frames may come.
    case looking
    /// It said that something is broken, or broke a rule itself.
    case over
}

/// The worker's side of the conversation.
public struct WorkerWatch: Sendable {
    /// The most frames a second of any camera, and of any worker that brings its own.
    static let mostFramesASecond = 150
    /// How far a frame's time may lie ahead of the helper's clock, in milliseconds: none, but for rounding.
    static let ahead: UInt64 = 50
    /// How old a frame may be when it arrives, in milliseconds.
    static let oldest: UInt64 = 15_000

    /// How long before `look` a frame may have been exposed, in milliseconds.
    static let exposed: UInt64 = 250

    /// Where the conversation stands.
    public private(set) var state = WorkerState.loading
    /// What the worker said of itself.
    public private(set) var hello: WorkerHello?
    /// Pictures, where this session has asked for some.
    private(set) var gallery: PictureGallery?
    private var cameras: Set<CameraRole> = []
    private var lookedAt: UInt64 = 0
    private var started: [CameraRole: Size] = [:]
    private var nextSequence: UInt32 = 0
    private var latest: [CameraRole: UInt64] = [:]
    private var second: UInt64 = 0
    private var framesThisSecond = 0
    private var tracks: [UInt32: UInt32] = [:]

    private struct Size: Equatable {
        var width: UInt16
        var height: UInt16
    }

    /// A worker that was just started.
    public init() {}

    /// Notes what the helper said to the worker, and when.
    public mutating func sent(_ request: WorkerRequest, now: UInt64) {
        guard state != .over, state != .loading else { return }
        switch request {
        case .camera(let role, _, _):
            cameras.insert(role)
            if state == .idle { state = .prepared }
        case .picture: if state == .idle { state = .prepared }
        case .look:
            if state != .looking { lookedAt = now }
            state = .looking
        case .stop: state = .idle
        case .share(let sharing): gallery = PictureGallery(sharing)
        }
    }

    /// Checks a message; one that does not belong here ends everything with `evidence`.
    public mutating func check(_ reply: WorkerReply, now: UInt64) throws(MonitorError) {
        do throws(MonitorError) { try admit(reply, now) } catch {
            state = .over
            throw error
        }
    }

    private mutating func admit(_ reply: WorkerReply, _ now: UInt64) throws(MonitorError) {
        switch (reply, state) {
        case (_, .over): throw .evidence("a message after the end")
        case (.hello(let greeting), .loading):
            hello = greeting
            state = .idle
        case (.hello, _): throw .evidence("a second greeting")
        // A picture that cannot be read does not end the conversation; anything else does, also before the greeting.
        case (.trouble(.pictureUnreadable, _), .prepared), (.trouble(.pictureUnreadable, _), .looking),
            (.trouble(.pictureTooLarge, _), .prepared), (.trouble(.pictureTooLarge, _), .looking):
            break
        case (.trouble, _): state = .over
        case (_, .loading): throw .evidence("a message before the greeting")
        // No more frames of what was passed; the helper may pass something else.
        case (.end, _): state = .idle
        case (.started(let role, let width, let height, _, _), .prepared),
            (.started(let role, let width, let height, _, _), .looking):
            try start(role, Size(width: width, height: height))
        case (.started, .idle): throw .evidence("a camera started that was not passed")
        case (.frame(let frame), .looking): try admit(frame, now)
        case (.frame, _): throw .evidence("a frame before it was asked to look")
        case (.pixels(let rows), .looking):
            guard gallery != nil else { throw .evidence("a picture that nobody asked for") }
            try gallery?.add(rows, to: nextSequence)
        case (.pixels, _): throw .evidence("a picture before it was asked to look")
        }
    }

    private mutating func start(_ role: CameraRole, _ size: Size) throws(MonitorError) {
        guard cameras.contains(role) || hello?.bringsFrames == true else {
            throw .evidence("a camera started that was not passed")
        }
        guard started[role] == nil else { throw .evidence("a camera started twice") }
        started[role] = size
    }

    private mutating func admit(_ frame: FrameEvidence, _ now: UInt64) throws(MonitorError) {
        if cameras.contains(frame.role) || hello?.bringsFrames == true {
            if cameras.contains(frame.role), started[frame.role] == nil {
                throw .evidence("a frame before its camera started")
            }
        } else if !cameras.isEmpty {
            throw .evidence("a frame of a camera that was not passed")
        }
        guard frame.sequence == nextSequence else {
            throw .evidence("frame \(frame.sequence) in place of \(nextSequence)")
        }
        nextSequence &+= 1
        try admitTime(frame, now)
        // A turned camera gives its sides the other way round.
        if let size = started[frame.role], size != Size(width: frame.width, height: frame.height),
            size != Size(width: frame.height, height: frame.width)
        {
            throw .evidence("a frame of another size than its camera's")
        }
        try admitFaces(frame)
        try gallery?.close(frame)
    }

    private mutating func admitTime(_ frame: FrameEvidence, _ now: UInt64) throws(MonitorError) {
        guard frame.timestamp <= now + WorkerWatch.ahead else { throw .evidence("a frame from the future") }
        guard frame.timestamp + WorkerWatch.oldest >= now else { throw .evidence("a frame from the past") }
        guard frame.timestamp + WorkerWatch.exposed >= lookedAt else {
            throw .evidence("a frame from before it was asked to look")
        }
        if let before = latest[frame.role], frame.timestamp < before { throw .evidence("a clock that runs backwards") }
        latest[frame.role] = frame.timestamp
        if now / 1000 != second {
            second = now / 1000
            framesThisSecond = 0
        }
        framesThisSecond += 1
        guard framesThisSecond <= WorkerWatch.mostFramesASecond else {
            throw .evidence("more frames than any camera takes")
        }
    }

    /// A track's number is that of one face: not twice in a frame, and not again after it was missing.
    private mutating func admitFaces(_ frame: FrameEvidence) throws(MonitorError) {
        let numbers = frame.faces.map(\.track)
        guard Set(numbers).count == numbers.count else { throw .evidence("two faces of one track") }
        for number in numbers {
            if let last = tracks[number], frame.sequence &- last > WorkerWatch.longestGap {
                throw .evidence("a track that had ended")
            }
            tracks[number] = frame.sequence
        }
        if tracks.count > 4096 { tracks = tracks.filter { frame.sequence &- $0.value <= WorkerWatch.longestGap } }
    }

    /// Frames after which a face that was not seen has lost its track.
    static let longestGap: UInt32 = 250
}
