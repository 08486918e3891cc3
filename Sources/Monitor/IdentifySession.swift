// SPDX-License-Identifier: Apache-2.0
// Who is in front of the camera, of all who are enrolled. The nearest is found from the first views of one face; then the judge is shown
// everything from the beginning with that person's reference, so that signs of life are judged by the rules of a login.

import Biometrics
import Platform
public import Policy
import TemplateStore
import Wire

/// The end of an identification.
public struct IdentifyResult: Equatable, Sendable {
    /// Accepted only when the nearest of all views is the person whom the judge accepted.
    public let verdict: Verdict
    /// The judge's figures.
    public let scores: Scores
    /// The nearest two, the nearest first; none where no face was compared.
    public let candidates: [Candidate]
    /// With how many people the face was compared.
    public let people: Int
    /// What the similarity has to reach among so many.
    public let threshold: Float
    /// Whether the passive network is installed.
    public let hasPassive: Bool
    /// The camera, by its stable name; nil when the worker brought its own frames.
    public let camera: String?

    /// Who it is; nil for nobody.
    public var name: String? { verdict.outcome == .accepted ? candidates.first?.name : nil }
}

/// Looks for a person among all who are enrolled.
public enum IdentifySession {
    /// Looks at whoever is in front of the camera.
    ///
    /// - Parameter progress: called for each notice and each frame; false ends it as cancelled.
    /// - Throws: any `MonitorError`, also when one of the templates does not open; nil when nobody is enrolled with the recogniser in use.
    public static func run(
        environment: LoginEnvironment, settings: Settings, progress: (TrialProgress) -> Bool
    ) throws(MonitorError) -> IdentifyResult? {
        var sighting = try Sighting(environment, settings: settings)
        let people = try references(environment, model: sighting.models.recogniserHash)
        guard let anyone = people.first else { return nil }
        try sighting.openCamera(embedEvery: false, withInfrared: true)
        var settings = settings
        let threshold = Calibration.threshold(for: settings.match, among: people.count)
        settings.match = .cosine(threshold)
        let (hello, rules, started) = (sighting.hello, settings, environment.time.now())
        var search = Search(people, anyone: anyone) { TrialSession.judge($0, hello, environment, rules, started) }
        let verdict = try TrialSession.observe(&sighting, &search, environment.time, progress)
        return IdentifyResult(
            verdict: search.confirmed(verdict), scores: search.scores, candidates: search.candidates,
            people: people.count, threshold: threshold, hasPassive: hello.hasPassive, camera: sighting.camera)
    }

    /// One reference a person.
    private static func references(
        _ environment: LoginEnvironment, model: String
    ) throws(MonitorError) -> Identification {
        var store = try environment.openStore(creating: false)
        let users = try stored { () throws(StoreError) in try store.summaries() }
        var people: [(name: String, reference: Embedding)] = []
        for user in users where !(people.last.map { AccountName.isSpelled($0.name, as: user.user) } ?? false) {
            let enrolled = try stored { () throws(StoreError) in try store.templates(of: user.user, uid: user.uid) }
            if let reference = enrolled.reference(model: model) { people.append((user.user, reference)) }
        }
        return Identification(people)
    }
}

/// A trial of one person who is yet to be found.
struct Search: Trial {
    /// Views that are taken together before the nearest is looked for.
    static let leastViews = 3

    private let people: Identification
    private let judge: (Embedding) -> Judge
    /// Watches the scene until there is somebody to judge; what it says of the face itself does not count.
    private var watch: Judge
    private var found: (name: String, judge: Judge)?
    private var held: [(evidence: FrameEvidence, at: UInt64)] = []
    private var views = Views()

    /// A search among people; the judge who watches meanwhile gets some reference, since what it says of the face does not count.
    init(_ people: Identification, anyone: Embedding, judge: @escaping (Embedding) -> Judge) {
        self.people = people
        self.judge = judge
        watch = judge(anyone)
    }

    /// The nearest two of all views.
    var candidates: [Candidate] {
        views.mean.map { people.nearest(to: $0, most: 2) } ?? []
    }

    var scores: Scores {
        if let found { return found.judge.scores }
        var scores = watch.scores
        scores.similarity = nil
        return scores
    }

    mutating func observe(_ evidence: FrameEvidence, now: UInt64) -> Step {
        views.add(evidence)
        if found != nil { return found?.judge.observe(evidence, now: now) ?? .undecided }
        held.append((evidence, now))
        let step = watch.observe(evidence, now: now)
        if views.embeddings.count >= Search.leastViews { return beginJudging() ?? step }
        if case .decided = step { return beginJudging() ?? step }
        return step
    }

    mutating func tick(now: UInt64) -> Step {
        if found != nil { return found?.judge.tick(now: now) ?? .undecided }
        let step = watch.tick(now: now)
        if case .decided = step { return beginJudging() ?? step }
        return step
    }

    /// An acceptance holds only if all views together still point to the person who was judged.
    func confirmed(_ verdict: Verdict) -> Verdict {
        guard verdict.outcome == .accepted else { return verdict }
        guard let found, let nearest = candidates.first, AccountName.isSpelled(nearest.name, as: found.name) else {
            return Verdict(.refused, .otherPerson)
        }
        return verdict
    }

    /// Finds the nearest and shows the judge everything; the answer to the last frame, or nil where there is no view yet.
    private mutating func beginJudging() -> Step? {
        guard let nearest = candidates.first, let reference = people.reference(of: nearest.name) else { return nil }
        var judge = judge(reference)
        var last = Step.undecided
        for (evidence, at) in held {
            last = judge.observe(evidence, now: at)
            if case .decided = last { break }
        }
        held = []
        found = (nearest.name, judge)
        return last
    }
}
