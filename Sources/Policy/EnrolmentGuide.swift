// SPDX-License-Identifier: Apache-2.0
// Guided enrolment as a state machine: evidence goes in; guidance, accepted views and an end come out. It asks for one pose after the other,
// takes a view only where pose, sharpness, light, distance and the number of faces were measured to be right, and only of one person. Every wait is
// bounded. It knows no clock, no camera and no store.

public import Biometrics

/// Leads a person through the poses of an enrolment.
public struct EnrolmentGuide: Sendable {
    /// Something that happened.
    public enum Event: Sendable, Equatable {
        /// To be told to the person.
        case say(EnrolmentGuidance)
        /// A view was accepted.
        case took(EnrolmentSample)
    }

    /// How it ended.
    public enum End: Sendable, Equatable {
        /// Every needed pose has a view.
        case complete
        /// It did not come about.
        case refused(Refusal)
    }

    /// Why an enrolment did not come about.
    public enum Refusal: Sendable, Equatable {
        /// Nobody was seen.
        case noFace
        /// The picture was too dark throughout.
        case tooDark
        /// A second person stayed in view.
        case severalFaces
        /// The views are of different people, or not of the person already enrolled.
        case differentPeople
        /// A needed pose was not reached in its time, and what last stood in the way.
        case notReached(EnrolmentPose, EnrolmentGuidance?)
    }

    /// The poses asked for, in their order.
    public let poses: [EnrolmentPose]
    /// The views so far.
    public private(set) var samples: [EnrolmentSample] = []
    /// The poses that were gone on without.
    public private(set) var skipped: [EnrolmentPose] = []
    /// How it ended; nil while it goes on.
    public private(set) var end: End?
    /// How far the present pose is reached in the newest frame, 0 to 1; nil without a face.
    public private(set) var reach: Float?

    private let needed: Set<EnrolmentPose>
    private let known: Embedding?
    private var place = 0
    private var since: UInt64
    private var tookAt: UInt64?
    private var neutral: Pose?
    private var held: [(at: UInt64, face: FaceEvidence, frame: UInt32)] = []
    private var strangers = 0
    private var unseenSince: UInt64?
    private var several: (since: UInt64, latest: UInt64)?
    private var isDark = false
    private var obstacle: EnrolmentGuidance?
    private var obstacleSince: UInt64 = 0
    private var said: EnrolmentGuidance?
    private var saidAt: UInt64 = 0

    /// A guide that begins at `now` (milliseconds of a monotonic clock).
    ///
    /// - Parameters:
    ///   - poses: what to ask for; must not be empty, and begins with the centre, from which the others are measured.
    ///   - needed: without these there is no enrolment; by default those that say so.
    ///   - known: the person already enrolled, when samples are added: each view must be of this person.
    public init(
        poses: [EnrolmentPose] = EnrolmentPose.allCases, needed: Set<EnrolmentPose>? = nil, known: Embedding? = nil,
        now: UInt64
    ) {
        self.poses = [.centre] + poses.filter { $0 != .centre }
        self.needed = needed ?? Set(EnrolmentPose.allCases.filter(\.isNeeded))
        self.known = known
        since = now
    }

    /// The pose asked for now; nil at the end.
    public var pose: EnrolmentPose? { end == nil && place < poses.count ? poses[place] : nil }

    /// How many poses are done with.
    public var done: Int { min(place, poses.count) }

    /// What to tell the person first.
    public mutating func begin(now: UInt64) -> [Event] {
        since = now
        return say(.take(poses[0]), now, atOnce: true)
    }

    /// Takes a frame.
    public mutating func observe(_ evidence: FrameEvidence, now: UInt64) -> [Event] {
        guard end == nil, let pose else { return [] }
        // A second face that the detector loses for a frame or two is still there.
        if let company = several, now > company.latest + EnrolmentRule.gap { several = nil }
        switch FaceQuality(evidence) {
        case .dark: return unseen(now, isDark: true)
        case .empty: return unseen(now, isDark: false)
        case .several: return company(now)
        case .usable(let face): return seen(face, evidence, pose, problem: nil, now)
        case .unusable(let notice):
            unseenSince = nil
            // A head that is asked to turn may look aside; how far is the pose's business.
            if notice == .lookStraight, let face = evidence.faces.max(by: { $0.box.width < $1.box.width }) {
                return seen(face, evidence, pose, problem: notice, now)
            }
            return hinder(.scene(notice), now)
        }
    }

    /// What follows from time alone; to be called a few times a second.
    public mutating func tick(now: UInt64) -> [Event] {
        guard end == nil, let pose else { return [] }
        if let unseenSince, now >= unseenSince + EnrolmentRule.patience {
            return finish(.refused(isDark ? .tooDark : .noFace))
        }
        if let several, now >= several.since + EnrolmentRule.several { return finish(.refused(.severalFaces)) }
        if let tookAt {
            return now >= tookAt + EnrolmentRule.secondView ? advance(now) : []
        }
        let isNeeded = needed.contains(pose)
        guard now >= since + (isNeeded ? EnrolmentRule.needed : EnrolmentRule.optional) else { return [] }
        if isNeeded { return finish(.refused(.notReached(pose, obstacle))) }
        skipped.append(pose)
        return [.say(.without(pose))] + advance(now)
    }

