// SPDX-License-Identifier: Apache-2.0
// Collects several good and differing samples of one face. It writes nothing: the caller stores the template in one transaction, so that an
// interrupted enrolment leaves nothing behind.

public import Biometrics
import Platform
public import Policy
public import TemplateStore
import Wire

/// What an enrolment has to say while it runs.
public enum EnrolmentProgress: Equatable, Sendable {
    /// So many samples of so many.
    case sample(taken: Int, of: Int, pose: Pose?)
    /// Something for the person to do.
    case notice(Notice)
}

/// Why an enrolment did not come about.
public enum EnrolmentRefusal: Equatable, Sendable {
    /// Nobody was seen.
    case noFace(picture: String?)
    /// More than one person was in view.
    case severalFaces(picture: String?)
    /// A face was seen, but never well enough; what would help.
    case unusable(Notice, picture: String?)
    /// The samples are of different people.
    case differentPeople(picture: String?)
    /// Too few good and differing samples before the deadline.
    case tooFew(taken: Int, of: Int)
    /// The picture was too dark.
    case tooDark
    /// A pose without which there is no enrolment was not reached in its time; what last stood in the way.
    case notReached(EnrolmentPose, EnrolmentGuidance?)
    /// The views are not of the person who is enrolled already.
    case notTheEnrolled
    /// The caller ended it.
    case cancelled
}

/// The end of an enrolment.
public enum EnrolmentResult: Equatable, Sendable {
    /// The samples and what is known of them, ready to be stored.
    case enrolled(Template, EnrolmentExtras)
    /// Why not.
    case refused(EnrolmentRefusal)
}

/// Gathers samples by rules; apart from any worker, so that it can be tested with made-up evidence.
public struct SampleCollection: Sendable {
    /// How many samples an enrolment by camera takes.
    public static let wanted = 8
    /// Two samples nearer than this show the same thing.
    static let alike: Float = 0.985
    /// A sample further from the mean than this is of another person.
    static let same = Calibration.threshold(for: .balanced)
    /// Milliseconds between two samples, unless they differ much.
    static let apart: UInt64 = 250
    /// From the first face on, this many frames with a second person end the enrolment.
    static let severalFrames = 3
    /// So many samples of someone else in a row end it.
    static let foreignFrames = 3

    /// The samples so far.
    public private(set) var samples: [Embedding] = []
    /// What is known of each.
    public private(set) var notes: [SampleNote] = []
    private let goal: Int
    private var latest: UInt64 = 0
    private var several = 0
    private var foreign = 0
    private var sawFace = false
    private var sawLight = false
    private var lastNotice: Notice?

    /// A collection that wants so many samples.
    public init(goal: Int = wanted) { self.goal = goal }

    /// True when there are as many samples as wanted.
    public var isComplete: Bool { samples.count >= goal }

    /// Takes a frame; what there is to tell, or why it cannot go on.
    public mutating func add(_ evidence: FrameEvidence) -> Result<EnrolmentProgress?, Refusal> {
        switch FaceQuality(evidence) {
        case .dark: return .success(.notice(.moreLight))
        case .empty:
            sawLight = true
            return .success(sawFace ? .notice(.lookAtCamera) : nil)
        case .several:
            sawFace = true
            several += 1
            return several >= SampleCollection.severalFrames
                ? .failure(.init(.severalFaces(picture: nil))) : .success(.notice(.onePersonOnly))
        case .unusable(let notice):
            sawFace = true
            lastNotice = notice
            return .success(.notice(notice))
        case .usable(let face):
            sawFace = true
            return take(face, at: evidence.timestamp)
        }
    }

    /// What stands in the way when time is up.
    public var refusal: EnrolmentRefusal {
        if !samples.isEmpty { return .tooFew(taken: samples.count, of: goal) }
        if let lastNotice { return .unusable(lastNotice, picture: nil) }
        return sawFace || sawLight ? .noFace(picture: nil) : .tooDark
    }

    private mutating func take(_ face: FaceEvidence, at time: UInt64) -> Result<EnrolmentProgress?, Refusal> {
        guard let embedding = face.embedding else { return .success(nil) }
        if let mean = Embedding.mean(of: samples) {
            guard embedding.similarity(to: mean) >= SampleCollection.same else {
                foreign += 1
                return foreign >= SampleCollection.foreignFrames
                    ? .failure(.init(.differentPeople(picture: nil))) : .success(nil)
            }
            foreign = 0
            let nearest = samples.map { embedding.similarity(to: $0) }.max() ?? -1
            guard nearest < SampleCollection.alike, time >= latest + SampleCollection.apart else {
                return .success(nil)
            }
        }
        samples.append(embedding)
        notes.append(SampleNote(pose: nil, quality: SampleQuality(face)))
        latest = time
        return .success(.sample(taken: samples.count, of: goal, pose: Pose(face.landmarks)))
    }

    /// A refusal that can be thrown.
    public struct Refusal: Error, Equatable, Sendable {
        /// Why.
        public let why: EnrolmentRefusal
        init(_ why: EnrolmentRefusal) { self.why = why }
    }
}

/// Runs an enrolment over a worker.
public struct EnrolmentSession: ~Copyable {
    /// The most pictures one enrolment takes.
    public static let mostPictures = 16
    let environment: LoginEnvironment
    var sighting: Sighting
    let keepsPicture: Bool
    var kept = KeptPicture()

