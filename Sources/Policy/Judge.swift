// SPDX-License-Identifier: Apache-2.0
// The decision about one attempt: evidence in, verdict out. Pure and deterministic: time comes with each call, chance at the beginning. It
// must never let a cue of one face or one track serve another, and never let a later frame redeem an attack.

public import Biometrics

/// Watches one attempt's evidence until it can decide.
public struct Judge: Sendable {
    let reference: Embedding
    let settings: Settings
    let hasPassive: Bool
    let cues: Cues
    let started: UInt64
    /// Sequences drawn beforehand, one for each time a challenge may begin: for a person whom the passive network holds for living, and
    /// the longer ones for all others.
    private var sequences: [(short: [Challenge.Prompt], long: [Challenge.Prompt])] = []

    var scene = Scene()
    var tracked: TrackedFace?
    private var repetition = FrameRepetition()
    private var challenge: Challenge?
    private var challengedAt: UInt64?
    private var isCentredMatch = false
    private var challengesBegun = 0
    private var deepest: Float?
    private var everMatched = false
    private var infrared = InfraredWitness()
    /// What was known against a face whose track has ended: stepping out of view does not undo it.
    private var pastDoubt: Verdict?
    /// The passive network's values for the person in tracks that have ended: beginning anew is no second try.
    private var past: (sum: Float, count: Int) = (0, 0)
    private var frames = 0
    /// When the newest frame with a face was taken.
    private var taken: UInt64 = 0
    private var end: Step?

    /// A judge for one attempt.
    ///
    /// - Parameters:
    ///   - reference: the user's mean template (`EnrolledUser.reference`).
    ///   - settings: those of the service; all deadlines count from `started`.
    ///   - hasPassive: whether the worker has the passive network.
    ///   - cues: which cues count; anything but `.all` is for measuring.
    ///   - started: when looking began, in milliseconds of the monotonic clock.
    ///   - generator: where the challenge's chance comes from: the system's in earnest, a seeded one in tests.
    public init(
        reference: Embedding, settings: Settings, hasPassive: Bool, cues: Cues = .all, started: UInt64,
        using generator: inout some RandomNumberGenerator
    ) {
        self.reference = reference
        self.settings = settings
        self.hasPassive = hasPassive
        self.cues = cues
        self.started = started
        for _ in 0...JudgeRule.restarts {
            let short = Challenge.draw(JudgeRule.promptsWhenLive, using: &generator)
            sequences.append((short, Challenge.draw(JudgeRule.prompts, using: &generator)))
        }
        if settings.liveness == .passive, !hasPassive { end = .decided(Verdict(.fault, .badSettings), scores) }
    }

    /// Takes the evidence of the next frame, seen at `now`.
    public mutating func observe(_ evidence: FrameEvidence, now: UInt64) -> Step {
        if let end { return end }
        frames += 1
        if settings.hasInfrared, evidence.role == .infrared {
            infrared.observe(evidence, now: now)
            let step = attack().map(decided) ?? undecided(now)
            if case .decided = step { end = step }
            return step
        }
        let step = judge(evidence, now) ?? undecided(now)
        if case .decided = step { end = step }
        return step
    }

    /// Lets time pass without a frame; to be called at least every 250 ms.
    public mutating func tick(now: UInt64) -> Step {
        if let end { return end }
        guard let verdict = overdue(now) else { return .undecided }
        let step = decided(verdict)
        end = step
        return step
    }

    /// The verdict when something outside ends the attempt (cancelled, camera gone, worker died): what was judged already still counts, and
    /// so does a challenge that was begun, so that pulling the plug does not save an attacker the miss.
    public func verdict(interruptedBy reason: Reason) -> Verdict {
        if case .decided(let verdict, _) = end { return verdict }
        if let verdict = doubt { return verdict }
        return challengedAt == nil ? Verdict(.notJudged, reason) : Verdict(.refused, .challengeFailed)
    }

    /// The figures so far.
    public var scores: Scores {
        Scores(
            similarity: tracked?.similarity(to: reference), threshold: threshold, passive: tracked?.passive,
            secondOpinion: tracked?.secondOpinion,
            motion: tracked.flatMap { $0.motion.count > 0 ? $0.motion.relative : nil },
            screen: tracked?.screen, depth: deepest, frames: frames, usableFrames: scene.usableFrames,
            challenged: challengesBegun > 0)
    }

    var threshold: Float { Calibration.threshold(for: settings.match) }

    var isChallenged: Bool { challenge != nil }

    private func decided(_ verdict: Verdict) -> Step { .decided(verdict, scores) }

    private func undecided(_ now: UInt64) -> Step {
        overdue(now).map(decided) ?? .undecided
    }

