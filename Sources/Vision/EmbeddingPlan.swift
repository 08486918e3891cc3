// SPDX-License-Identifier: Apache-2.0
// When to run the recogniser: it takes ten times as long as all the rest of a frame together, and a login needs few views of a face.

import Biometrics

/// Which faces of a frame are embedded.
public enum EmbeddingChoice: Sendable, Equatable {
    /// None.
    case none
    /// Good views of each followed face, as many as a login needs.
    case sparing
    /// Every face that can be aligned, as for measuring and enrolment.
    case every
}

/// Remembers what was embedded of each track.
struct EmbeddingPlan {
    /// Milliseconds from the first good view of a track to the second: two frames that follow each other show the same.
    static let second: UInt64 = 100
    /// From the first view to the third, which comes when the judge may have seen enough.
    static let third: UInt64 = EvidenceSpan.frames
    /// Afterwards from one to the next.
    static let interval: UInt64 = 250
    /// Faces of a frame that are worth it, largest first.
    static let mostFaces = 2

    private var seen: [UInt32: (views: Int, first: UInt64, last: UInt64)] = [:]

    /// Whether to embed now; remembers it when so.
    mutating func wants(_ track: UInt32, at time: UInt64) -> Bool {
        guard let (views, first, last) = seen[track], time >= last else {
            // Tracks that are long gone are forgotten all at once; a login meets few.
            if seen.count >= 64 { seen.removeAll() }
            seen[track] = (1, time, time)
            return true
        }
        let due =
            switch views {
            case 1: first + EmbeddingPlan.second
            case 2: first + EmbeddingPlan.third
            default: last + EmbeddingPlan.interval
            }
        guard time >= due else { return false }
        seen[track] = (views + 1, first, time)
        return true
    }

    /// Whether a view is good enough to spend the time on: deliberately looser than what the judge accepts.
    static func isUsable(_ face: FaceEvidence, in frame: Frame) -> Bool {
        guard let pose = Pose(face.landmarks) else { return false }
        return face.landmarks.eyeDistance >= 16 && (20...245).contains(face.brightness) && face.contrast >= 8
            && face.sharpness >= 6 && abs(pose.yaw) <= 50 && abs(pose.pitch) <= 45
            && face.landmarks.points.allSatisfy {
                $0.x >= 0 && $0.y >= 0 && $0.x < Float(frame.width) && $0.y < Float(frame.height)
            }
    }
}
