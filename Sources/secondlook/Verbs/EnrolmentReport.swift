// SPDX-License-Identifier: Apache-2.0
// What is said when an enrolment is stored: each sample's figures, and how often the right person will probably be missed.

import Policy

/// The end of an enrolment in words.
struct EnrolmentReport {
    let user: String
    let template: Template
    let notes: [SampleNote]
    /// Samples that a login is compared with, the older ones included.
    let compared: Int
    let level: MatchLevel
    /// The samples were added to an enrolment.
    let isAdded: Bool

    func write(asJSON: Bool, to session: inout Session) {
        if asJSON {
            session.output.line(json.text)
        } else {
            for line in lines { session.output.line(line) }
        }
    }

    private var lines: [String] {
        let count = template.embeddings.count
        var lines = [
            isAdded
                ? "added \(count) samples to '\(template.label)' of '\(user)', with \(compared) samples now"
                : "enrolled '\(user)' as '\(template.label)' with \(count) samples"
        ]
        lines += SampleTable.lines(notes)
        if let estimate = Calibration.falseNonMatch(samples: compared, level: level) {
            let pictures = estimate.enrolled == 1 ? "1 picture" : "\(estimate.enrolled) pictures"
            lines += [
                "estimated false non-match rate: \(percent(estimate.rate)) of looks, at \(level.words)",
                "    (measured on other people with \(pictures) enrolled: docs/accuracy.md)",
            ]
        }
        return lines
    }

    private var json: JSON {
        let estimate = Calibration.falseNonMatch(samples: compared, level: level)
        return .of([
            "user": .string(user), "label": .string(template.label), "samples": .integer(template.embeddings.count),
            "compared_samples": .integer(compared), "details": .array(SampleTable.json(notes)),
            "false_non_match_rate": estimate.map { .number($0.rate, decimals: 6) } ?? .null,
        ])
    }

    private func percent(_ rate: Double) -> String { "\(Decimal.text(rate * 100, decimals: 2)) %" }
}

/// Samples and their figures as rows.
enum SampleTable {
    /// Nothing for no notes.
    static func lines(_ notes: [SampleNote]) -> [String] {
        guard !notes.isEmpty else { return [] }
        let rows = notes.map { note -> [String] in
            let quality = note.quality
            return [
                note.pose?.name ?? "-", "\(quality.score) of 100", whole(quality.yaw), whole(quality.pitch),
                whole(quality.sharpness), whole(quality.brightness), "\(whole(quality.eyeDistance)) px",
            ]
        }
        return Shown.table(["POSE", "QUALITY", "YAW", "PITCH", "SHARPNESS", "LIGHT", "EYES"], rows).map { "  " + $0 }
    }

    static func json(_ notes: [SampleNote]) -> [JSON] {
        notes.map { note in
            let quality = note.quality
            let number: (Float) -> JSON = { .number(Double($0), decimals: 1) }
            return .of([
                "pose": .optional(note.pose?.name), "quality": .integer(quality.score), "yaw": number(quality.yaw),
                "pitch": number(quality.pitch), "sharpness": number(quality.sharpness),
                "brightness": number(quality.brightness), "eye_distance": number(quality.eyeDistance),
            ])
        }
    }

    private static func whole(_ figure: Float) -> String { Decimal.text(Double(figure), decimals: 0) }
}

extension MatchLevel {
    /// The level as the settings name it.
    var words: String {
        switch self {
        case .balanced: "'balanced'"
        case .strict: "'strict'"
        case .paranoid: "'paranoid'"
        case .cosine(let cosine): "cosine \(Decimal.text(Double(cosine), decimals: 3))"
        }
    }
}
