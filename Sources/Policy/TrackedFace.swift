// SPDX-License-Identifier: Apache-2.0
// Everything that is known of one face followed without a gap. A new track starts from nothing: no cue of one face ever serves another.

import Biometrics

/// The evidence of one track.
struct TrackedFace: Sendable {
    let track: UInt32
    private(set) var box: Box
    private(set) var lastSeen: UInt64
    /// When its first usable frame came.
    private(set) var usableSince: UInt64?
    private(set) var usableFrames = 0

    private var probe = [Float](repeating: 0, count: Embedding.dimension)
    private(set) var embeddings = 0
    private(set) var farOffInARow = 0
    /// Views in a row, of any pose, that are surely of someone else.
    private(set) var strangeInARow = 0
    /// The similarity of the frame seen last; nil when that was not compared, however alike two frames' times may be.
    private(set) var compared: Float?

    private var passiveSum: Float = 0
    private(set) var passiveCount = 0
    private var passiveFirst: UInt64 = 0
    private var passiveLast: UInt64 = 0
    private var secondSum: Float = 0
    private var secondCount = 0
    private var screenSum: Float = 0
    private(set) var screenCount = 0
    private(set) var motion = IndependentMotion()
    /// What of it speaks for the person.
    private(set) var bound = BoundCues()
    private var straight: [Landmarks] = []

    init(_ face: FaceEvidence, now: UInt64) {
        track = face.track
        box = face.box
        lastSeen = now
    }

    /// Whether `face` can be this one moved on.
    func isContinued(by face: FaceEvidence, now: UInt64) -> Bool {
        guard face.track == track, now >= lastSeen, now - lastSeen <= JudgeRule.gap else { return false }
        let ratio = face.box.width / box.width
        return face.box.centre.distance(to: box.centre) <= JudgeRule.jump * box.width && ratio > 0.5 && ratio < 2
    }

    /// Takes the cues that need no straight look.
    ///
    /// They speak for the person only where the face is good enough to be compared as soon as it looks different.
    mutating func follow(_ face: FaceEvidence, isColour: Bool, isComparable: Bool, now: UInt64) {
        let interval = now > lastSeen ? now - lastSeen : 0
        bound.see(
            passive: isColour && isComparable ? face.passive.map { Logistic.probability($0) } : nil,
            motion: isComparable ? face.motion : nil, eyeDistance: face.landmarks.eyeDistance, interval: interval,
            now: now)
        if let motion = face.motion {
            self.motion.observe(motion, eyeDistance: face.landmarks.eyeDistance, interval: interval)
        }
        box = face.box
        lastSeen = now
        compared = nil
        if let strength = face.screen {
            screenSum += strength
            screenCount += 1
        }
        // Neither network was trained on infrared light.
        guard isColour else { return }
        if let logit = face.passive {
            if passiveCount == 0 { passiveFirst = now }
            passiveLast = now
            passiveSum += Logistic.probability(logit)
            passiveCount += 1
        }
        guard let logit = face.secondOpinion else { return }
        secondSum += Logistic.probability(logit)
        secondCount += 1
    }

    /// Takes a view that is not good enough to recognise anybody by, such as that of a turned head.
    ///
    /// A stranger, who answers the prompts in the person's place, is told by it all the same.
    mutating func glance(at face: FaceEvidence, reference: Embedding, now: UInt64) {
        guard let embedding = face.embedding else { return }
        let isStrange = embedding.similarity(to: reference) < JudgeRule.strange
        strangeInARow = isStrange ? strangeInARow + 1 : 0
        if isStrange { bound.bind(isPerson: false, now: now) }
    }

    /// Takes a usable, straight view: it may be compared and serve as the reference of a challenge.
    ///
    /// From the cosine `person` on, this single view is taken for the person.
    mutating func recognise(_ face: FaceEvidence, reference: Embedding, person: Float, now: UInt64) {
        usableFrames += 1
        if usableSince == nil { usableSince = now }
        straight.append(face.landmarks)
        if straight.count > 12 { straight.removeFirst() }
        guard let embedding = face.embedding else { return }
        let similarity = embedding.similarity(to: reference)
        compared = similarity
        farOffInARow = similarity < JudgeRule.farOff ? farOffInARow + 1 : 0
        bound.bind(isPerson: similarity >= person, now: now)
        for i in 0..<Embedding.dimension { probe[i] += embedding.values[i] }
        embeddings += 1
    }

    /// Similarity of the mean of all probes; nil before the first.
    func similarity(to reference: Embedding) -> Float? {
        embeddings > 0 ? Embedding(probe)?.similarity(to: reference) : nil
    }

    /// Sum of the probabilities of live, for a mean beyond this track.
    var passiveTotal: Float { passiveSum }
    /// Mean probability of live; nil when the network said nothing.
    var passive: Float? { passiveCount > 0 ? passiveSum / Float(passiveCount) : nil }
    var passiveSpan: UInt64 { passiveLast - passiveFirst }
    var secondOpinion: Float? { secondCount > 0 ? secondSum / Float(secondCount) : nil }
    var screen: Float? { screenCount > 0 ? screenSum / Float(screenCount) : nil }

    /// The face straight on: the mean of its newest views, each taken to the newest's place and size; nil before three of them.
    var reference: Landmarks? {
        guard straight.count >= 3, let newest = straight.last else { return nil }
        let placed = straight.suffix(6).map { TrackedFace.placed($0, onto: newest) }
        func mean(_ index: Int) -> Point {
            let count = Float(placed.count)
            return Point(
                placed.reduce(0) { $0 + $1[index].x } / count, placed.reduce(0) { $0 + $1[index].y } / count)
        }
        return Landmarks(
            rightEye: mean(0), leftEye: mean(1), nose: mean(2), rightMouth: mean(3), leftMouth: mean(4))
    }

    private static func placed(_ view: Landmarks, onto target: Landmarks) -> [Point] {
        let scale = target.eyeDistance / max(1, view.eyeDistance)
        func middle(_ view: Landmarks) -> Point {
            Point((view.rightEye.x + view.leftEye.x) / 2, (view.rightEye.y + view.leftEye.y) / 2)
        }
        let from = middle(view)
        let to = middle(target)
        return view.points.map { Point(to.x + ($0.x - from.x) * scale, to.y + ($0.y - from.y) * scale) }
    }
}
