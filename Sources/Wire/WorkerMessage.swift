// SPDX-License-Identifier: Apache-2.0
// What the helper says to the worker and the worker to the helper. The worker's words are an enemy's until they are checked.

public import Biometrics

/// From the helper to the worker.
public enum WorkerRequest: Sendable, Equatable {
    /// Use the camera whose descriptor comes along; rotation in degrees clockwise, deadline for its first frame in milliseconds.
    case camera(role: CameraRole, rotation: UInt16, deadline: UInt32)
    /// Look at the still picture whose descriptor comes along.
    case picture
    /// Start to send frames; with `embedEvery` each usable face gets an embedding in each frame.
    case look(embedEvery: Bool)
    /// Stop and let the cameras go.
    case stop
    /// Hand out pictures as well; said before anything is looked at, by the admin command's sessions only.
    case share(PictureSharing)

    /// The payload limits for a `Deframer` on the worker's side.
    public static let limits: Deframer.Limits = { type in
        switch type {
        case 0x11: 7
        case 0x12, 0x14: 0
        case 0x13: 1
        case 0x15: 5
        default: nil
        }
    }

    /// Reads a frame.
    public init(_ frame: RawFrame) throws(WireError) {
        var reader = ByteReader(frame.payload)
        switch frame.type {
        case 0x11:
            guard let role = CameraRole(rawValue: try reader.byte()) else { throw .range("role") }
            let rotation: UInt16 = try reader.integer()
            guard [0, 90, 180, 270].contains(rotation) else { throw .range("rotation") }
            self = .camera(role: role, rotation: rotation, deadline: try reader.integer())
        case 0x12: self = .picture
        case 0x13:
            let flags = try reader.byte()
            guard flags <= 1 else { throw .range("flags") }
            self = .look(embedEvery: flags == 1)
        case 0x14: self = .stop
        case 0x15: self = .share(try PictureSharing(from: &reader))
        default: throw .type(frame.type)
        }
        try reader.finish()
    }

    /// The frame to send.
    public var frame: RawFrame {
        switch self {
        case .camera(let role, let rotation, let deadline):
            var writer = ByteWriter()
            writer.put(role.rawValue)
            writer.put(rotation)
            writer.put(deadline)
            return RawFrame(type: 0x11, payload: writer.bytes)
        case .picture: return RawFrame(type: 0x12, payload: [])
        case .look(let embedEvery): return RawFrame(type: 0x13, payload: [embedEvery ? 1 : 0])
        case .stop: return RawFrame(type: 0x14, payload: [])
        case .share(let sharing):
            var writer = ByteWriter()
            sharing.write(to: &writer)
            return RawFrame(type: 0x15, payload: writer.bytes)
        }
    }
}

/// What a worker has loaded and which walls stand around it.
public struct WorkerHello: Sendable, Equatable {
    /// The walls, as bits.
    public struct Sandbox: OptionSet, Sendable {
        /// The bits as they travel.
        public let rawValue: UInt8

        /// A set of walls.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// No new privileges can be gained by exec.
        public static let noNewPrivileges = Sandbox(rawValue: 1)
        /// Runs as a user of its own without capabilities.
        public static let otherUser = Sandbox(rawValue: 2)
        /// The system-call filter is installed.
        public static let seccomp = Sandbox(rawValue: 4)
        /// Landlock allows no path.
        public static let landlock = Sandbox(rawValue: 8)
        /// Memory, processes and descriptors are bounded.
        public static let resourceLimits = Sandbox(rawValue: 16)
        /// All of them.
        public static let all = Sandbox(rawValue: 31)
    }

    /// Frames come with the worker, no camera is wanted (`secondlook-replay` only, which is never installed).
    public var bringsFrames: Bool
    /// The passive liveness network is loaded.
    public var hasPassive: Bool
    /// The second opinion is loaded.
    public var hasSecondOpinion: Bool
    /// The walls in force.
    public var sandbox: Sandbox

    /// A greeting.
    public init(bringsFrames: Bool, hasPassive: Bool, hasSecondOpinion: Bool, sandbox: Sandbox) {
        self.bringsFrames = bringsFrames
        self.hasPassive = hasPassive
        self.hasSecondOpinion = hasSecondOpinion
        self.sandbox = sandbox
    }
}