    // MARK: What a frame shows

    private mutating func unseen(_ now: UInt64, isDark: Bool) -> [Event] {
        self.isDark = isDark
        if unseenSince == nil { unseenSince = now }
        return hinder(.scene(isDark ? .moreLight : .lookAtCamera), now)
    }

    private mutating func company(_ now: UInt64) -> [Event] {
        unseenSince = nil
        several = (several?.since ?? now, now)
        return hinder(.scene(.onePersonOnly), now)
    }

    private mutating func seen(
        _ face: FaceEvidence, _ evidence: FrameEvidence, _ pose: EnrolmentPose, problem: Notice?, _ now: UInt64
    ) -> [Event] {
        unseenSince = nil
        if let fault = EnrolmentGate.fault(of: face) { return hinder(fault, now) }
        guard let angles = Pose(face.landmarks) else { return hinder(.scene(.lookAtCamera), now) }
        let gate = EnrolmentGate(pose: pose, neutral: neutral)
        reach = gate.reach(angles)
        if problem != nil { return hinder(gate.turnsAside ? .back : .take(pose), now) }
        if let fault = gate.fault(angles) { return hinder(fault, now) }
        obstacle = nil
        if let last = held.last, now > last.at + EnrolmentRule.gap { held = [] }
        held.append((now, face, evidence.sequence))
        guard held.count >= EnrolmentRule.heldFrames, let first = held.first, now >= first.at + EnrolmentRule.heldSpan
        else { return say(.hold, now, atOnce: false) }
        return take(pose, now)
    }

    /// The sharpest of the held views, when it is of the same person and adds something.
    private mutating func take(_ pose: EnrolmentPose, _ now: UInt64) -> [Event] {
        let views = held.filter { $0.face.embedding != nil }
        guard let best = views.max(by: { $0.face.sharpness < $1.face.sharpness }), let embedding = best.face.embedding
        else { return [] }
        let reference = known ?? Embedding.mean(of: samples.map(\.embedding))
        if let reference, embedding.similarity(to: reference) < Calibration.threshold(for: .balanced) {
            held = []
            // A chin raised or lowered far looks like nobody in particular: such a view is not taken, and proves no stranger.
            guard needed.contains(pose) else {
                obstacle = .back
                return say(.back, now, atOnce: false)
            }
            strangers += 1
            if strangers >= EnrolmentRule.strangers { return finish(.refused(.differentPeople)) }
            return say(.samePerson, now, atOnce: true)
        }
        strangers = 0
        if samples.contains(where: { $0.embedding.similarity(to: embedding) >= EnrolmentRule.alike }) {
            // Nothing new: the oldest view leaves, so that the head's small motions can bring another.
            held.removeFirst()
            return []
        }
        let sample = EnrolmentSample(
            embedding: embedding, note: SampleNote(pose: pose, quality: SampleQuality(best.face)), frame: best.frame)
        if pose == .centre, neutral == nil { neutral = EnrolmentGuide.middle(views.map(\.face)) }
        samples.append(sample)
        held = []
        obstacle = nil
        let isFirst = tookAt == nil
        if isFirst { tookAt = now }
        let count = samples.count { $0.note.pose == pose }
        return [.took(sample)] + (count >= EnrolmentRule.views ? advance(now) : [])
    }

    /// The middle of the angles over the held views.
    private static func middle(_ faces: [FaceEvidence]) -> Pose? {
        let poses = faces.compactMap { Pose($0.landmarks) }
        guard !poses.isEmpty else { return nil }
        func median(_ values: [Float]) -> Float { values.sorted()[values.count / 2] }
        return Pose(yaw: median(poses.map(\.yaw)), pitch: median(poses.map(\.pitch)), roll: median(poses.map(\.roll)))
    }

    // MARK: Going on

    private mutating func advance(_ now: UInt64) -> [Event] {
        place += 1
        held = []
        tookAt = nil
        obstacle = nil
        since = now
        reach = nil
        guard place < poses.count else { return finish(.complete) + [.say(.finished)] }
        return say(.take(poses[place]), now, atOnce: true)
    }

    private mutating func finish(_ end: End) -> [Event] {
        self.end = end
        return []
    }

    /// Something stands in the way of a view: the hold is broken, and it is told when it lasts.
    private mutating func hinder(_ guidance: EnrolmentGuidance, _ now: UInt64) -> [Event] {
        held = []
        if guidance != obstacle {
            obstacle = guidance
            obstacleSince = now
        }
        guard now >= obstacleSince + EnrolmentRule.settle else { return [] }
        return say(guidance, now, atOnce: false)
    }

    /// Says it, unless it was the last thing said or the last thing was said just now.
    private mutating func say(_ guidance: EnrolmentGuidance, _ now: UInt64, atOnce: Bool) -> [Event] {
        guard atOnce || (guidance != said && now >= saidAt + EnrolmentRule.apart) else { return [] }
        said = guidance
        saidAt = now
        return [.say(guidance)]
    }
}
