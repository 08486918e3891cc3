// SPDX-License-Identifier: Apache-2.0
// From the helper's descriptor to a source of frames: the real one, and the seam where tests put another.

public import Biometrics
import Capture
public import Platform

/// A source of frames and what is announced of it.
public struct OpenedCamera {
    /// Delivers the frames.
    public var source: any FrameSource
    /// Width of the frames.
    public var width: Int
    /// Height of the frames.
    public var height: Int
    /// Four-character code of what the camera delivers.
    public var code: UInt32
    /// Tenths of frames a second, 0 when unknown.
    public var rate: Int

    /// An opened camera.
    public init(source: any FrameSource, width: Int, height: Int, code: UInt32, rate: Int) {
        self.source = source
        self.width = width
        self.height = height
        self.code = code
        self.rate = rate
    }
}

/// Opens cameras, or has frames of its own.
public protocol CameraOpening {
    /// Frames that come with the worker: then no camera is wanted. Called at the first `look`.
    mutating func ownFrames() throws -> OpenedCamera?
    /// The same of an infrared camera beside it; none by default.
    mutating func ownInfraredFrames() throws -> OpenedCamera?
    /// Whether `ownFrames` has some.
    var bringsFrames: Bool { get }
    /// Starts the camera behind a descriptor.
    mutating func open(_ descriptor: consuming Descriptor, role: CameraRole, rotation: UInt16) throws -> OpenedCamera
}

extension CameraOpening {
    /// None.
    public mutating func ownInfraredFrames() throws -> OpenedCamera? { nil }
}

/// Video4Linux cameras.
public struct KernelCameras: CameraOpening {
    private let clock: any TimeSource

    /// Cameras whose frames get their time from `clock` when the driver gives none.
    public init(clock: any TimeSource) { self.clock = clock }

    /// None.
    public func ownFrames() -> OpenedCamera? { nil }
    /// False: the installed worker has no frames but a camera's.
    public var bringsFrames: Bool { false }

    /// Negotiates a format and starts the stream.
    public func open(
        _ descriptor: consuming Descriptor, role: CameraRole, rotation: UInt16
    ) throws -> OpenedCamera {
        let camera = try Camera(
            KernelVideoDevice(descriptor), role: role, rotation: Rotation(rawValue: rotation) ?? .none, clock: clock)
        let stream = camera.stream
        return OpenedCamera(
            source: camera, width: stream.width, height: stream.height, code: stream.code, rate: stream.rate)
    }
}
