// SPDX-License-Identifier: Apache-2.0
// A worker at work for an administrator: for enrolment, `verify` and `doctor`. The same worker, models, proofs and walls as in a login, without a
// password and without a verdict.

public import Biometrics
import Platform
public import Policy
import TemplateStore
public import Wire

/// A started worker whose models are proven and whose walls stand.
public struct Sighting: ~Copyable {
    /// What the worker said of itself.
    public let hello: WorkerHello
    /// The models it loaded.
    public let models: ModelSet
    /// The camera in use, by its stable name; nil before `openCamera` and for pictures.
    public private(set) var camera: String?
    private let environment: LoginEnvironment
    private let settings: Settings
    private var link: WorkerLink
    private var turn: Turn?

    /// Starts a worker and waits for it.
    ///
    /// - Throws: `model`, `manifest`, `sandbox`, `worker`.
    public init(_ environment: LoginEnvironment, settings: Settings) throws(MonitorError) {
        let models = try ModelSet(environment.installation, preferringPrepared: true)
        var link = try environment.workers.start(
            models, isStrict: settings.sandbox == .require, time: environment.time)
        var proof = ModelProof(models)
        try proof.finish()
        let hello = try link.greet(until: environment.time.now() + 20_000)
        if settings.sandbox == .require, hello.sandbox != .all { throw .sandbox("the worker lacks a wall") }
        self.hello = hello
        self.models = models
        self.environment = environment
        self.settings = settings
        self.link = link
    }

    /// Readable when the worker may have said something.
    var raw: Int32 { link.raw }

    /// Asks the worker for pictures, before anything is looked at; a login never does.
    public mutating func share(_ sharing: PictureSharing) throws(MonitorError) { try link.share(sharing) }

    /// The view that came with the latest frame, if one did.
    public var view: SharedPicture? { link.watch.gallery?.pictures[.view] }

    /// The upright face of a track, as the recogniser was given it, that came with the latest frame.
    public func picture(ofTrack track: UInt32) -> SharedPicture? { link.watch.gallery?.pictures[.face(track)] }

    /// How long an administrator's verb stands in line for the camera, in milliseconds.
    private static let patience: UInt64 = 20_000

    /// Opens the camera of the settings, unless the worker brings its own frames, and begins to look.
    ///
    /// It waits its turn before the camera.
    ///
    /// - Throws: `camera` when it cannot be had.
    public mutating func openCamera(embedEvery: Bool, withInfrared: Bool = false) throws(MonitorError) {
        if turn == nil {
            turn = try CameraLine.wait(environment, until: environment.time.now() + Sighting.patience)
        }
        if !hello.bringsFrames {
            let camera: OpenCamera
            do throws(CameraFault) { camera = try environment.cameras.open(settings) } catch {
                throw .camera(error.reason, error.detail)
            }
            self.camera = camera.name
            try link.send(
                .camera(
                    role: camera.role, rotation: UInt16(settings.rotation), deadline: UInt32(settings.cameraTimeout)),
                passing: camera.descriptor)
            if withInfrared { try openInfrared() }
        }
        try link.send(.look(embedEvery: embedEvery))
    }

    private mutating func openInfrared() throws(MonitorError) {
        let opened: OpenCamera?
        do throws(CameraFault) { opened = try environment.cameras.openInfrared(settings) } catch {
            throw .camera(error.reason, error.detail)
        }
        guard let camera = consume opened else { return }
        try link.send(
            .camera(
                role: .infrared, rotation: UInt16(settings.rotation), deadline: UInt32(settings.cameraTimeout)),
            passing: camera.descriptor)
    }

    /// Looks at a still picture; `next` gives its evidence and then `end`.
    public mutating func look(atPicture path: String) throws(MonitorError) {
        let file: Descriptor
        do throws(PlatformError) { file = try SafeFile.openForReading(path) } catch { throw .system(error) }
        try link.send(.picture, passing: file)
        try link.send(.look(embedEvery: true))
    }

    /// What the worker says next; nil when it has said nothing by the deadline (milliseconds of the monotonic clock).
    ///
    /// - Throws: `evidence`, `worker`; `camera` and others for the worker's troubles.
    public mutating func next(until deadline: UInt64) throws(MonitorError) -> WorkerReply? {
        var reply = try link.receive(until: deadline)
        // Rows of pictures have been put together on their way; they are there when their frame is.
        while case .pixels = reply { reply = try link.receive(until: deadline) }
        guard case .trouble(let kind, let detail) = reply else { return reply }
        switch kind {
        case .busy: throw .camera(.cameraBusy, detail)
        case .gone: throw .camera(.cameraMissing, detail)
        case .noFormat, .timedOut, .failed: throw .camera(.cameraFailed, detail)
        case .pictureUnreadable, .pictureTooLarge: throw .picture(detail)
        case .model, .sandbox: throw WorkerLink.fault(kind, detail)
        }
    }
}