    /// Nil means: nothing to say of this frame.
    private mutating func judge(_ evidence: FrameEvidence, _ now: UInt64) -> Step? {
        let finding = scene.observe(evidence, now: now)
        if finding != .dark, finding != .empty, evidence.contrast >= JudgeRule.flatFrame {
            switch repetition.observe(evidence.fingerprint) {
            case .fresh: break
            case .repeated: return nil
            case .decisive: if cues.contains(.repetition) { return decided(Verdict(.refused, .frozenFrames)) }
            }
        }
        switch finding {
        case .dark, .empty: return scene.guidance(now: now, since: started)
        case .several:
            // Whatever was gathered may belong to either of them.
            lose(now)
            return scene.guidance(now: now, since: started)
        case .face(let face, let problem):
            let step = follow(face, problem: problem, evidence: evidence, moment(of: evidence, now))
            // The two cameras' frames are set against each other by when they came.
            if problem == nil { infrared.expect(face, in: evidence, now: now) }
            return step
        }
    }

    /// When a frame was taken, by the camera's clock as far as one's own allows.
    ///
    /// Its evidence comes later, that of the first frame most: by times of arrival the stretch that was seen would look shorter than it is.
    private mutating func moment(of evidence: FrameEvidence, _ now: UInt64) -> UInt64 {
        let earliest = now > JudgeRule.delay ? now - JudgeRule.delay : 0
        taken = max(taken, min(now, max(earliest, evidence.timestamp)))
        return taken
    }

    private mutating func follow(
        _ face: FaceEvidence, problem: Scene.Problem?, evidence: FrameEvidence, _ now: UInt64
    ) -> Step? {
        if let tracked, !tracked.isContinued(by: face, now: now) { lose(now) }
        if challengesBegun > JudgeRule.restarts, challenge == nil, challengedAt != nil {
            return decided(Verdict(.refused, .challengeFailed))
        }
        var current = tracked ?? TrackedFace(face, now: now)
        let isComparable = problem == nil && Judge.isComparable(face, in: evidence)
        current.follow(face, isColour: evidence.role == .colour, isComparable: isComparable, now: now)
        let straight = challenge?.isCentred ?? true
        if problem == nil, straight {
            current.recognise(face, reference: reference, person: min(threshold, JudgeRule.samePerson), now: now)
        } else {
            current.glance(at: face, reference: reference, now: now)
        }
        tracked = current
        if let verdict = attack() { return decided(verdict) }
        if challenge != nil { return answer(face, now) }
        if problem != nil { return scene.guidance(now: now, since: started) }
        return consider(now)
    }

    /// Whether the worker compares the face as soon as it looks different.
    private static func isComparable(_ face: FaceEvidence, in evidence: FrameEvidence) -> Bool {
        guard let place = evidence.faces.firstIndex(where: { $0.track == face.track }) else { return false }
        return ComparableView.admits(
            face, place: place, width: Int(evidence.width), height: Int(evidence.height))
    }

    /// Forgets the tracked face.
    ///
    /// A challenge under way has to begin again.
    private mutating func lose(_ now: UInt64) {
        if let tracked {
            scene.lost(now)
            pastDoubt = pastDoubt ?? doubt
            if tracked.bound.everBound {
                past.sum += tracked.passiveTotal
                past.count += tracked.passiveCount
            }
        }
        tracked = nil
        infrared = InfraredWitness()
        challenge = nil
        isCentredMatch = false
    }

    // MARK: Deciding

    /// One decisive sign ends the attempt.
    private mutating func attack() -> Verdict? {
        guard let tracked else { return nil }
        if isMatch { everMatched = true }
        if cues.contains(.passive), hasPassive, let passive = tracked.passive, passive <= JudgeRule.passiveAttack,
            tracked.passiveCount >= JudgeRule.passiveAttackFrames, tracked.passiveSpan >= JudgeRule.passiveAttackSpan
        {
            return Verdict(.refused, .notLive)
        }
        if cues.contains(.screen), let screen = tracked.screen, screen >= JudgeRule.screen,
            tracked.screenCount >= JudgeRule.screenFrames
        {
            return Verdict(.refused, .screen)
        }
        if settings.hasInfrared, infrared.denies { return Verdict(.refused, .notInInfrared) }
        if everMatched, max(tracked.farOffInARow, tracked.strangeInARow) >= JudgeRule.swapFrames {
            return Verdict(.refused, .faceSwapped)
        }
        return nil
    }

    private var isMatch: Bool {
        guard let tracked, tracked.embeddings >= JudgeRule.leastEmbeddings,
            let similarity = tracked.similarity(to: reference)
        else { return false }
        return similarity >= threshold
    }

    /// A usable face and no challenge yet: accept, ask, refuse or wait.
    private mutating func consider(_ now: UInt64) -> Step? {
        guard let tracked, let since = tracked.usableSince else { return nil }
        guard isMatch else {
            guard tracked.embeddings >= JudgeRule.sureEmbeddings, now >= since + JudgeRule.sureAfter,
                let similarity = tracked.similarity(to: reference), similarity < JudgeRule.farOff
            else { return nil }
            return decided(Verdict(.refused, .otherPerson))
        }
        switch settings.liveness {
        case .challenge: return ask(now)
        case .passive: return isLive(needsMotion: false) && isSeenByAll ? decided(Verdict(.accepted, .matched)) : nil
        case .auto:
            if challengesBegun == 0, isLive(needsMotion: cues.contains(.motion)), isSeenByAll {
                return decided(Verdict(.accepted, .matched))
            }
            return hasPassive && challengesBegun == 0 && now < since + settings.challengeAfter ? nil : ask(now)
        }
    }

