// SPDX-License-Identifier: Apache-2.0
// One simulated attack against the judge, prompts and all. The owner is enrolled from another part of the clip that is misused.

import Biometrics
import Policy
import TestSupport
import Vision

/// The result of one simulated attack.
struct SimulatedTrial: Sendable {
    /// What is to be played.
    struct Job: Sendable {
        let kind: SimulatedAttack
        let owner: SessionSource
        let other: SessionSource
        let seed: UInt64
    }

    let job: Job
    let outcome: String
    let reason: String
    let scores: Scores
    let milliseconds: UInt64
    var isAccepted: Bool { outcome == "accepted" }

    /// Frames of each clip that are used: the first so many that show one face.
    private static let clipFrames = 90

    /// Plays the attack.
    static func run(_ job: Job, _ models: LoadedModels, _ settings: Settings) throws -> SimulatedTrial {
        let clip = try frames(job.owner)
        var scout = try models.observer()
        var face: Landmarks?
        var embeddings: [Embedding] = []
        var first = 0
        for (index, frame) in clip.enumerated() where index % 6 == 0 {
            let evidence = try scout.observe(frame, sequence: UInt32(index), embed: .every)
            guard evidence.faces.count == 1, let found = evidence.faces.first, let embedding = found.embedding else {
                continue
            }
            if face == nil, abs(Pose(found.landmarks)?.yaw ?? 90) < 12 { (face, first) = (found.landmarks, index) }
            embeddings.append(embedding)
        }
        guard let face, let reference = Embedding.mean(of: embeddings) else {
            return SimulatedTrial(
                job: job, outcome: "unusable", reason: "", scores: Scores(threshold: 0), milliseconds: 0)
        }
        let other = try frames(job.other)
        var simulator = AttackSimulator(
            job.kind, clip: Array(clip[first...]), other: sameSize(other, clip[0]), face: face, seed: job.seed)
        return try play(job, &simulator, reference, models, settings)
    }

    private static func play(
        _ job: Job, _ simulator: inout AttackSimulator, _ reference: Embedding, _ models: LoadedModels,
        _ settings: Settings
    ) throws -> SimulatedTrial {
        var generator = SeededGenerator(seed: job.seed &* 7919)
        var observer = try models.observer()
        var judge = Judge(
            reference: reference, settings: settings, hasPassive: models.hasLiveness, started: 0, using: &generator)
        var now: UInt64 = 0
        var sequence: UInt32 = 0
        while now < settings.timeout + 1_000, let frame = simulator.next(at: now) {
            switch judge.observe(try observer.observe(frame, sequence: sequence), now: now) {
            case .undecided: break
            case .notice(.turnLeft): simulator.hear(yaw: 1, pitch: 0, at: now)
            case .notice(.turnRight): simulator.hear(yaw: -1, pitch: 0, at: now)
            case .notice: break
            case .decided(let verdict, let scores):
                return SimulatedTrial(
                    job: job, outcome: verdict.outcome == .accepted ? "accepted" : "refused",
                    reason: verdict.reason.rawValue, scores: scores, milliseconds: now)
            }
            now += AttackSimulator.interval
            sequence += 1
        }
        return SimulatedTrial(job: job, outcome: "undecided", reason: "", scores: judge.scores, milliseconds: now)
    }

    /// The first frames of a clip, taken as 15 a second.
    private static func frames(_ session: SessionSource) throws -> [Frame] {
        var frames: [Frame] = []
        var skipped = false
        do {
            try session.forEachFrame { frame in
                skipped.toggle()
                if skipped { frames.append(frame) }
                if frames.count >= clipFrames { throw Enough() }
            }
        } catch is Enough {}
        return frames
    }

    private struct Enough: Error {}

    /// Frames of the size of `model`, by nearest neighbour.
    private static func sameSize(_ frames: [Frame], _ model: Frame) -> [Frame] {
        frames.compactMap { frame in
            if frame.width == model.width, frame.height == model.height { return frame }
            var pixels = [UInt8](repeating: 0, count: model.pixels.count)
            for y in 0..<model.height {
                for x in 0..<model.width {
                    let from = (y * frame.height / model.height * frame.width + x * frame.width / model.width) * 3
                    let to = (y * model.width + x) * 3
                    for channel in 0..<3 { pixels[to + channel] = frame.pixels[from + channel] }
                }
            }
            return Frame(width: model.width, height: model.height, format: .rgb, pixels: pixels, timestamp: 0)
        }
    }
}
