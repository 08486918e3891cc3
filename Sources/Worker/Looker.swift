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

    mutating func look(
        at frame: Frame, sequence: UInt32, role: CameraRole, embedEvery: Bool
    ) throws -> FrameEvidence {
        try observer.observe(frame, sequence: sequence, role: role, embed: embedEvery ? .every : .sparing)
    }
}
