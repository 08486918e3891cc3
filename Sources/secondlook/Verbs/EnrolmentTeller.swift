// SPDX-License-Identifier: Apache-2.0
// How an enrolment speaks: each change of guidance is one line on the error stream, as a screen reader reads it; on a terminal a bar of
// plain characters shows besides how far the enrolment and the present pose are.

import Monitor
import Policy

/// Says what an enrolment has to say.
struct EnrolmentTeller {
    private var output: any Output
    private let isQuiet: Bool
    private var latest: EnrolmentPose?

    /// - Parameter isQuiet: what need not be heard is left out; guidance through poses is always told.
    init(_ output: any Output, isQuiet: Bool) {
        self.output = output
        self.isQuiet = isQuiet
    }

    mutating func beginQuick() {
        if !isQuiet { output.errorLine(Texts.quickEnrolment) }
    }

    /// Tells of a quick enrolment or of pictures.
    mutating func tell(_ news: EnrolmentProgress) -> Bool {
        switch news {
        case .notice(let notice): if !isQuiet { output.errorLine(Texts.text(notice)) }
        case .sample(let taken, let wanted, _): output.progress(Bar.text(taken, of: wanted, "samples"))
        }
        return true
    }

    /// Tells of a guided enrolment.
    mutating func tell(_ news: GuidedProgress) -> Bool {
        switch news {
        case .say(let guidance): output.errorLine(Texts.text(guidance))
        case .took(let pose, let done, let all):
            // A second view of the same pose is nothing to hear of.
            if pose != latest { output.errorLine(Texts.taken(pose, min(done + 1, all), of: all)) }
            latest = pose
        case .view(let pose, let reach, let done, let all):
            let meter = reach.map { "\(pose.name) \(Bar.meter($0))" } ?? "nobody in view"
            output.progress(Bar.text(done, of: all, "poses, \(meter)"))
        }
        return true
    }

    mutating func end() { output.endProgress() }
}

/// A bar for terminals without any art.
enum Bar {
    /// "[####    ] 4 of 8 samples".
    static func text(_ done: Int, of all: Int, _ what: String) -> String {
        let width = 24
        return "[\(marks(all > 0 ? done * width / all : 0, of: width))] \(done) of \(all) \(what)"
    }

    /// "[#####     ]" for one half.
    static func meter(_ part: Float) -> String {
        let width = 10
        let filled = part.isFinite ? Int((max(0, min(1, part)) * Float(width)).rounded()) : 0
        return "[\(marks(filled, of: width))]"
    }

    private static func marks(_ count: Int, of width: Int) -> String {
        let filled = max(0, min(width, count))
        return String(repeating: "#", count: filled) + String(repeating: " ", count: width - filled)
    }
}
