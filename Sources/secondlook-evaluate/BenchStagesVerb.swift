// SPDX-License-Identifier: Apache-2.0
// How long each stage of a frame takes, on the one thread that a login gives it. Prints lines of JSON for `make bench`.

import Biometrics
import Capture
import Policy
import Vision

/// `secondlook-evaluate bench-stages`.
enum BenchStagesVerb {
    static let usage = "[--picture FILE] [--runs N] [--models DIR] [--liveness FILE|none]"

    static func run(_ arguments: Arguments) throws {
        try arguments.only(["picture", "runs", "models", "liveness"])
        let runs = max(3, try arguments.number("runs", 60))
        let frame = try arguments.optional("picture").map { try portrait($0) } ?? noise()
        var stages = try Stages(LoadedModels(arguments), frame)
        for stage in Stages.all {
            guard let times = try Times.measure(runs, { try stage.run(&stages) }) else { continue }
            print(times.line(stage.name))
        }
    }

    /// The picture in the middle of a 640x480 frame, shrunk by whole numbers until it fits.
    private static func portrait(_ path: String) throws -> Frame {
        let picture = try Picture.decode(Files.load(path))
        let step = max(1, (picture.width + 639) / 640, (picture.height + 479) / 480)
        let (width, height) = (picture.width / step, picture.height / step)
        var pixels = [UInt8](repeating: 96, count: 640 * 480 * 3)
        for y in 0..<height {
            for x in 0..<width {
                let from = (y * step * picture.width + x * step) * 3
                let to = ((y + (480 - height) / 2) * 640 + x + (640 - width) / 2) * 3
                for c in 0..<3 { pixels[to + c] = picture.pixels[from + c] }
            }
        }
        return try frame(pixels)
    }

    private static func noise() throws -> Frame {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return try frame(
            (0..<(640 * 480 * 3)).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            })
    }

    private static func frame(_ pixels: [UInt8]) throws -> Frame {
        guard let frame = Frame(width: 640, height: 480, format: .rgb, pixels: pixels, timestamp: 0) else {
            throw EvaluateError.usage("the frame cannot be made")
        }
        return frame
    }
}

/// The product's parts, ready to be timed one by one.
private struct Stages {
    /// A stage; false says that its part is not installed.
    struct Stage: Sendable {
        var name: String
        var run: @Sendable (inout Stages) throws -> Bool
    }

    static let all = [
        Stage(name: "decode") {
            _ = try Picture.decode($0.jpeg, upright: false); return true
        },
        Stage(name: "detect") {
            _ = try $0.detector.find(in: $0.frame); return true
        },
        Stage(name: "passive") { try $0.passive?.judge($0.frame, $0.face.box) != nil },
        Stage(name: "embed") { try $0.recogniser.embed($0.frame, $0.face.landmarks) != nil },
        Stage(name: "frame-without-embedding") { try $0.observe(.none) },
        Stage(name: "frame-with-embedding") { try $0.observe(.every) },
        Stage(name: "judge-thirty-frames") { try $0.judge() },
    ]

    let frame: Frame
    let jpeg: [UInt8]
    var face: Detection
    var detector: Detector
    var passive: PassiveNetwork?
    let recogniser: Recogniser
    var observer: Observer
    var sequence: UInt32 = 0
    /// That of the frame observed last.
    var evidence = FrameEvidence(
        sequence: 0, timestamp: 0, width: 1, height: 1, brightness: 0, contrast: 0, fingerprint: 0, faces: [])

    init(_ models: LoadedModels, _ frame: Frame) throws {
        self.frame = frame
        jpeg = try Picture.encodeJPEG(frame)
        let engines = try models.engines([.detector, .recogniser] + (models.hasLiveness ? [.liveness] : []))
        detector = try Detector(engine: engines[0])
        recogniser = try Recogniser(engine: engines[1])
        passive = engines.count > 2 ? try PassiveNetwork(engine: engines[2]) : nil
        observer = try Observer(
            detector: engines[0], recogniser: engines[1], liveness: engines.count > 2 ? engines[2] : nil)
        let madeUp = Detection(
            box: Box(x: 240, y: 140, width: 150, height: 190), score: 1,
            landmarks: Landmarks(
                rightEye: Point(280, 220), leftEye: Point(350, 220), nose: Point(315, 260), rightMouth: Point(288, 295),
                leftMouth: Point(342, 295)))
        face = try detector.find(in: frame).first ?? madeUp
    }

    /// A whole attempt of thirty frames.
    mutating func judge() throws -> Bool {
        guard let reference = evidence.faces.first?.embedding else { return false }
        var generator = SystemRandomNumberGenerator()
        var judge = Judge(
            reference: reference, settings: Settings(), hasPassive: passive != nil, started: 0, using: &generator)
        for i in 0..<30 {
            var frame = evidence
            frame.sequence = UInt32(i)
            frame.timestamp = UInt64(i) * 33
            frame.fingerprint = UInt64(i)
            _ = judge.observe(frame, now: frame.timestamp)
        }
        return true
    }

    mutating func observe(_ choice: EmbeddingChoice) throws -> Bool {
        sequence += 1
        evidence = try observer.observe(frame, sequence: sequence, embed: choice)
        return true
    }
}
