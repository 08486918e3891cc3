// SPDX-License-Identifier: Apache-2.0
// A login without consequences: `secondlook verify` shows an administrator what the judge sees. Nothing is charged, nobody gets in.

import Biometrics
public import Platform
public import Policy
import TemplateStore
import Wire

/// What a trial has to say while it runs.
public enum TrialProgress: Equatable, Sendable {
    /// The judge says this to the person.
    case notice(Notice)
    /// The figures so far, and the pose of the largest face.
    case frame(Scores, yaw: Float?, pitch: Float?)
}

/// The end of a trial.
public struct TrialResult: Equatable, Sendable {
    /// What a login would have come to.
    public let verdict: Verdict
    /// The judge's figures.
    public let scores: Scores
    /// Whether the passive network is installed.
    public let hasPassive: Bool
    /// Whether the second opinion is installed.
    public let hasSecondOpinion: Bool
    /// The camera, by its stable name; nil when the worker brought its own frames.
    public let camera: String?
}

/// Runs the judge for an administrator.
public enum TrialSession {
    /// Looks at whoever is in front of the camera as if `user` logged in.
    ///
    /// - Parameter progress: called for each notice and each frame; false ends the trial as cancelled.
    /// - Throws: any `MonitorError`; a user who is not enrolled is `Verdict(.notJudged, .notEnrolled)`.
    public static func run(
        user: Account, environment: LoginEnvironment, settings: Settings, progress: (TrialProgress) -> Bool
    ) throws(MonitorError) -> TrialResult? {
        var sighting = try Sighting(environment, settings: settings)
        guard let reference = try reference(user, environment, sighting.models.recogniserHash) else { return nil }
        try sighting.openCamera(embedEvery: false, withInfrared: true)
        let hello = sighting.hello
        var chance = environment.chance
        var judge = Judge(
            reference: reference, settings: settings, hasPassive: hello.hasPassive, started: environment.time.now(),
            using: &chance)
        let verdict = try observe(&sighting, &judge, environment.time, progress)
        return TrialResult(
            verdict: verdict, scores: judge.scores, hasPassive: hello.hasPassive,
            hasSecondOpinion: hello.hasSecondOpinion, camera: sighting.camera)
    }

    /// The mean template of a user; nil when there is none of this model.
    static func reference(
        _ user: Account, _ environment: LoginEnvironment, _ model: String
    ) throws(MonitorError) -> Embedding? {
        var store = try environment.openStore(creating: false)
        return try stored { () throws(StoreError) in
            try store.templates(of: user.name, uid: user.user).reference(model: model)
        }
    }

    private static func observe(
        _ sighting: inout Sighting, _ judge: inout Judge, _ time: any TimeSource, _ progress: (TrialProgress) -> Bool
    ) throws(MonitorError) -> Verdict {
        var isListening = true
        while true {
            var step = judge.tick(now: time.now())
            if isListening, case .undecided = step, let reply = try sighting.next(until: time.now() + 100) {
                if case .end = reply { isListening = false }
                if case .frame(let evidence) = reply {
                    step = judge.observe(evidence, now: time.now())
                    let pose = evidence.faces.first.flatMap { Pose($0.landmarks) }
                    guard progress(.frame(judge.scores, yaw: pose?.yaw, pitch: pose?.pitch)) else {
                        return Verdict(.notJudged, .cancelled)
                    }
                }
            } else if !isListening {
                _ = try system { () throws(PlatformError) in try Readiness.pause(until: time.now() + 50) }
            }
            switch step {
            case .undecided: continue
            case .notice(let notice):
                guard progress(.notice(notice)) else { return Verdict(.notJudged, .cancelled) }
            case .decided(let verdict, _): return verdict
            }
        }
    }
}
