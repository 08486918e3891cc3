// SPDX-License-Identifier: Apache-2.0
// The judge's own eye for a usable face, for enrolment: what would not be judged is not to be enrolled.

public import Biometrics

/// What one frame shows, by the rules of the judge.
public enum FaceQuality: Sendable, Equatable {
    /// Nothing is lit.
    case dark
    /// Nobody is in view.
    case empty
    /// More than one person is in view.
    case several
    /// One face that can be judged.
    case usable(FaceEvidence)
    /// One face that cannot, with what the person can do about it.
    case unusable(Notice)

    /// Looks at one frame by itself.
    public init(_ evidence: FrameEvidence) {
        var scene = Scene()
        switch scene.observe(evidence, now: evidence.timestamp) {
        case .dark: self = .dark
        case .empty: self = .empty
        case .several: self = .several
        case .face(let face, .none): self = .usable(face)
        case .face(_, .some(let problem)): self = .unusable(FaceQuality.notice(problem))
        }
    }

    private static func notice(_ problem: Scene.Problem) -> Notice {
        switch problem {
        case .small: .moveCloser
        case .cut: .moveIntoView
        case .dark: .moreLight
        case .bright: .lessLight
        case .blurred: .holdStill
        case .aside: .lookStraight
        }
    }
}
