// SPDX-License-Identifier: Apache-2.0
// What a view must be measured to be before an enrolment takes it: sharp, lit, near, upright, and turned as it was asked.

import Biometrics

/// The gate of one pose.
struct EnrolmentGate: Sendable {
    /// The pose that is asked for.
    let pose: EnrolmentPose
    /// The person's own centre; nil before it was taken.
    let neutral: Pose?

    /// Whether this pose looks aside by what it is.
    var turnsAside: Bool { pose == .left || pose == .right }

    /// What is wrong with a face whatever its pose; nil when nothing is.
    static func fault(of face: FaceEvidence) -> EnrolmentGuidance? {
        if face.landmarks.eyeDistance < EnrolmentRule.eyeDistance { return .scene(.moveCloser) }
        if face.brightness > EnrolmentRule.faceBrightness.upperBound { return .scene(.lessLight) }
        if face.brightness < EnrolmentRule.faceBrightness.lowerBound || face.contrast < EnrolmentRule.faceContrast {
            return .scene(.moreLight)
        }
        return face.sharpness < EnrolmentRule.sharpness ? .scene(.holdStill) : nil
    }

    /// What is wrong with the angles; nil when the pose is taken.
    func fault(_ angles: Pose) -> EnrolmentGuidance? {
        guard abs(angles.roll) <= EnrolmentRule.roll else { return .upright }
        let (yaw, pitch) = turned(angles)
        switch pose {
        case .centre: return abs(yaw) <= EnrolmentRule.centreYaw ? nil : .take(.centre)
        case .left, .right:
            guard abs(pitch) <= EnrolmentRule.stray else { return .take(pose) }
            let turn = pose == .left ? yaw : -yaw
            return missing(turn, of: EnrolmentRule.turn)
        case .up, .down:
            guard abs(yaw) <= EnrolmentRule.stray else { return .take(pose) }
            return missing(pose == .up ? pitch : -pitch, of: EnrolmentRule.nod)
        }
    }

    /// How far the pose is reached, 0 to 1.
    func reach(_ angles: Pose) -> Float {
        let (yaw, pitch) = turned(angles)
        let part: Float =
            switch pose {
            case .centre: 1 - max(0, abs(yaw) - EnrolmentRule.centreYaw) / EnrolmentRule.centreYaw
            case .left: yaw / EnrolmentRule.turn
            case .right: -yaw / EnrolmentRule.turn
            case .up: pitch / EnrolmentRule.nod
            case .down: -pitch / EnrolmentRule.nod
            }
        return max(0, min(1, part))
    }

    /// Begun but short of the limit is told apart from not begun.
    private func missing(_ angle: Float, of limit: Float) -> EnrolmentGuidance? {
        if angle >= limit { return nil }
        return angle >= limit / 2 ? .further : .take(pose)
    }

    /// The angles from the person's own centre.
    private func turned(_ angles: Pose) -> (yaw: Float, pitch: Float) {
        (angles.yaw - (neutral?.yaw ?? 0), angles.pitch - (neutral?.pitch ?? 0))
    }
}
