// SPDX-License-Identifier: Apache-2.0
// Evidence written and read again, with random numbers inside the ranges. Hostile numbers are in Tests/Wire/frames.txt.

import Biometrics
import Testing

@testable import Wire

/// A generator with a fixed seed (splitmix64), so that a failure can be repeated.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

@Suite struct EvidenceCodingTests {
    private func point(_ range: ClosedRange<Float>, _ random: inout Seeded) -> Point {
        Point(.random(in: range, using: &random), .random(in: range, using: &random))
    }

    private func face(_ random: inout Seeded) -> FaceEvidence {
        let points = (0..<5).map { _ in point(-4096...8192, &random) }
        let values = (0..<128).map { _ in Float.random(in: -0.1...0.1, using: &random) }
        return FaceEvidence(
            track: .random(in: 0...UInt32.max, using: &random),
            box: Box(
                x: .random(in: -4096...8192, using: &random), y: .random(in: -4096...8192, using: &random),
                width: .random(in: 1...8192, using: &random), height: .random(in: 1...8192, using: &random)),
            score: .random(in: 0...1, using: &random),
            landmarks: Landmarks(
                rightEye: points[0], leftEye: points[1], nose: points[2], rightMouth: points[3], leftMouth: points[4]),
            brightness: .random(in: 0...255, using: &random), contrast: .random(in: 0...128, using: &random),
            sharpness: .random(in: 0...1e6, using: &random),
            embedding: Bool.random(using: &random) ? Embedding(values) : nil,
            passive: Bool.random(using: &random) ? .random(in: -100...100, using: &random) : nil,
            secondOpinion: Bool.random(using: &random) ? .random(in: -100...100, using: &random) : nil,
            motion: Bool.random(using: &random)
                ? Motion(
                    face: point(-512...512, &random), surround: point(-512...512, &random),
                    faceChange: .random(in: 0...255, using: &random),
                    surroundChange: .random(in: 0...255, using: &random)) : nil,
            screen: Bool.random(using: &random) ? .random(in: 0...1, using: &random) : nil)
    }

    @Test func readsWhatItWrote() throws {
        var random = Seeded(state: 20_260_930)
        for _ in 0..<500 {
            let evidence = FrameEvidence(
                sequence: .random(in: 0...UInt32.max, using: &random),
                timestamp: .random(in: 0...UInt64.max, using: &random),
                role: CameraRole.allCases.randomElement(using: &random) ?? .colour,
                width: .random(in: 1...4096, using: &random), height: .random(in: 1...4096, using: &random),
                brightness: .random(in: 0...255, using: &random), contrast: .random(in: 0...128, using: &random),
                fingerprint: .random(in: 0...UInt64.max, using: &random),
                faces: (0..<Int.random(in: 0...8, using: &random)).map { _ in face(&random) })
            guard case .frame(let read) = try WorkerReply(WorkerReply.frame(evidence).frame) else {
                Issue.record("not a frame")
                return
            }
            expectSame(read, evidence)
        }
    }

    /// Equal but for the embedding, which is normalised once more when it is read.
    private func expectSame(_ read: FrameEvidence, _ sent: FrameEvidence) {
        var read = read
        var sent = sent
        #expect(read.faces.count == sent.faces.count)
        for i in sent.faces.indices where i < read.faces.count {
            #expect((read.faces[i].embedding == nil) == (sent.faces[i].embedding == nil))
            if let ours = read.faces[i].embedding, let theirs = sent.faces[i].embedding {
                #expect(ours.similarity(to: theirs) > 0.999_999)
            }
            read.faces[i].embedding = nil
            sent.faces[i].embedding = nil
        }
        #expect(read == sent)
    }

    @Test func reportsAtMostEightFaces() throws {
        var random = Seeded(state: 1)
        let evidence = FrameEvidence(
            sequence: 0, timestamp: 0, width: 1, height: 1, brightness: 0, contrast: 0, fingerprint: 0,
            faces: (0..<11).map { _ in face(&random) })
        guard case .frame(let read) = try WorkerReply(WorkerReply.frame(evidence).frame) else {
            Issue.record("not a frame")
            return
        }
        #expect(read.faces.count == 8)
        #expect(read.faces.map(\.track) == evidence.faces.prefix(8).map(\.track))
    }

    @Test func theLimitHasRoomForEverythingAndNotOneByteMore() throws {
        let full = try #require(Sample.named("frame-full-face"))
        #expect(full.bytes.count == 4 + 34 + FaceEvidence.longestEncoding)
        #expect(WorkerReply.limits(0x93) == FrameEvidence.longestEncoding)
        #expect(FrameEvidence.longestEncoding == 5034)
    }
}
