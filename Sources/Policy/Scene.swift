// SPDX-License-Identifier: Apache-2.0
// What is in view: nobody, one usable face, several, darkness. It picks the face that is judged, keeps what is needed for the most
// specific reason, and says what the person can do about it.

import Biometrics

/// The scene over time.
struct Scene: Sendable {
    /// Why a face cannot be judged in this frame.
    enum Problem: Sendable, Equatable {
        case small, cut, dark, bright, blurred, aside
    }

    /// What one frame shows.
    enum Finding: Sendable, Equatable {
        case dark
        case empty
        case several
        case face(FaceEvidence, Problem?)
    }

    /// Whether any frame had a face.
    private(set) var everFace = false
    private(set) var usableFrames = 0
    private var lastLit: UInt64?
    private var lastFace: UInt64?
    private var lastSeveral: UInt64?
    private var lastUsable: UInt64?
    private var lastFrame: UInt64 = 0
    private var lastProblem: Problem?
    private var troubleSince: UInt64?
    private var noticedAt: UInt64?

    mutating func observe(_ evidence: FrameEvidence, now: UInt64) -> Finding {
        lastFrame = now
        let faces = evidence.faces.filter { $0.score >= JudgeRule.faceScore }
        guard let first = faces.max(by: { $0.box.width < $1.box.width }) else {
            let isDark = evidence.brightness < JudgeRule.darkFrame
            if !isDark { lastLit = now }
            trouble(now)
            return isDark ? .dark : .empty
        }
        lastLit = now
        lastFace = now
        everFace = true
        if faces.count(where: { $0.box.width >= JudgeRule.secondFace * first.box.width }) > 1 {
            lastSeveral = now
            trouble(now)
            return .several
        }
        let problem = Scene.problem(of: first, in: evidence)
        if let problem {
            lastProblem = problem
            trouble(now)
        } else {
            usableFrames += 1
            lastUsable = now
            troubleSince = nil
        }
        return .face(first, problem)
    }

    /// The tracked face is gone; what was good about it no longer counts for the reason.
    mutating func lost(_ now: UInt64) { lastUsable = nil }

    func hasFace(within time: UInt64, of now: UInt64) -> Bool { isRecent(lastFace, now, within: time) }

    /// Whether the last second was dark throughout.
    ///
    /// Strobed infrared, where every second frame is dark, is not.
    func isDark(at now: UInt64) -> Bool { lastFrame > 0 && !isRecent(lastLit, now, within: JudgeRule.recent) }

    /// Why nobody could be judged.
    func reason(at now: UInt64) -> Reason {
        if isDark(at: now) { return .tooDark }
        if isRecent(lastSeveral, now, within: JudgeRule.recent) { return .severalFaces }
        guard hasFace(within: 2 * JudgeRule.recent, of: now) else { return everFace ? .noUsableFace : .noFace }
        return lastProblem == .dark && lastUsable == nil ? .tooDark : .noUsableFace
    }

    /// What to tell the person, when the trouble has lasted and was not mentioned just now.
    mutating func guidance(now: UInt64, since started: UInt64) -> Step? {
        guard let troubleSince, now >= troubleSince + JudgeRule.patience, now >= started + JudgeRule.patience else {
            return nil
        }
        if let noticedAt, now < noticedAt + JudgeRule.noticeEvery { return nil }
        noticedAt = now
        return .notice(notice(now))
    }

    private func notice(_ now: UInt64) -> Notice {
        if isDark(at: now) { return .moreLight }
        if isRecent(lastSeveral, now, within: JudgeRule.recent) { return .onePersonOnly }
        guard isRecent(lastFace, now, within: JudgeRule.recent), let lastProblem else { return .lookAtCamera }
        switch lastProblem {
        case .small: return .moveCloser
        case .cut: return .moveIntoView
        case .dark: return .moreLight
        case .bright: return .lessLight
        case .blurred: return .holdStill
        case .aside: return .lookStraight
        }
    }

    private mutating func trouble(_ now: UInt64) {
        if troubleSince == nil { troubleSince = now }
    }

    private func isRecent(_ moment: UInt64?, _ now: UInt64, within time: UInt64) -> Bool {
        guard let moment else { return false }
        return now <= moment + time
    }

    /// Why `face` cannot be judged; nil when it can.
    static func problem(of face: FaceEvidence, in evidence: FrameEvidence) -> Problem? {
        let eyes = face.landmarks.eyeDistance
        if eyes < JudgeRule.eyeDistance { return .small }
        if inside(face.box, evidence) < JudgeRule.insideFrame { return .cut }
        if face.brightness < JudgeRule.faceBrightness.lowerBound { return .dark }
        if face.brightness > JudgeRule.faceBrightness.upperBound { return .bright }
        if face.contrast < JudgeRule.faceContrast { return .dark }
        if face.sharpness < JudgeRule.sharpness { return .blurred }
        return aside(face.landmarks) > JudgeRule.aside ? .aside : nil
    }

    /// How far the nose stands off the middle line of the face, in eye distances.
    private static func aside(_ view: Landmarks) -> Float {
        let along = Point(
            (view.leftEye.x - view.rightEye.x) / view.eyeDistance, (view.leftEye.y - view.rightEye.y) / view.eyeDistance
        )
        let middle = Point(
            (view.leftEye.x + view.rightEye.x + view.leftMouth.x + view.rightMouth.x) / 4,
            (view.leftEye.y + view.rightEye.y + view.leftMouth.y + view.rightMouth.y) / 4)
        return abs((view.nose.x - middle.x) * along.x + (view.nose.y - middle.y) * along.y) / view.eyeDistance
    }

    /// The part of the box that lies within the frame, 0 to 1.
    private static func inside(_ box: Box, _ evidence: FrameEvidence) -> Float {
        let w = min(box.x + box.width, Float(evidence.width)) - max(box.x, 0)
        let h = min(box.y + box.height, Float(evidence.height)) - max(box.y, 0)
        return w > 0 && h > 0 ? w * h / (box.width * box.height) : 0
    }
}
