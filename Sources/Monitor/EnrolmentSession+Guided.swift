// SPDX-License-Identifier: Apache-2.0
// Guided enrolment over a worker: frames go to the guide, what the guide says goes to the caller. Like the quick way it writes nothing.

public import Biometrics
import Platform
public import Policy
import TemplateStore
import Wire

/// What a guided enrolment is to take.
public struct GuidedPlan: Sendable {
    /// The poses, in their order.
    public var poses: [EnrolmentPose]
    /// Those without which there is no enrolment; nil: centre and both sides.
    public var needed: Set<EnrolmentPose>?
    /// The person already enrolled, when samples are added.
    public var known: Embedding?

    /// A whole enrolment, or part of one.
    public init(
        poses: [EnrolmentPose] = EnrolmentPose.allCases, needed: Set<EnrolmentPose>? = nil, known: Embedding? = nil
    ) {
        self.poses = poses
        self.needed = needed
        self.known = known
    }
}

/// What a guided enrolment has to say while it runs.
public enum GuidedProgress: Equatable, Sendable {
    /// To be told to the person.
    case say(EnrolmentGuidance)
    /// A view was accepted; so many poses of so many are done with.
    case took(EnrolmentPose, done: Int, of: Int)
    /// A frame was looked at: the pose asked for and how far it is reached, 0 to 1.
    case view(EnrolmentPose, reach: Float?, done: Int, of: Int)
}

extension EnrolmentSession {
    /// Leads the person through the poses of a plan.
    ///
    /// - Parameters:
    ///   - label: what the user calls the enrolment.
    ///   - progress: called for every piece of guidance and every frame; false ends the enrolment.
    public mutating func enrolGuided(
        label: String, plan: GuidedPlan = GuidedPlan(), progress: (GuidedProgress) -> Bool
    ) throws(MonitorError) -> EnrolmentResult {
        try sighting.openCamera(embedEvery: true)
        let time = environment.time
        var guide = EnrolmentGuide(poses: plan.poses, needed: plan.needed, known: plan.known, now: time.now())
        var isListening = true
        guard tell(guide.begin(now: time.now()), of: guide, progress) else { return .refused(.cancelled) }
        while guide.end == nil {
            var events = guide.tick(now: time.now())
            if isListening, guide.end == nil, let reply = try sighting.next(until: time.now() + 100) {
                switch reply {
                case .end: isListening = false
                case .frame(let evidence):
                    notePicture(of: evidence)
                    events += guide.observe(evidence, now: time.now())
                    guard show(guide, progress) else { return .refused(.cancelled) }
                default: break
                }
            } else if !isListening {
                _ = try system { () throws(PlatformError) in try Readiness.pause(until: time.now() + 50) }
            }
            for case .took(let sample) in events { kept.keep(frame: sample.frame) }
            guard tell(events, of: guide, progress) else { return .refused(.cancelled) }
        }
        if case .refused(let why) = guide.end { return .refused(refusal(why, isAdding: plan.known != nil)) }
        return .enrolled(
            template(label, guide.samples.map(\.embedding)),
            EnrolmentExtras(camera: sighting.camera, notes: guide.samples.map(\.note), picture: kept.crop))
    }

    private func show(_ guide: EnrolmentGuide, _ progress: (GuidedProgress) -> Bool) -> Bool {
        guard let pose = guide.pose else { return true }
        return progress(.view(pose, reach: guide.reach, done: guide.done, of: guide.poses.count))
    }

    private func tell(
        _ events: [EnrolmentGuide.Event], of guide: EnrolmentGuide, _ progress: (GuidedProgress) -> Bool
    ) -> Bool {
        events.allSatisfy { event in
            switch event {
            case .say(let guidance): progress(.say(guidance))
            case .took(let sample):
                progress(.took(sample.note.pose ?? .centre, done: guide.done, of: guide.poses.count))
            }
        }
    }

    private func refusal(_ why: EnrolmentGuide.Refusal, isAdding: Bool) -> EnrolmentRefusal {
        switch why {
        case .noFace: .noFace(picture: nil)
        case .tooDark: .tooDark
        case .severalFaces: .severalFaces(picture: nil)
        case .differentPeople: isAdding ? .notTheEnrolled : .differentPeople(picture: nil)
        case .notReached(let pose, let obstacle): .notReached(pose, obstacle)
        }
    }
}
