// SPDX-License-Identifier: Apache-2.0
// A login without consequences: `secondlook test` and `verify` show an administrator what the judge sees. Nothing is charged, nobody gets in.

public import Biometrics
public import Platform
public import Policy
import TemplateStore
import Wire

/// The largest face of one frame.
public struct Glimpse: Equatable, Sendable {
    /// Where it is, in pixels of the frame.
    public let box: Box
    /// Which way it points; nil where the landmarks say nothing.
    public let pose: Pose?
}

/// What a trial has to say while it runs.
public enum TrialProgress: Equatable, Sendable {
    /// The judge says this to the person.
    case notice(Notice)
    /// The figures so far, and the largest face of this frame.
    case frame(Scores, Glimpse?)
}

/// The end of a trial.
public struct TrialResult: Equatable, Sendable {
    /// What a login would have come to.
    public let verdict: Verdict
    /// The judge's figures.
    public let scores: Scores
    /// The enrolment that the face is most like, and how like; nil where no view of a single face could be compared.
    public let label: Candidate?
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
    /// - Throws: any `MonitorError`; nil for a user who is not enrolled.
    public static func run(
        user: Account, environment: LoginEnvironment, settings: Settings, progress: (TrialProgress) -> Bool
    ) throws(MonitorError) -> TrialResult? {
        var sighting = try Sighting(environment, settings: settings)
        let model = sighting.models.recogniserHash
        let enrolled = try enrolled(user, environment)
        guard let reference = enrolled.reference(model: model) else { return nil }
        try sighting.openCamera(embedEvery: false, withInfrared: true)
        var trial = KnownTrial(judge(reference, sighting.hello, environment, settings, environment.time.now()))
        let verdict = try observe(&sighting, &trial, environment.time, progress)
        return TrialResult(
            verdict: verdict, scores: trial.scores,
            label: trial.views.mean.flatMap { enrolled.nearestLabel(to: $0, model: model) },
            hasPassive: sighting.hello.hasPassive, hasSecondOpinion: sighting.hello.hasSecondOpinion,
            camera: sighting.camera)
    }

    /// The mean template of a user; nil when there is none of this model.
    static func reference(
        _ user: Account, _ environment: LoginEnvironment, _ model: String
    ) throws(MonitorError) -> Embedding? {
        try enrolled(user, environment).reference(model: model)
    }

    static func judge(
        _ reference: Embedding, _ hello: WorkerHello, _ environment: LoginEnvironment, _ settings: Settings,
        _ started: UInt64
    ) -> Judge {
        var chance = environment.chance
        return Judge(
            reference: reference, settings: settings, hasPassive: hello.hasPassive, started: started, using: &chance)
    }

    private static func enrolled(
        _ user: Account, _ environment: LoginEnvironment
    ) throws(MonitorError) -> EnrolledUser {
        var store = try environment.openStore(creating: false)
        return try stored { () throws(StoreError) in try store.templates(of: user.name, uid: user.user) }
    }

    /// Shows a trial what the worker sees until it decides.
    static func observe(
        _ sighting: inout Sighting, _ trial: inout some Trial, _ time: any TimeSource,
        _ progress: (TrialProgress) -> Bool
    ) throws(MonitorError) -> Verdict {
        var isListening = true
        while true {
            var step = trial.tick(now: time.now())
            if isListening, case .undecided = step, let reply = try sighting.next(until: time.now() + 100) {
                if case .end = reply { isListening = false }
                if case .frame(let evidence) = reply {
                    step = trial.observe(evidence, now: time.now())
                    let glimpse = evidence.faces.first.map { Glimpse(box: $0.box, pose: Pose($0.landmarks)) }
                    guard progress(.frame(trial.scores, glimpse)) else { return Verdict(.notJudged, .cancelled) }
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

/// What is shown frames until it decides.
protocol Trial {
    /// The figures so far.
    var scores: Scores { get }
    /// Takes a frame, seen at `now`.
    mutating func observe(_ evidence: FrameEvidence, now: UInt64) -> Step
    /// Lets time pass.
    mutating func tick(now: UInt64) -> Step
}

/// The views of the one face that was seen.
struct Views {
    private(set) var embeddings: [Embedding] = []

    /// Keeps the view of a frame with one face, where the recogniser took one.
    mutating func add(_ evidence: FrameEvidence) {
        guard evidence.faces.count == 1, let embedding = evidence.faces.first?.embedding else { return }
        embeddings.append(embedding)
    }

    var mean: Embedding? { Embedding.mean(of: embeddings) }
}

/// A trial of one person who is known from the beginning.
struct KnownTrial: Trial {
    private var judge: Judge
    private(set) var views = Views()

    init(_ judge: Judge) { self.judge = judge }

    var scores: Scores { judge.scores }

    mutating func observe(_ evidence: FrameEvidence, now: UInt64) -> Step {
        views.add(evidence)
        return judge.observe(evidence, now: now)
    }

    mutating func tick(now: UInt64) -> Step { judge.tick(now: now) }
}
