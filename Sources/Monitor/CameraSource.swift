// SPDX-License-Identifier: Apache-2.0
// Chooses and opens the camera for the worker, which may open nothing itself. A fault has a reason for the record, since "not judged"
// is only of use to an administrator who learns why.

public import Biometrics
public import Platform
public import Policy

/// An opened camera.
public struct OpenCamera: ~Copyable {
    /// What kind it is.
    public let role: CameraRole
    /// Its stable name.
    public let name: String
    /// The node, opened for reading and writing.
    public let descriptor: Descriptor

    /// A camera.
    public init(role: CameraRole, name: String, descriptor: consuming Descriptor) {
        self.role = role
        self.name = name
        self.descriptor = descriptor
    }
}

/// Why no camera could be opened.
public struct CameraFault: Error, Equatable, Sendable {
    /// One of the reasons about cameras.
    public let reason: Reason
    /// One line without a full stop.
    public let detail: String

    /// A fault.
    public init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}

/// Opens cameras; a protocol so that sessions can be tested without one.
public protocol CameraOpening: Sendable {
    /// Opens the camera that the settings mean.
    func open(_ settings: Settings) throws(CameraFault) -> OpenCamera
    /// Opens the infrared camera beside it; nil when the settings want none.
    func openInfrared(_ settings: Settings) throws(CameraFault) -> OpenCamera?
}

extension CameraOpening {
    /// None.
    public func openInfrared(_ settings: Settings) throws(CameraFault) -> OpenCamera? {
        guard settings.hasInfrared else { return nil }
        throw CameraFault(.cameraMissing, "no infrared camera '\(settings.infrared)' found")
    }
}

/// The machine's cameras.
public struct SystemCameras: CameraOpening {
    private let nodes: CameraNodes

    /// The machine's cameras, or those of a test.
    public init(_ nodes: CameraNodes = CameraNodes()) { self.nodes = nodes }

    /// Chooses by the settings, opens, and checks that what was opened is what was chosen.
    public func open(_ settings: Settings) throws(CameraFault) -> OpenCamera {
        try open(try choose(settings.camera, settings))
    }

    /// The same for the infrared camera; it must be another than the colour camera, and see infrared light.
    public func openInfrared(_ settings: Settings) throws(CameraFault) -> OpenCamera? {
        guard settings.hasInfrared else { return nil }
        let node = try choose(settings.infrared, settings)
        guard node.isInfrared else {
            throw CameraFault(.cameraFailed, "camera '\(node.name)' is no infrared camera")
        }
        guard try choose(settings.camera, settings).number != node.number else {
            throw CameraFault(.cameraFailed, "'camera' and 'infrared' are the same camera '\(node.name)'")
        }
        return try open(node)
    }

    private func open(_ node: CameraNode) throws(CameraFault) -> OpenCamera {
        do throws(PlatformError) {
            let descriptor = try CameraNodes.open(node)
            return OpenCamera(
                role: node.isInfrared ? .infrared : .colour, name: node.name, descriptor: descriptor)
        } catch { throw CameraFault(SystemCameras.reason(of: error), error.description) }
    }

    private func choose(_ wanted: String, _ settings: Settings) throws(CameraFault) -> CameraNode {
        do throws(CameraChoiceError) {
            return try nodes.choose(wanted, allowVirtual: settings.allowVirtualCameras)
        } catch {
            switch error {
            case .missing: throw CameraFault(.cameraMissing, error.description)
            case .unusable(_, let problem): throw CameraFault(SystemCameras.reason(of: problem), error.description)
            }
        }
    }

    private static func reason(of problem: CameraNode.Problem) -> Reason {
        switch problem {
        case .virtual: .cameraVirtual
        case .denied: .cameraDenied
        case .busy: .cameraBusy
        case .notCamera: .cameraMissing
        case .failed, .noFormat: .cameraFailed
        }
    }

    private static func reason(of error: PlatformError) -> Reason {
        if error.isBusy { return .cameraBusy }
        if error.isDenied { return .cameraDenied }
        return error.isMissing || error.code == 19 || error.code == 6 ? .cameraMissing : .cameraFailed
    }
}
