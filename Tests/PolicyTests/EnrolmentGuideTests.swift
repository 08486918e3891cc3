// SPDX-License-Identifier: Apache-2.0
// Guided enrolment on synthetic evidence: a head of points that does as it is told, or does not.

import Biometrics
import TestSupport
import Testing

@testable import Policy

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct EnrolmentGuideTests {
    /// Somebody in front of a guide.
    ///
    /// Each view's embedding is near the person's own and different in each frame.
    struct Sitting {
        var script = EvidenceScript(noise: 0)
        var guide: EnrolmentGuide
        var said: [EnrolmentGuidance] = []
        var took: [EnrolmentPose] = []
        /// Radians, as the head is held.
        var yaw: Float = 0
        var pitch: Float = 0
        /// Cosine to the person; and whether each frame brings a new view.
        var similarity: Float = 0.8
        var varies = true
        var quality: (brightness: Float, contrast: Float, sharpness: Float) = (120, 40, 200)
        var size: Float = 70
        var roll: Float = 0
        private var count = 0

        init(_ guide: EnrolmentGuide = EnrolmentGuide(now: 10_000)) {
            self.guide = guide
            hear(self.guide.begin(now: 10_000))
        }

        private mutating func hear(_ events: [EnrolmentGuide.Event]) {
            for event in events {
                switch event {
                case .say(let guidance): said.append(guidance)
                case .took(let sample): took.append(sample.note.pose ?? .centre)
                }
            }
        }

        /// One frame of this many people.
        mutating func frame(people: Int = 1) {
            var subject = EvidenceScript.Subject(
                pose: .init(yaw: yaw, pitch: pitch, roll: roll, size: size), quality: quality)
            subject.similarity = similarity
            var evidence = script.frame([EvidenceScript.Subject](repeating: subject, count: people))
            for index in evidence.faces.indices { evidence.faces[index].embedding = view() }
            hear(guide.tick(now: evidence.timestamp))
            hear(guide.observe(evidence, now: evidence.timestamp))
        }

        /// The person's view: `similarity` to the owner, the rest in a direction that moves on from frame to frame.
        private mutating func view() -> Embedding? {
            if varies { count += 1 }
            var values = [Float](repeating: 0, count: Embedding.dimension)
            values[0] = similarity
            values[1 + count % 100] = (1 - similarity * similarity).squareRoot()
            return Embedding(values)
        }

        /// So many milliseconds of frames, the head doing what it is asked to, as far as `obeys` allows.
        mutating func sit(_ milliseconds: UInt64, obeys: (EnrolmentPose) -> (yaw: Float, pitch: Float)) {
            let until = script.now + milliseconds
            while script.now < until, guide.end == nil {
                if let pose = guide.pose { (yaw, pitch) = obeys(pose) }
                frame()
            }
        }
    }

    /// Radians of a person who does everything; chin down is positive in the pretended head.
    static func willing(_ pose: EnrolmentPose) -> (yaw: Float, pitch: Float) {
        switch pose {
        case .centre: (0, 0)
        case .left: (0.35, 0)
        case .right: (-0.35, 0)
        case .up: (0, -0.3)
        case .down: (0, 0.3)
        }
    }

    @Test func takesEachPoseOfSomebodyWhoDoesAsAsked() {
        var sitting = Sitting()
        sitting.sit(30_000, obeys: Self.willing)
        #expect(sitting.guide.end == .complete)
        #expect(Set(sitting.took) == Set(EnrolmentPose.allCases))
        #expect(sitting.took.first == .centre)
        #expect(sitting.guide.skipped == [])
        let asked = sitting.said.filter { if case .take = $0 { true } else { false } }
        #expect(asked == EnrolmentPose.allCases.map { .take($0) })
        #expect(sitting.said.last == .finished)
        #expect(sitting.guide.samples.count == 2 * EnrolmentPose.allCases.count)
    }

    @Test func notesTheAnglesOfEachView() throws {
        var sitting = Sitting()
        sitting.sit(30_000, obeys: Self.willing)
        func quality(_ pose: EnrolmentPose) throws -> SampleQuality {
            try #require(sitting.guide.samples.first { $0.note.pose == pose }?.note.quality)
        }
        #expect(try quality(.left).yaw > 12)
        #expect(try quality(.right).yaw < -12)
        #expect(try quality(.up).pitch > quality(.centre).pitch + 5)
        #expect(try quality(.down).pitch < quality(.centre).pitch - 5)
    }

    @Test func goesOnWithoutANodThatIsNotSeen() {
        var sitting = Sitting()
        sitting.sit(60_000) { $0 == .up || $0 == .down ? (0, 0) : Self.willing($0) }
        #expect(sitting.guide.end == .complete)
        #expect(sitting.guide.skipped == [.up, .down])
        #expect(sitting.said.contains(.without(.up)) && sitting.said.contains(.without(.down)))
        #expect(Set(sitting.took) == [.centre, .left, .right])
    }

    @Test(arguments: [EnrolmentPose.left, .right])
    func refusesWithoutATurn(_ pose: EnrolmentPose) {
        var sitting = Sitting()
        sitting.sit(90_000) { $0 == pose ? (0, 0) : Self.willing($0) }
        #expect(sitting.guide.end == .refused(.notReached(pose, .take(pose))))
    }

    @Test func takesNoTurnToTheWrongSide() {
        var sitting = Sitting()
        sitting.sit(60_000) { $0 == .left ? (-0.35, 0) : Self.willing($0) }
        #expect(!sitting.took.contains(.left))
        #expect(sitting.guide.end == .refused(.notReached(.left, .take(.left))))
    }

    @Test func asksForMoreOfATurnThatFallsShort() {
        var sitting = Sitting()
        sitting.sit(6_000) { $0 == .left ? (0.15, 0) : Self.willing($0) }
        #expect(sitting.said.contains(.further))
        #expect(!sitting.took.contains(.left))
    }

    @Test func asksBackFromATurnThatGoesTooFar() {
        var sitting = Sitting()
        sitting.sit(6_000) { $0 == .left ? (0.75, 0) : Self.willing($0) }
        #expect(sitting.said.contains(.back))
        #expect(!sitting.took.contains(.left))
    }

    @Test func takesTheSamePictureOnlyOnce() {
        var sitting = Sitting()
        sitting.varies = false
        sitting.sit(90_000, obeys: Self.willing)
        #expect(sitting.took == [.centre], "every later view adds nothing")
        #expect(sitting.guide.end == .refused(.notReached(.left, nil)))
    }

    @Test func refusesAnotherPersonAmongTheViews() {
        var sitting = Sitting()
        sitting.sit(1_000, obeys: Self.willing)
        #expect(!sitting.took.isEmpty)
        sitting.similarity = 0.1
        sitting.sit(20_000, obeys: Self.willing)
        #expect(sitting.said.contains(.samePerson))
        #expect(sitting.guide.end == .refused(.differentPeople))
        #expect(sitting.guide.samples.allSatisfy { $0.embedding.similarity(to: EvidenceScript.owner) > 0.7 })
    }

    @Test func takesNoStrangerForANodEither() {
        var sitting = Sitting()
        for _ in 0..<2000 where sitting.guide.end == nil {
            sitting.similarity = sitting.guide.pose == .up || sitting.guide.pose == .down ? 0.1 : 0.8
            sitting.sit(66, obeys: Self.willing)
        }
        #expect(sitting.guide.end == .complete, "a far nod may look like nobody: it is gone on without")
        #expect(sitting.guide.skipped == [.up, .down])
        #expect(sitting.said.contains(.back))
        #expect(Set(sitting.took) == [.centre, .left, .right])
    }

    @Test func addsOnlyViewsOfTheEnrolledPerson() {
        var stranger = Sitting(EnrolmentGuide(known: EvidenceScript.owner, now: 10_000))
        stranger.similarity = 0.3
        stranger.sit(20_000, obeys: Self.willing)
        #expect(stranger.guide.end == .refused(.differentPeople))
        #expect(stranger.took.isEmpty)
        var owner = Sitting(EnrolmentGuide(known: EvidenceScript.owner, now: 10_000))
        owner.similarity = 0.6
        owner.sit(30_000, obeys: Self.willing)
        #expect(owner.guide.end == .complete)
    }

    /// What is wrong with a view, and what the person is told of it.
    struct Bad: Sendable {
        let name: String
        let expected: EnrolmentGuidance
        let spoil: @Sendable (inout Sitting) -> Void
    }

    static let bad: [Bad] = [
        Bad(name: "blurred", expected: .scene(.holdStill)) { $0.quality.sharpness = 15 },
        Bad(name: "dark", expected: .scene(.moreLight)) { $0.quality.brightness = 35 },
        Bad(name: "flat", expected: .scene(.moreLight)) { $0.quality.contrast = 11 },
        Bad(name: "bright", expected: .scene(.lessLight)) { $0.quality.brightness = 230 },
        Bad(name: "far away", expected: .scene(.moveCloser)) { $0.size = 28 },
        Bad(name: "leaning", expected: .upright) { $0.roll = 0.6 },
    ]

    @Test(arguments: bad.map(\.name))
    func takesNoViewThatIs(_ name: String) throws {
        let bad = try #require(Self.bad.first { $0.name == name })
        var sitting = Sitting()
        bad.spoil(&sitting)
        sitting.sit(40_000, obeys: Self.willing)
        #expect(sitting.took.isEmpty)
        #expect(sitting.said.contains(bad.expected))
        #expect(sitting.guide.end == .refused(.notReached(.centre, bad.expected)))
    }

    @Test func endsWhenASecondPersonStays() {
        var sitting = Sitting()
        for _ in 0..<120 where sitting.guide.end == nil { sitting.frame(people: 2) }
        #expect(sitting.said.contains(.scene(.onePersonOnly)))
        #expect(sitting.guide.end == .refused(.severalFaces))
        #expect(sitting.took.isEmpty)
    }

    @Test func endsWhenNobodyIsThere() {
        var empty = Sitting()
        for _ in 0..<400 where empty.guide.end == nil { empty.frame(people: 0) }
        #expect(empty.guide.end == .refused(.noFace))
        var dark = Sitting()
        dark.script.light = (8, 3)
        for _ in 0..<400 where dark.guide.end == nil { dark.frame(people: 0) }
        #expect(dark.said.contains(.scene(.moreLight)))
        #expect(dark.guide.end == .refused(.tooDark))
    }

    @Test func endsByTimeAloneWhenNoFrameComes() {
        var guide = EnrolmentGuide(now: 1_000)
        _ = guide.begin(now: 1_000)
        _ = guide.tick(now: 20_000)
        #expect(guide.end == nil)
        _ = guide.tick(now: 21_000)
        #expect(guide.end == .refused(.notReached(.centre, nil)))
    }

    @Test func startsAPoseAgainThatIsNotHeld() {
        var sitting = Sitting()
        // Two frames straight on, then two aside, again and again: never three in a row.
        for index in 0..<60 {
            sitting.yaw = index % 4 < 2 ? 0 : 0.3
            sitting.frame()
        }
        #expect(sitting.took.isEmpty)
    }

    @Test func saysNothingTwiceInARowWithinItsTime() {
        var sitting = Sitting()
        sitting.sit(10_000) { _ in (0.35, 0) }
        let repeats = zip(sitting.said, sitting.said.dropFirst()).filter { $0 == $1 }
        #expect(repeats.isEmpty)
        #expect(sitting.said.count < 8)
    }

    @Test func asksOnlyForThePosesOfItsPlan() {
        var sitting = Sitting(EnrolmentGuide(poses: [.right], needed: [.centre], now: 10_000))
        sitting.sit(30_000, obeys: Self.willing)
        #expect(sitting.guide.end == .complete)
        #expect(Set(sitting.took) == [.centre, .right])
    }

    @Test func wordsEveryGuidanceInOnePlainLine() {
        let all: [EnrolmentGuidance] =
            EnrolmentPose.allCases.flatMap { [.take($0), .without($0)] } + [
                .further, .back, .upright, .hold, .finished, .samePerson,
            ]
            + Notice.allCases.map { .scene($0) }
        for text in all.map({ Texts.text($0) }) {
            #expect(!text.isEmpty && text.count <= 90 && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "\(text)")
        }
    }
}
