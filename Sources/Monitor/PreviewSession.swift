// SPDX-License-Identifier: Apache-2.0
// What `preview` and `snapshot` look through: a worker that was asked for views, with nothing charged and nobody judged.

public import Biometrics
public import Platform
public import Policy
import TemplateStore
import Wire

/// One frame with what came along.
public struct PreviewFrame: Sendable, Equatable {
    /// What is in it.
    public let evidence: FrameEvidence
    /// The picture, in some frames.
    public let view: SharedPicture?
    /// Cosine to the named user's template by a face's track, where the recogniser was run.
    public let similarities: [UInt32: Float]

    /// A frame.
    public init(evidence: FrameEvidence, view: SharedPicture?, similarities: [UInt32: Float]) {
        self.evidence = evidence
        self.view = view
        self.similarities = similarities
    }
}

/// A worker that shows what it sees.
public struct PreviewSession: ~Copyable {
    /// What it says.
    public enum News: Sendable, Equatable {
        /// Nothing by the deadline.
        case nothing
        /// A frame.
        case frame(PreviewFrame)
        /// The camera's frames have come to an orderly end.
        case end
    }

    /// The camera, by its stable name; nil when the worker brings its own frames.
    public var camera: String? { sighting.camera }
    /// Readable when there may be news.
    public var raw: Int32 { sighting.raw }
    private var sighting: Sighting
    private let reference: Embedding?

    /// Starts a worker, and opens the camera of the settings.
    ///
    /// - Parameters:
    ///   - user: whom faces are compared with; see `isComparing`.
    ///   - side: the longer side of a view, in pixels.
    ///   - interval: milliseconds between two views.
    public init(
        _ environment: LoginEnvironment, settings: Settings, user: Account?, side: UInt16, interval: UInt16
    ) throws(MonitorError) {
        var sighting = try Sighting(environment, settings: settings)
        var reference: Embedding?
        if let user { reference = try TrialSession.reference(user, environment, sighting.models.recogniserHash) }
        try sighting.share(PictureSharing(views: true, side: side, interval: interval))
        try sighting.openCamera(embedEvery: user != nil)
        self.reference = reference
        self.sighting = sighting
    }

    /// Whether the user has a template to compare with.
    public var isComparing: Bool { reference != nil }

    /// What comes next; returns `nothing` at the deadline (milliseconds of the monotonic clock).
    public mutating func next(until deadline: UInt64) throws(MonitorError) -> News {
        while let reply = try sighting.next(until: deadline) {
            switch reply {
            case .end: return .end
            case .frame(let evidence):
                var similarities: [UInt32: Float] = [:]
                for face in evidence.faces {
                    guard let reference, let embedding = face.embedding else { continue }
                    similarities[face.track] = embedding.similarity(to: reference)
                }
                return .frame(PreviewFrame(evidence: evidence, view: sighting.view, similarities: similarities))
            default: continue
            }
        }
        return .nothing
    }
}
