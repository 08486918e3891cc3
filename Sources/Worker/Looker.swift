// SPDX-License-Identifier: Apache-2.0
// The seam between the conversation and the networks: a test puts a looker of its own here.

public import Biometrics
import Vision

/// Makes evidence of frames.
public protocol Looker {
    /// The passive network is loaded.
    var hasPassive: Bool { get }
    /// The second opinion is loaded.
    var hasSecondOpinion: Bool { get }

    /// Whether the pictures of embedded faces are to be kept.
    var keepsFaces: Bool { get set }
    /// Those of the latest frame.
    var faces: [SharedPicture] { get }

    /// The evidence of the next frame of a camera; `embedEvery` runs the recogniser on each face.
    mutating func look(
        at frame: Frame, sequence: UInt32, role: CameraRole, embedEvery: Bool
    ) throws -> FrameEvidence
}

/// Looks with the loaded networks.
struct NetworkLooker: Looker {
    private var observer: Observer

    init(_ observer: Observer) { self.observer = observer }

    var hasPassive: Bool { observer.hasLiveness }
    var hasSecondOpinion: Bool { observer.hasSecondOpinion }
    var keepsFaces: Bool {
        get { observer.keepsCrops }
        set { observer.keepsCrops = newValue }
    }
    var faces: [SharedPicture] { observer.crops }

    mutating func look(
        at frame: Frame, sequence: UInt32, role: CameraRole, embedEvery: Bool
    ) throws -> FrameEvidence {
        try observer.observe(frame, sequence: sequence, role: role, embed: embedEvery ? .every : .sparing)
    }
}
