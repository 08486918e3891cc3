// SPDX-License-Identifier: Apache-2.0
// The whole observer over fakes: what it reports and when it spends time on the recogniser.

import Biometrics
import Testing

@testable import Vision

@Suite struct ObserverTests {
    private static let marks: [Float] = [3.6, 3.4, 6.4, 3.4, 5, 4.9, 3.9, 6.2, 6.1, 6.2]

    /// A face in the middle of a 320x256 input, eight cells of 32 wide at most; `faces` of them side by side.
    private func detector(faces: Int = 1) -> FakeEngine {
        FakeEngine.detector { tensor, _ in
            var values = [Float](repeating: 0, count: tensor.shape.reduce(1, *))
            for face in 0..<faces {
                switch tensor.name {
                case "cls_32", "obj_32": values[face] = 0.9
                case "bbox_32":
                    values.replaceSubrange(
                        (face * 4)..<(face * 4 + 4), with: [5 - Float(face) * 3, 4.5, 1.6 - Float(face), 1.7])
                case "kps_32":
                    let marks = ObserverTests.marks.enumerated().map { $0 % 2 == 0 ? $1 - Float(face) * 3 : $1 }
                    values.replaceSubrange((face * 10)..<(face * 10 + 10), with: marks)
                default: break
                }
            }
            return values
        }
    }

    private func recogniser() -> FakeEngine {
        FakeEngine.recogniser { _, _ in (0..<128).map { $0 == 5 ? 2 : 0 } }
    }

    private func frame(at time: UInt64, shiftedBy shift: (Int, Int) = (0, 0), _ format: Frame.Format = .rgb) throws
        -> Frame
    {
        let picture = texture(320, 256, format, shiftedBy: shift)
        return try #require(
            Frame(width: 320, height: 256, format: format, pixels: picture.pixels, timestamp: time))
    }

    @Test func reportsEverythingOfAFace() throws {
        let liveness = FakeEngine.liveness([2, -1])
        var observer = try Observer(
            detector: detector(), recogniser: recogniser(), liveness: liveness,
            secondOpinion: FakeEngine.liveness([0, 1]))
        #expect(observer.hasLiveness && observer.hasSecondOpinion)
        let first = try observer.observe(frame(at: 100), sequence: 3)
        #expect(first.sequence == 3 && first.timestamp == 100 && first.width == 320 && first.height == 256)
        #expect(abs(first.brightness - 127) < 5 && first.contrast > 20)
        let face = try #require(first.faces.first)
        #expect(face.track == 1 && abs(face.score - 0.9) < 1e-6)
        #expect(face.landmarks.nose == Point(160, 156.8))
        #expect(face.brightness > 100 && face.contrast > 10 && face.sharpness > 1)
        #expect(face.embedding?.values[5] == 1)
        #expect(face.passive == 3 && face.secondOpinion == -1)
        #expect(face.motion == nil && face.screen != nil)
        let second = try observer.observe(frame(at: 133, shiftedBy: (2, 0)), sequence: 4)
        #expect(second.faces.first?.track == 1)
        let motion = try #require(second.faces.first?.motion)
        #expect(abs(motion.face.x - 2) < 0.3 && abs(motion.surround.x - 2) < 0.3)
        #expect(second.fingerprint != first.fingerprint)
    }

    @Test func saysWhenThePassiveNetworkIsMissing() throws {
        var observer = try Observer(detector: detector(), recogniser: recogniser())
        #expect(!observer.hasLiveness && !observer.hasSecondOpinion)
        let face = try #require(try observer.observe(frame(at: 0), sequence: 0).faces.first)
        #expect(face.passive == nil && face.secondOpinion == nil)
    }

    @Test func doesNotJudgeInfraredByAColourNetwork() throws {
        let liveness = FakeEngine.liveness([2, -1])
        var observer = try Observer(detector: detector(), recogniser: recogniser(), liveness: liveness)
        let evidence = try observer.observe(frame(at: 0, .grey), sequence: 0, role: .infrared)
        #expect(evidence.role == .infrared && evidence.faces.first?.passive == nil)
        #expect(liveness.runs == 0)
        // Numbers of the two cameras never meet.
        #expect(try observer.observe(frame(at: 0), sequence: 1).faces.first?.track == 1)
        #expect((evidence.faces.first?.track ?? 0) >= 0x8000_0000)
    }

    @Test func embedsTheFirstViewThatWhichMayDecideAndThenNowAndThen() throws {
        let engine = recogniser()
        var observer = try Observer(detector: detector(), recogniser: engine)
        let embedded = try (0..<16).map { i in
            try observer.observe(frame(at: UInt64(i) * 50), sequence: UInt32(i)).faces.first?.embedding != nil
        }
        #expect(embedded.indices.filter { embedded[$0] } == [0, 8, 13])
        #expect(engine.runs == embedded.count { $0 })
    }

    @Test func embedsAtOnceWhatNoLongerLooksLikeTheFaceCompared() throws {
        // Another face in the same place for three frames, so that the track goes on.
        let engine = recogniser()
        var observer = try Observer(detector: detector(), recogniser: engine)
        var tracks: Set<UInt32> = []
        let embedded = try (0..<7).map { i in
            let shift = (2...4).contains(i) ? (60, 35) : (0, 0)
            let face = try observer.observe(frame(at: UInt64(i) * 50, shiftedBy: shift), sequence: UInt32(i)).faces
                .first
            if let face { tracks.insert(face.track) }
            return face?.embedding != nil
        }
        #expect(tracks == [1])
        #expect(embedded.indices.filter { embedded[$0] } == [0, 2, 5])
    }

    @Test(arguments: [(EmbeddingChoice.none, 0), (.every, 6)]) func embedsAsAsked(choice: EmbeddingChoice, runs: Int)
        throws
    {
        let engine = recogniser()
        var observer = try Observer(detector: detector(), recogniser: engine)
        for i in 0..<6 { _ = try observer.observe(frame(at: UInt64(i)), sequence: UInt32(i), embed: choice) }
        #expect(engine.runs == runs)
    }

    @Test func spendsNothingOnAnUnusableFace() throws {
        let engine = recogniser()
        var observer = try Observer(detector: detector(), recogniser: engine)
        let black = try #require(
            Frame(
                width: 320, height: 256, format: .grey, pixels: [UInt8](repeating: 3, count: 320 * 256), timestamp: 0))
        let evidence = try observer.observe(black, sequence: 0)
        #expect(evidence.faces.count == 1 && evidence.brightness == 3 && evidence.contrast == 0)
        #expect(engine.runs == 0)
    }

    @Test func leavesOutAnEmbeddingThatIsNone() throws {
        let engine = FakeEngine.recogniser { _, _ in [Float](repeating: .nan, count: 128) }
        var observer = try Observer(detector: detector(), recogniser: engine)
        let face = try #require(try observer.observe(frame(at: 0), sequence: 0, embed: .every).faces.first)
        #expect(engine.runs == 1 && face.embedding == nil)
    }

    @Test func refusesNetworksInEachOthersPlace() {
        #expect(throws: VisionError.self) { try Observer(detector: recogniser(), recogniser: recogniser()) }
        #expect(throws: VisionError.self) { try Observer(detector: detector(), recogniser: detector()) }
        #expect(throws: VisionError.self) {
            try Observer(detector: detector(), recogniser: recogniser(), liveness: recogniser())
        }
    }
}