    /// Starts a worker.
    ///
    /// - Parameter keepsPicture: whether the worker is asked for pictures, and the aligned face of one view becomes part of the result. Never
    ///   unless an administrator asked for it.
    public init(
        _ environment: LoginEnvironment, settings: Settings, keepsPicture: Bool = false
    ) throws(MonitorError) {
        self.environment = environment
        self.keepsPicture = keepsPicture
        sighting = try EnrolmentSession.begin(environment, settings, keepsPicture)
    }

    private static func begin(
        _ environment: LoginEnvironment, _ settings: Settings, _ keepsPicture: Bool
    ) throws(MonitorError) -> Sighting {
        var sighting = try Sighting(environment, settings: settings)
        if keepsPicture { try sighting.share(PictureSharing(faces: true)) }
        return sighting
    }

    /// Remembers the picture of a frame's only face, where pictures are wanted.
    mutating func notePicture(of evidence: FrameEvidence) {
        guard keepsPicture, let face = evidence.faces.first else { return }
        kept.note(sighting.picture(ofTrack: face.track), frame: evidence.sequence)
    }

    /// Collects samples from the camera until there are enough, the deadline passes, or a rule is broken.
    ///
    /// - Parameters:
    ///   - label: what the user calls the enrolment.
    ///   - milliseconds: how long it may take.
    ///   - known: the person already enrolled, when samples are added.
    ///   - progress: called for each sample and for advice, at most once for the same advice in a row; false ends the enrolment.
    public mutating func enrolFromCamera(
        label: String, milliseconds: UInt64 = 45_000, known: Embedding? = nil, progress: (EnrolmentProgress) -> Bool
    ) throws(MonitorError) -> EnrolmentResult {
        try sighting.openCamera(embedEvery: true)
        var collection = SampleCollection()
        var said: EnrolmentProgress?
        let deadline = environment.time.now() + milliseconds
        while environment.time.now() < deadline, let reply = try sighting.next(until: deadline) {
            if case .end = reply { break }
            guard case .frame(let evidence) = reply else { continue }
            notePicture(of: evidence)
            let taken = collection.samples.count
            let step = collection.add(evidence)
            if collection.samples.count > taken { kept.keep(frame: evidence.sequence) }
            switch step {
            case .failure(let refusal): return .refused(refusal.why)
            case .success(let news):
                if let news, news != said {
                    guard progress(news) else { return .refused(collection.refusal) }
                    said = news
                }
            }
            if collection.isComplete {
                guard EnrolmentSession.are(collection.samples, of: known) else { return .refused(.notTheEnrolled) }
                return .enrolled(
                    template(label, collection.samples),
                    EnrolmentExtras(camera: sighting.camera, notes: collection.notes, picture: kept.crop))
            }
        }
        return .refused(collection.refusal)
    }

    /// Takes one sample of each picture; each must show exactly one usable face, and all of them the same person's.
    public mutating func enrolFromPictures(
        _ paths: [String], label: String, known: Embedding? = nil, progress: (EnrolmentProgress) -> Bool
    ) throws(MonitorError) -> EnrolmentResult {
        guard (1...EnrolmentSession.mostPictures).contains(paths.count) else {
            throw .picture("an enrolment takes 1 to \(EnrolmentSession.mostPictures) pictures")
        }
        var samples: [Embedding] = []
        var notes: [SampleNote] = []
        for path in paths {
            let seen = try evidence(ofPicture: path)
            switch FaceQuality(seen) {
            case .dark, .empty: return .refused(.noFace(picture: path))
            case .several: return .refused(.severalFaces(picture: path))
            case .unusable(let notice): return .refused(.unusable(notice, picture: path))
            case .usable(let face):
                guard let embedding = face.embedding else { return .refused(.noFace(picture: path)) }
                if let mean = Embedding.mean(of: samples), embedding.similarity(to: mean) < SampleCollection.same {
                    return .refused(.differentPeople(picture: path))
                }
                samples.append(embedding)
                kept.keep(frame: seen.sequence)
                notes.append(SampleNote(pose: nil, quality: SampleQuality(face)))
                let news = EnrolmentProgress.sample(
                    taken: samples.count, of: paths.count, pose: Pose(face.landmarks))
                guard progress(news) else { return .refused(.tooFew(taken: samples.count, of: paths.count)) }
            }
        }
        guard EnrolmentSession.are(samples, of: known) else { return .refused(.notTheEnrolled) }
        return .enrolled(template(label, samples), EnrolmentExtras(notes: notes, picture: kept.crop))
    }

    /// Whether all samples are of the person already enrolled; of anybody when nobody is.
    private static func are(_ samples: [Embedding], of known: Embedding?) -> Bool {
        guard let known else { return true }
        return samples.allSatisfy { $0.similarity(to: known) >= SampleCollection.same }
    }

    /// The evidence of one picture.
    private mutating func evidence(ofPicture path: String) throws(MonitorError) -> FrameEvidence {
        do throws(MonitorError) {
            try sighting.look(atPicture: path)
            var found: FrameEvidence?
            let deadline = environment.time.now() + 10_000
            while let reply = try sighting.next(until: deadline) {
                if case .frame(let evidence) = reply {
                    found = evidence
                    notePicture(of: evidence)
                }
                if case .end = reply { break }
            }
            guard let found else { throw .picture("nothing was seen in it") }
            return found
        } catch .picture(let words) { throw .picture("'\(path)': \(words)") } catch { throw error }
    }

    func template(_ label: String, _ samples: [Embedding]) -> Template {
        Template(label: label, embeddings: samples, model: sighting.models.recogniserHash)
    }
}
