// SPDX-License-Identifier: Apache-2.0
// Ways around the judge: attempts that are broken off before they count, and signs of life that are not the person's.

import Biometrics
import Policy
import TestSupport
import Testing

@Suite struct EvasionTests {
    typealias Subject = EvidenceScript.Subject
    static let cancelled = Reason.cancelled

    /// Plays one frame; without an embedding when the worker spared it.
    private func play(_ attempt: inout Attempt, _ subject: Subject, isCompared: Bool) {
        guard attempt.end == nil else { return }
        let now = attempt.script.now
        var frame = attempt.script.frame([subject])
        if !isCompared { for index in frame.faces.indices { frame.faces[index].embedding = nil } }
        switch attempt.judge.observe(frame, now: now) {
        case .undecided: break
        case .notice(let notice): attempt.notices.append((notice, now))
        case .decided(let verdict, let scores): attempt.end = (verdict, scores, now)
        }
    }

    @Test func aSecondFaceInViewDoesNotUndoAMiss() {
        var attempt = Attempt()
        let stranger = Subject(similarity: 0.3)
        attempt.play(1_000) { _ in [stranger] }
        attempt.play(300) { _ in [stranger, Subject(pose: .init(centre: Point(520, 240)), track: 2)] }
        #expect(attempt.judge.verdict(interruptedBy: Self.cancelled) == Verdict(.refused, .otherPerson))
        attempt.play(12_000) { _ in [] }
        #expect(attempt.verdict == Verdict(.refused, .otherPerson))
    }

    @Test func breakingOffCountsAsSoonAsThePersonCouldHaveBeenLetIn() {
        var attempt = Attempt()
        attempt.play(60) { _ in [Subject(similarity: 0.3)] }
        #expect(attempt.judge.verdict(interruptedBy: Self.cancelled) == Verdict(.notJudged, .cancelled), "one view")
        attempt.play(60) { _ in [Subject(similarity: 0.3)] }
        #expect(attempt.judge.verdict(interruptedBy: Self.cancelled) == Verdict(.refused, .otherPerson), "two views")
    }

    @Test(arguments: [Reason.cancelled, .cameraMissing, .workerDied])
    func aChallengeThatWasBegunCountsHoweverItIsBrokenOff(reason: Reason) {
        var attempt = Attempt(hasPassive: false)
        attempt.play(2_000) { _ in [Subject(passive: nil)] }
        #expect(attempt.firstPrompt != nil)
        #expect(attempt.judge.verdict(interruptedBy: reason) == Verdict(.refused, .challengeFailed))
        // The face leaves: the challenge would have to begin again.
        attempt.play(300) { _ in
            [Subject(passive: nil), Subject(pose: .init(centre: Point(520, 240)), passive: nil, track: 2)]
        }
        #expect(attempt.judge.verdict(interruptedBy: reason) == Verdict(.refused, .challengeFailed))
    }

    @Test func theLifeOfAFaceNobodyComparedIsNotThePersons() {
        // A live stranger looks aside, which is not compared, then holds the owner's photo before his face.
        var attempt = Attempt()
        for _ in 0..<14 { play(&attempt, Subject(pose: .init(yaw: 0.9), passive: 6, ownMotion: 2), isCompared: false) }
        for _ in 0..<4 {
            play(&attempt, Subject(shape: .picture, passive: -1, ownMotion: 0), isCompared: true)
        }
        #expect(attempt.end == nil)
        #expect((attempt.judge.scores.passive ?? 0) > 0.8, "the mean of all frames is no proof")
        #expect((attempt.judge.scores.similarity ?? 0) > 0.7)
    }

    @Test func theLifeOfAFaceNobodyComparedIsNotThePersonsThoughItHasTheSameTime() {
        // The helper was held up: the stranger's frames and the first of the photo are worked off at one time.
        var attempt = Attempt(interval: 0)
        for _ in 0..<16 { play(&attempt, Subject(passive: 6), isCompared: false) }
        play(&attempt, Subject(passive: -0.85), isCompared: true)
        attempt.script.interval = 66
        for _ in 0..<9 { play(&attempt, Subject(passive: -0.85), isCompared: true) }
        #expect(attempt.end == nil)
        #expect((attempt.judge.scores.passive ?? 0) > 0.7, "the mean of all frames is no proof")
    }

    @Test(arguments: [(120, 40, 200), (120, 40, 8)] as [(brightness: Float, contrast: Float, sharpness: Float)])
    func aFaceTooBadToCompareLendsNoLife(quality: (brightness: Float, contrast: Float, sharpness: Float)) {
        // The photo at each comparison; between them a stranger, whom the worker would compare at once were he not too blurred for it.
        let isBlurred = quality.sharpness < 12
        var attempt = Attempt()
        for look in 0..<19 {
            let isPhoto = look.isMultiple(of: 6)
            var subject = Subject(passive: isPhoto ? -0.85 : 6)
            if !isPhoto { subject.quality = quality }
            play(&attempt, subject, isCompared: isPhoto)
        }
        #expect((attempt.judge.scores.passive ?? 0) > 0.7, "the mean of all frames is no proof")
        // With a face that could have been compared and looked the same, it is the person's own life.
        #expect(attempt.verdict == (isBlurred ? nil : Verdict(.accepted, .matched)))
    }