/// Why the worker cannot go on.
public enum TroubleKind: UInt8, Sendable, Equatable, CaseIterable {
    /// Another program has the camera.
    case busy = 1
    /// The camera was unplugged.
    case gone = 2
    /// It offers no format that can be decoded.
    case noFormat = 3
    /// It did not deliver in time.
    case timedOut = 4
    /// Any other fault of the camera.
    case failed = 5
    /// A still picture could not be decoded.
    case pictureUnreadable = 6
    /// A still picture or a frame beyond the limit of its sides.
    case pictureTooLarge = 7
    /// A network could not be loaded or run.
    case model = 8
    /// A wall could not be built.
    case sandbox = 9
}

/// From the worker to the helper.
public enum WorkerReply: Sendable, Equatable {
    /// Everything is loaded and the walls stand.
    case hello(WorkerHello)
    /// A camera streams: its role, size, four-character code and frames a second times ten.
    case started(role: CameraRole, width: UInt16, height: UInt16, format: UInt32, tenthsOfRate: UInt16)
    /// The evidence of one frame.
    case frame(FrameEvidence)
    /// It cannot go on.
    case trouble(TroubleKind, detail: String)
    /// No more frames will come.
    case end
    /// Some rows of a picture that was asked for by `share`; it belongs to the next frame.
    case pixels(PictureRows)

    /// The payload limits for a `Deframer` on the helper's side; pictures are no type that a login knows.
    public static let limits: Deframer.Limits = { type in
        switch type {
        case 0x91: 2
        case 0x92: 11
        case 0x93: FrameEvidence.longestEncoding
        case 0x94: 515
        case 0x95: 0
        default: nil
        }
    }

    /// The same for a session that has asked for pictures.
    public static let sharingLimits: Deframer.Limits = { type in
        type == 0x96 ? PictureRows.headerLength + PictureRows.mostBytes : limits(type)
    }

    /// Reads a frame; every number is checked against its range.
    public init(_ frame: RawFrame) throws(WireError) {
        var reader = ByteReader(frame.payload)
        switch frame.type {
        case 0x91: self = .hello(try WorkerReply.hello(&reader))
        case 0x92: self = try WorkerReply.started(&reader)
        case 0x93: self = .frame(try FrameEvidence(from: &reader))
        case 0x94:
            guard let kind = TroubleKind(rawValue: try reader.byte()) else { throw .range("kind") }
            self = .trouble(kind, detail: try reader.text(limit: 512))
        case 0x95: self = .end
        case 0x96: self = .pixels(try PictureRows(from: &reader))
        default: throw .type(frame.type)
        }
        try reader.finish()
    }

    /// The frame to send.
    public var frame: RawFrame {
        var writer = ByteWriter()
        switch self {
        case .hello(let hello):
            let flags: [Bool] = [hello.bringsFrames, hello.hasPassive, hello.hasSecondOpinion]
            writer.put(flags.enumerated().reduce(UInt8(0)) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) })
            writer.put(hello.sandbox.rawValue)
            return RawFrame(type: 0x91, payload: writer.bytes)
        case .started(let role, let width, let height, let format, let tenthsOfRate):
            writer.put(role.rawValue)
            writer.put(width)
            writer.put(height)
            writer.put(format)
            writer.put(tenthsOfRate)
            return RawFrame(type: 0x92, payload: writer.bytes)
        case .frame(let evidence):
            evidence.write(to: &writer)
            return RawFrame(type: 0x93, payload: writer.bytes)
        case .trouble(let kind, let detail):
            writer.put(kind.rawValue)
            writer.put(text: detail, limit: 512)
            return RawFrame(type: 0x94, payload: writer.bytes)
        case .end: return RawFrame(type: 0x95, payload: [])
        case .pixels(let rows):
            rows.write(to: &writer)
            return RawFrame(type: 0x96, payload: writer.bytes)
        }
    }

    private static func hello(_ reader: inout ByteReader) throws(WireError) -> WorkerHello {
        let flags = try reader.byte()
        let walls = try reader.byte()
        guard flags < 8 else { throw .range("flags") }
        guard walls < 32 else { throw .range("sandbox") }
        return WorkerHello(
            bringsFrames: flags & 1 != 0, hasPassive: flags & 2 != 0, hasSecondOpinion: flags & 4 != 0,
            sandbox: .init(rawValue: walls))
    }

    private static func started(_ reader: inout ByteReader) throws(WireError) -> WorkerReply {
        guard let role = CameraRole(rawValue: try reader.byte()) else { throw .range("role") }
        let width: UInt16 = try reader.integer()
        let height: UInt16 = try reader.integer()
        guard (1...Frame.largestSide).contains(Int(width)), (1...Frame.largestSide).contains(Int(height)) else {
            throw .range("size")
        }
        return .started(
            role: role, width: width, height: height, format: try reader.integer(), tenthsOfRate: try reader.integer())
    }
}
