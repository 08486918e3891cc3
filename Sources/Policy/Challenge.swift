// SPDX-License-Identifier: Apache-2.0
// The prompted movement: a short random sequence of "turn left", "turn right" and "nod", to be answered in order. It takes readings of the
// nose's depth and says when to prompt, what to say and how it ended. Whose face it is, is watched by the judge.

import Biometrics

/// A sequence of prompts and how far its answer has come.
struct Challenge: Sendable {
    /// What the person is asked to do; left and right are the person's own.
    enum Prompt: UInt8, Sendable, Equatable, CaseIterable {
        case left, right, nod

        var notice: Notice {
            switch self {
            case .left: .turnLeft
            case .right: .turnRight
            case .nod: .nod
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

    /// How many prompts a challenge has.
    static let length = 2

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

    /// A random sequence: no prompt twice in a row, every sequence equally likely.
    static func draw(using generator: inout some RandomNumberGenerator) -> [Prompt] {
        var prompts: [Prompt] = []
        while prompts.count < length {
            let choices = Prompt.allCases.filter { $0 != prompts.last }
            prompts.append(choices[Int.random(in: 0..<choices.count, using: &generator)])
        }
        return prompts
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
        held = reached >= ChallengeRule.least(for: prompt) ? held + 1 : 0
        astray = isAstray(reading, from: prompt) ? astray + 1 : 0
        if astray >= ChallengeRule.framesHeld { return .failed }
        if held >= ChallengeRule.framesHeld {
            phase = .returning
            held = 0
            hintedAt = now
            return next + 1 < prompts.count ? .say(.backToCentre) : .waiting
        }
        guard furthest > ChallengeRule.neutral else { return .waiting }
        return hint(prompt == .nod ? .nodFurther : .turnFurther, now)
    }

    private mutating func comeBack(_ reading: NoseDepth.Reading, recognised: Bool, _ now: UInt64) -> Progress {
        held = isNeutral(reading) ? held + 1 : 0
        guard held >= ChallengeRule.framesNeutral, recognised else { return hint(.backToCentre, now) }
        guard isRigid else { return .failed }
        next += 1
        return next < prompts.count ? prompt(now) : .passed
    }

    /// A clear movement that was not asked for: the other way, or another axis and not the one asked for as well.
    private func isAstray(_ reading: NoseDepth.Reading, from prompt: Prompt) -> Bool {
        Prompt.allCases.contains { other in
            guard other != prompt else { return false }
            let margin = ChallengeRule.extent(of: reading, towards: other) / ChallengeRule.least(for: other)
            return margin >= 1 && ChallengeRule.extent(of: reading, towards: prompt) < ChallengeRule.neutral
        }
    }

    private func isNeutral(_ reading: NoseDepth.Reading) -> Bool {
        abs(reading.sideways) < ChallengeRule.neutral && abs(reading.down) < ChallengeRule.neutral
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
    /// What a turn needs: flat pictures turned by 40 degrees reach 0.09 to one side, people 0.22 to 0.37 without being told how far.
    static let turn: Float = 0.24
    /// What a nod needs.
    static let nod: Float = 0.16
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
        case .nod: reading.down
        }
    }

    static func least(for prompt: Challenge.Prompt) -> Float { prompt == .nod ? nod : turn }
}