    @Test(arguments: ["low", "pitched", "third"]) func aViewTheWorkerNeverComparesLendsNoLife(view: String) {
        // The photo at each comparison; between them a stranger in a view that the judge would take and the worker leaves out: mouth below
        // the picture, head bent far, or two larger faces before his (so narrow that they count for nothing else).
        var attempt = Attempt()
        for look in 0..<19 where attempt.end == nil {
            let isPhoto = look.isMultiple(of: 6)
            var frame = attempt.script.frame([Subject(passive: isPhoto ? -0.85 : 6)])
            if !isPhoto { EvasionTests.hide(in: &frame, view) }
            if case .decided(let verdict, let scores) = attempt.judge.observe(frame, now: frame.timestamp) {
                attempt.end = (verdict, scores, frame.timestamp)
            }
        }
        #expect((attempt.judge.scores.passive ?? 0) > 0.7, "the mean of all frames is no proof")
        #expect(attempt.judge.scores.usableFrames == 19, "the judge takes all of them")
        #expect(attempt.end == nil)
    }

    /// Makes of the only face one that is not compared.
    private static func hide(in frame: inout FrameEvidence, _ view: String) {
        frame.faces[0].embedding = nil
        let marks = frame.faces[0].landmarks
        switch view {
        case "low":
            frame.height = UInt16(marks.leftMouth.y.rounded(.down) - 2)
            frame.faces[0].box.height = (Float(frame.height) - frame.faces[0].box.y) / 0.9
        case "pitched":
            let eyes = Point((marks.rightEye.x + marks.leftEye.x) / 2, (marks.rightEye.y + marks.leftEye.y) / 2)
            frame.faces[0].landmarks.nose = Point(eyes.x, eyes.y + 1)
        default:
            var narrow = frame.faces[0]
            narrow.box.width *= 0.4
            narrow.box.height *= 4
            for track in [8, 9] as [UInt32] {
                narrow.track = track
                frame.faces.insert(narrow, at: 0)
            }
        }
    }

    @Test(arguments: [true, false]) func aViewThatIsComparedAllTheSameBindsNoneBeforeIt(isLow: Bool) {
        // A worker that embeds every face, or one that was taken over. The photo's mouth lies below the picture, so it speaks for nobody, and least
        // of all for the stranger who was seen before it; too far apart for what lies between to count.
        var settings = Settings()
        settings.liveness = .passive
        var attempt = Attempt(settings, interval: 300)
        for look in 0..<16 where attempt.end == nil {
            let isPhoto = !look.isMultiple(of: 2)
            var frame = attempt.script.frame([Subject(passive: isPhoto ? (isLow ? -0.6 : 6) : 6)])
            let embedding = frame.faces[0].embedding
            if isPhoto, isLow { EvasionTests.hide(in: &frame, "low") }
            frame.faces[0].embedding = isPhoto ? embedding : nil
            if case .decided(let verdict, let scores) = attempt.judge.observe(frame, now: frame.timestamp) {
                attempt.end = (verdict, scores, frame.timestamp)
            }
        }
        #expect((attempt.judge.scores.passive ?? 0) > 0.65 && (attempt.judge.scores.similarity ?? 0) > 0.7)
        // Where it can be compared, and lives, it speaks for itself.
        #expect(attempt.verdict == (isLow ? nil : Verdict(.accepted, .matched)))
    }

    @Test func aPhotoThatIsTakenAwayAndShownAgainIsNoNewPerson() {
        var attempt = Attempt()
        attempt.play(600) { _ in [Subject(passive: -1)] }
        // Long enough to accept somebody who is seen for the first time.
        attempt.play(450) { _ in [Subject(passive: 4, track: 2)] }
        #expect(attempt.end == nil)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func aStrangerMayNotTurnInThePhotosPlace(seed: UInt64) {
        // The photo whenever the head is straight, the live stranger's own head, in the same place, while it turns.
        var attempt = Attempt(hasPassive: false, seed: seed)
        var head = ScriptedHead()
        var frames = 0
        while attempt.end == nil, attempt.script.now < attempt.started + 25_000 {
            let pose = head.pose(at: attempt.script.now)
            let isStraight = abs(pose.yaw) < 0.05
            var subject = Subject(
                shape: isStraight ? .picture : .head, similarity: isStraight ? 0.8 : 0.05, passive: nil)
            if !isStraight { (subject.pose.yaw, subject.pose.pitch) = (pose.yaw, pose.pitch) }
            let heard = attempt.notices.count
            frames += 1
            play(&attempt, subject, isCompared: isStraight || frames % 4 == 0)
            if attempt.notices.count > heard, let last = attempt.notices.last, let move = Attempt.rightly(last.notice) {
                head.turn(yaw: move.yaw, pitch: move.pitch, at: attempt.script.now)
            }
        }
        #expect(attempt.verdict == Verdict(.refused, .faceSwapped))
    }
}
