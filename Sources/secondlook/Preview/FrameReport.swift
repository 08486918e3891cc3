// SPDX-License-Identifier: Apache-2.0
// What `preview` and `snapshot` say of a frame: as lines below the picture, and as JSON. Figures only; what they would come to is for `verify`.

import Biometrics
import Monitor
import Policy

/// The figures of one frame.
struct FrameReport {
    private let frame: FrameEvidence
    private let similarities: [UInt32: Float]

    init(_ news: PreviewFrame) {
        frame = news.evidence
        similarities = news.similarities
    }

    /// Lines of at most 79 characters: one for the frame, three for each of at most two faces.
    var lines: [String] {
        let kind = frame.role == .infrared ? "infrared" : "colour"
        let light = "\(frame.width)x\(frame.height), light \(text(frame.brightness, 0))"
        return ["\(kind) \(light), contrast \(text(frame.contrast, 0)); \(quality)"]
            + frame.faces.prefix(2).flatMap(lines)
    }

    private func lines(_ face: FaceEvidence) -> [String] {
        let box = face.box
        let pose = Pose(face.landmarks)
        let angles = "yaw \(text(pose?.yaw, 0)), pitch \(text(pose?.pitch, 0)), roll \(text(pose?.roll, 0))"
        let likeness = similarities[face.track].map { ", similarity \(text($0, 3))" } ?? ""
        let place = "\(text(box.width, 0))x\(text(box.height, 0)) at \(text(box.x, 0)),\(text(box.y, 0))"
        let first = "face \(face.track): \(place), score \(text(face.score, 2))\(likeness)"
        let light = "light \(text(face.brightness, 0)), contrast \(text(face.contrast, 0))"
        let passive = text(face.passive.map(Logistic.probability), 2)
        let second = text(face.secondOpinion.map(Logistic.probability), 2)
        let motion = "motion \(text(relativeMotion(face), 1)), screen \(text(face.screen, 2))"
        let lines: [String] = [
            first, "  \(angles); \(light), sharpness \(text(face.sharpness, 0))",
            "  liveness \(passive), second opinion \(second), \(motion)",
        ]
        return lines.map { String($0.prefix(79)) }
    }

    private var quality: String {
        switch FaceQuality(frame) {
        case .dark: "dark"
        case .empty: "nobody"
        case .several: "several faces"
        case .usable: "usable"
        case .unusable(let notice): Texts.text(notice)
        }
    }

    /// How far the face moved against its surround since the frame before, in pixels.
    private func relativeMotion(_ face: FaceEvidence) -> Float? {
        face.motion.map { $0.face.distance(to: $0.surround) }
    }

    /// One object.
    var json: JSON {
        .of([
            "sequence": .integer(Int(frame.sequence)), "time": .integer(Int(clamping: frame.timestamp)),
            "role": .string(frame.role == .infrared ? "infrared" : "colour"), "width": .integer(Int(frame.width)),
            "height": .integer(Int(frame.height)), "brightness": number(frame.brightness),
            "contrast": number(frame.contrast), "quality": .string(quality),
            "faces": .array(frame.faces.map(json)),
        ])
    }

    private func json(_ face: FaceEvidence) -> JSON {
        let pose = Pose(face.landmarks)
        let box = [face.box.x, face.box.y, face.box.width, face.box.height]
        return .of([
            "track": .integer(Int(face.track)), "box": .array(box.map(number)), "score": number(face.score),
            "landmarks": .array(face.landmarks.points.map { .array([number($0.x), number($0.y)]) }),
            "yaw": number(pose?.yaw), "pitch": number(pose?.pitch), "roll": number(pose?.roll),
            "brightness": number(face.brightness), "contrast": number(face.contrast),
            "sharpness": number(face.sharpness), "liveness": number(face.passive.map(Logistic.probability)),
            "second_opinion": number(face.secondOpinion.map(Logistic.probability)),
            "motion": number(relativeMotion(face)), "screen": number(face.screen),
            "similarity": number(similarities[face.track]),
        ])
    }

    private func number(_ value: Float?) -> JSON { value.map { .number(Double($0), decimals: 4) } ?? .null }

    private func text(_ value: Float?, _ decimals: Int) -> String {
        value.map { Decimal.text(Double($0), decimals: decimals) } ?? "-"
    }
}