    /// The network's mean has to be high over all frames of the face, over those bound to the person, and over earlier tracks of theirs.
    private func isLive(needsMotion: Bool) -> Bool {
        guard hasPassive, let tracked, let passive = tracked.passive, passive >= JudgeRule.passiveLive,
            let bound = tracked.bound.passive, bound >= JudgeRule.passiveLive,
            tracked.bound.passiveCount >= JudgeRule.passiveFrames, tracked.bound.passiveSpan >= JudgeRule.passiveSpan,
            (past.sum + tracked.passiveTotal) / Float(past.count + tracked.passiveCount) >= JudgeRule.passiveLive
        else { return false }
        if let second = tracked.secondOpinion, (passive + second) / 2 < JudgeRule.bothLive { return false }
        return !needsMotion || tracked.bound.motion.isIndependent
    }

    /// Where an infrared camera looks too, it must have seen the face.
    private var isSeenByAll: Bool { !settings.hasInfrared || infrared.confirms }

    // MARK: Challenge

    private mutating func ask(_ now: UInt64) -> Step? {
        guard challengesBegun < sequences.count, let straight = tracked?.reference else { return nil }
        let sequence = sequences[challengesBegun]
        let prompts = isLive(needsMotion: false) ? sequence.short : sequence.long
        guard let begun = Challenge(prompts: prompts, reference: straight) else { return nil }
        let isFirst = challengesBegun == 0
        challengesBegun += 1
        challenge = begun
        // A restart gets no more time.
        if challengedAt == nil { challengedAt = now }
        isCentredMatch = false
        return isFirst ? nil : .notice(.startAgain)
    }

    private mutating func answer(_ face: FaceEvidence, _ now: UInt64) -> Step? {
        guard var challenge, let tracked else { return nil }
        let centred = challenge.isCentred
        if !centred { isCentredMatch = false }
        if centred, let similarity = tracked.compared, similarity >= threshold { isCentredMatch = true }
        let progress = challenge.observe(face.landmarks, recognised: isCentredMatch, now: now)
        self.challenge = challenge
        deepest = max(deepest ?? 0, challenge.excursion)
        switch progress {
        case .waiting: return nil
        case .say(let notice): return .notice(notice)
        case .failed: return decided(Verdict(.refused, .challengeFailed))
        case .passed:
            guard isMatch else { return decided(Verdict(.refused, .otherPerson)) }
            return decided(isSeenByAll ? Verdict(.accepted, .matched) : Verdict(.refused, .notInInfrared))
        }
    }

    // MARK: Deadlines

    /// What is known against the person when the attempt has to end without a decision; nil when nothing is.
    ///
    /// As many views as could have let them in are enough, else an attempt that is broken off in time would cost nothing.
    private var doubt: Verdict? {
        guard let tracked else { return pastDoubt }
        if settings.hasInfrared, infrared.doubts { return Verdict(.refused, .notInInfrared) }
        if tracked.embeddings >= JudgeRule.leastEmbeddings, !isMatch { return Verdict(.refused, .otherPerson) }
        guard cues.contains(.passive), hasPassive, let passive = tracked.passive, passive < 0.5,
            tracked.passiveCount >= JudgeRule.passiveFrames
        else { return pastDoubt }
        return Verdict(.refused, .notLive)
    }

    /// The verdict when a deadline has passed; nil before.
    private func overdue(_ now: UInt64) -> Verdict? {
        let elapsed = now > started ? now - started : 0
        if let challengedAt, now >= challengedAt + settings.challengeTimeout { return challengeOver }
        if elapsed >= settings.timeout { return challengedAt != nil ? challengeOver : late(now) }
        guard challengedAt == nil else { return nil }
        if elapsed >= settings.usableTimeout { return late(now) }
        if elapsed >= settings.noFaceTimeout, !scene.hasFace(within: settings.noFaceTimeout / 2, of: now) {
            return late(now)
        }
        if elapsed >= settings.darkTimeout, scene.isDark(at: now), !scene.everFace {
            return Verdict(.notJudged, .tooDark)
        }
        if elapsed >= settings.cameraTimeout, frames == 0 { return Verdict(.notJudged, .cameraFailed) }
        return nil
    }

    private var challengeOver: Verdict { doubt ?? Verdict(.refused, .challengeTimeout) }

    /// The most specific reason there is.
    private func late(_ now: UInt64) -> Verdict {
        if let doubt { return doubt }
        if frames == 0 { return Verdict(.notJudged, .cameraFailed) }
        if isMatch { return Verdict(.refused, .notLive) }
        if let tracked, tracked.embeddings >= JudgeRule.leastEmbeddings { return Verdict(.refused, .otherPerson) }
        return Verdict(.notJudged, scene.reason(at: now))
    }
}
