// SPDX-License-Identifier: Apache-2.0
// The prompted movement: a short random sequence of "turn left" and "turn right", to be answered in order. It takes readings of the
// nose's depth and says when to prompt, what to say and how it ended. Whose face it is, is watched by the judge. There is no nod: measured
// through the real detector, a head that nods by 30 degrees moves its nose off the plane no further than a tilted photo's detector error.

import Biometrics

/// A sequence of prompts and how far its answer has come.
struct Challenge: Sendable {
    /// What the person is asked to do; left and right are the person's own.
    enum Prompt: UInt8, Sendable, Equatable, CaseIterable {
        case left, right

        var notice: Notice {
            switch self {
            case .left: .turnLeft
            case .right: .turnRight
            }
        }
    }

    /// What the judge is to do now.
    enum Progress: Sendable, Equatable {
        case waiting
        case say(Notice)
        case failed
        case passed
    }

    private enum Phase: Sendable, Equatable {
        case centring
        case prompted(at: UInt64)
        case returning
    }

    private let prompts: [Prompt]
    private var depth: NoseDepth
    private var next = 0
    private var phase = Phase.centring
    private var held = 0
    private var astray = 0
    private var furthest: Float = 0
    private var hintedAt: UInt64 = 0
    private var window: [NoseDepth.Reading] = []
    private var misfits: [Float] = []
    private var roughness: [Float] = []
    /// Largest answer so far in eye distances, for the record.
    private(set) var excursion: Float = 0

    /// A challenge with these prompts; `reference` is the face straight on, averaged over some frames.
    init?(prompts: [Prompt], reference: Landmarks) {
        guard let depth = NoseDepth(reference: reference), !prompts.isEmpty else { return nil }
        self.prompts = prompts
        self.depth = depth
    }

    /// A random sequence of so many prompts, at least two, in which both sides occur; every such sequence is equally likely.
    ///
    /// Both sides, since what a tilted photo's perspective and the detector's bias add to one side they take from the other.
    static func draw(_ length: Int, using generator: inout some RandomNumberGenerator) -> [Prompt] {
        let count = max(2, min(16, length))
        // Neither all zeros nor all ones.
        let bits = UInt32.random(in: 1..<(1 << UInt32(count)) - 1, using: &generator)
        return (0..<count).map { bits >> UInt32($0) & 1 == 0 ? .left : .right }
    }

    /// Whether the head is straight enough for its embedding to count as a full comparison.
    var isCentred: Bool { window.last.map { abs($0.sideways) < ChallengeRule.neutral } ?? true }

    /// Whether the last prompt was answered and only the way back is left.
    var isReturning: Bool { phase == .returning }

    /// Takes the landmarks of the next frame.
    ///
    /// `recognised`: a frame since the last answer, straight on, was the right person.
    mutating func observe(_ view: Landmarks, recognised: Bool, now: UInt64) -> Progress {
        guard let raw = depth.reading(view) else { return .waiting }
        let reading = smoothed(raw)
        switch phase {
        case .centring: return centre(reading, now)
        case .prompted(let at): return answer(reading, promptedAt: at, now)
        case .returning: return comeBack(reading, recognised: recognised, now)
        }
    }

    private mutating func centre(_ reading: NoseDepth.Reading, _ now: UInt64) -> Progress {
        if hintedAt == 0 { hintedAt = now }
        held = isNeutral(reading) ? held + 1 : 0
        guard held >= ChallengeRule.framesNeutral else { return hint(.lookStraight, now) }
        return prompt(now)
    }

    private mutating func prompt(_ now: UInt64) -> Progress {
        phase = .prompted(at: now)
        hintedAt = now
        held = 0
        astray = 0
        furthest = 0
        return .say(prompts[next].notice)
    }

    private mutating func answer(_ reading: NoseDepth.Reading, promptedAt: UInt64, _ now: UInt64) -> Progress {
        let prompt = prompts[next]
        let reached = ChallengeRule.extent(of: reading, towards: prompt)
        furthest = max(furthest, reached)
        excursion = max(excursion, reached)
        held = reached >= ChallengeRule.turn ? held + 1 : 0
        // The other way.
        astray = reached <= -ChallengeRule.turn ? astray + 1 : 0
        if astray >= ChallengeRule.framesHeld { return .failed }
        if held >= ChallengeRule.framesHeld {
            phase = .returning
            held = 0
            hintedAt = now
            return next + 1 < prompts.count ? .say(.backToCentre) : .waiting
        }
        guard furthest > ChallengeRule.neutral else { return .waiting }
        return hint(.turnFurther, now)
    }

    private mutating func comeBack(_ reading: NoseDepth.Reading, recognised: Bool, _ now: UInt64) -> Progress {
        held = isNeutral(reading) ? held + 1 : 0
        guard held >= ChallengeRule.framesNeutral, recognised else { return hint(.backToCentre, now) }
        guard isRigid else { return .failed }
        next += 1
        return next < prompts.count ? prompt(now) : .passed
    }

    private func isNeutral(_ reading: NoseDepth.Reading) -> Bool {
        abs(reading.sideways) < ChallengeRule.neutral
    }

    /// Whether the face moved like one solid thing: a bent print does not.
    private var isRigid: Bool {
        median(misfits) <= ChallengeRule.mostMisfit && median(roughness) <= ChallengeRule.mostRoughness
    }

    private mutating func hint(_ notice: Notice, _ now: UInt64) -> Progress {
        guard now >= hintedAt + ChallengeRule.hintEvery else { return .waiting }
        hintedAt = now
        return .say(notice)
    }

    /// The median of the last three readings: one slip of the detector moves nothing.
    private mutating func smoothed(_ raw: NoseDepth.Reading) -> NoseDepth.Reading {
        misfits.append(raw.misfit)
        window.append(raw)
        if window.count > 3 { window.removeFirst() }
        guard window.count == 3 else { return raw }
        roughness.append(abs(window[1].sideways - (window[0].sideways + window[2].sideways) / 2))
        return NoseDepth.Reading(
            sideways: median(window.map(\.sideways)), down: median(window.map(\.down)), misfit: raw.misfit)
    }

    private func median(_ values: [Float]) -> Float {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }
}

/// The numbers of the challenge, in eye distances unless said otherwise.
///
/// docs/accuracy.md has the measurements behind them.
enum ChallengeRule {
    /// Within this of the reference the head counts as straight.
    static let neutral: Float = 0.1
    /// What a turn to one side needs: flat pictures turned by 40 degrees reach 0.02 to 0.14, once 0.26, but never this much to both
    /// sides; people reach 0.22 to 0.37 without being told how far.
    static let turn: Float = 0.24
    /// How many smoothed frames in a row an answer is held.
    static let framesHeld = 3
    /// How many smoothed frames in a row the head is straight before a prompt and after an answer.
    static let framesNeutral = 3
    /// Median misfit of the four points.
    static let mostMisfit: Float = 0.1
    /// Median jump of the nose between neighbouring frames.
    static let mostRoughness: Float = 0.06
    /// Milliseconds between hints.
    static let hintEvery: UInt64 = 2_000

    static func extent(of reading: NoseDepth.Reading, towards prompt: Challenge.Prompt) -> Float {
        switch prompt {
        case .left: reading.sideways
        case .right: -reading.sideways
        }
    }
}
