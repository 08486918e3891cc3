// SPDX-License-Identifier: Apache-2.0
// The infrared camera beside the colour camera, as a witness: where the one sees a face, the other must see it lit and textured, at the same place
// but for the parallax of the pair. A screen that shows a face is dark in infrared. It is asked about one tracked face at a time.

import Biometrics

/// What infrared frames say of the face that the colour camera sees.
struct InfraredWitness: Sendable {
    private(set) var seen = 0
    private(set) var unseen = 0
    private var firstUnseen: UInt64?
    private var lastUnseen: UInt64 = 0
    private var expected: (place: Place, at: UInt64)?

    /// A face in parts of its frame, so that two cameras of unlike resolution can be compared.
    private struct Place: Sendable {
        var x: Float
        var y: Float
        var width: Float

        init(_ face: FaceEvidence, in frame: FrameEvidence) {
            let (w, h) = (Float(frame.width), Float(frame.height))
            x = face.box.centre.x / w
            y = face.box.centre.y / h
            width = face.box.width / w
        }

        func agrees(with other: Place) -> Bool {
            let ratio = width / other.width
            return abs(x - other.x) <= JudgeRule.parallax && abs(y - other.y) <= JudgeRule.parallax
                && ratio >= 1 / JudgeRule.infraredScale && ratio <= JudgeRule.infraredScale
        }
    }

    /// Notes where the colour camera sees the face.
    mutating func expect(_ face: FaceEvidence, in frame: FrameEvidence, now: UInt64) {
        expected = (Place(face, in: frame), now)
    }

    /// Takes an infrared frame; one without a recent sight of the face in colour says nothing.
    mutating func observe(_ frame: FrameEvidence, now: UInt64) {
        guard let expected, now <= expected.at + JudgeRule.infraredRecent else { return }
        let isThere = frame.faces.contains { face in
            face.score >= JudgeRule.faceScore && JudgeRule.faceBrightness.contains(face.brightness)
                && face.contrast >= JudgeRule.faceContrast && Place(face, in: frame).agrees(with: expected.place)
        }
        if isThere {
            seen += 1
        } else {
            unseen += 1
            firstUnseen = firstUnseen ?? now
            lastUnseen = now
        }
    }

    /// The face is surely seen in infrared as well.
    var confirms: Bool { seen >= JudgeRule.infraredFrames && 2 * seen >= seen + unseen }

    /// The face is surely not: frames enough, over time enough, and hardly one of them shows it.
    var denies: Bool {
        guard let firstUnseen, unseen >= JudgeRule.infraredMissing else { return false }
        return lastUnseen - firstUnseen >= JudgeRule.infraredSpan && 5 * seen < seen + unseen
    }

    /// Something speaks against the face when the attempt has to end now.
    var doubts: Bool { !confirms && unseen >= JudgeRule.infraredFrames && unseen > seen }
}
