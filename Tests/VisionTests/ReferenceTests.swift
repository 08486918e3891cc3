// SPDX-License-Identifier: Apache-2.0
// The whole chain against numbers that NumPy computed from the same files (Tests/Reference/reference.py): twenty-two pictures.

import Biometrics
import Capture
import FoundationEssentials
import Testing

@testable import Vision

/// What the reference wrote, and the portraits it read.
private struct Reference: Decodable {
    struct Case: Decodable {
        var name: String
        var width: Int
        var height: Int
        var pixels: Int
        var faces: Int
        var box: [Float]
        var score: Float
        var landmarks: [Float]
        var close: [Float]
        var aligned: [Float]
        var embedding: [Float]
        var passive: Float?
    }

    var cases: [Case]

    static let file = ProcessInfo.processInfo.environment["SECONDLOOK_REFERENCE"]
    static let portraits = ProcessInfo.processInfo.environment["SECONDLOOK_PORTRAITS"]

    static let isPresent = Models.arePresent && [file, portraits].allSatisfy { $0.map(Models.has) ?? false }

    static func load() throws -> Reference {
        try JSONDecoder().decode(Reference.self, from: Data(contentsOf: URL(filePath: try #require(file))))
    }
}

/// The integer arithmetic of the reference's variations.
private enum Variation {
    static func halved(_ frame: Frame) throws -> Frame {
        let (w, h) = (frame.width / 2, frame.height / 2)
        var pixels: [UInt8] = []
        for y in 0..<h {
            for x in 0..<w {
                for c in 0..<3 {
                    let at = (2 * y * frame.width + 2 * x) * 3 + c
                    let sum =
                        Int(frame.pixels[at]) + Int(frame.pixels[at + 3]) + Int(frame.pixels[at + frame.width * 3])
                        + Int(frame.pixels[at + frame.width * 3 + 3])
                    pixels.append(UInt8((sum + 2) >> 2))
                }
            }
        }
        return try #require(Frame(width: w, height: h, format: .rgb, pixels: pixels, timestamp: 0))
    }

    static func scaled(_ frame: Frame, _ factor: Int) throws -> Frame {
        let pixels = frame.pixels.map { UInt8(min(255, (Int($0) * factor) >> 8)) }
        return try #require(
            Frame(width: frame.width, height: frame.height, format: .rgb, pixels: pixels, timestamp: 0))
    }

    /// Without a sixth of its width on either side: the face is too close for the passive network's square.
    static func narrowed(_ frame: Frame) throws -> Frame {
        let sixth = frame.width / 6
        let width = frame.width - 2 * sixth
        var pixels: [UInt8] = []
        for y in 0..<frame.height {
            let start = (y * frame.width + sixth) * 3
            pixels += frame.pixels[start..<(start + width * 3)]
        }
        return try #require(Frame(width: width, height: frame.height, format: .rgb, pixels: pixels, timestamp: 0))
    }

    static func turned(_ frame: Frame, _ cosine: Int, _ sine: Int) throws -> Frame {
        let (w, h) = (frame.width, frame.height)
        var pixels = [UInt8](repeating: 0, count: frame.pixels.count)
        for y in 0..<h {
            for x in 0..<w {
                let (dx, dy) = (x - w / 2, y - h / 2)
                let u = ((cosine * dx + sine * dy + 32768) >> 16) + w / 2
                let v = ((cosine * dy - sine * dx + 32768) >> 16) + h / 2
                guard u >= 0, v >= 0, u < w, v < h else { continue }
                for c in 0..<3 { pixels[(y * w + x) * 3 + c] = frame.pixels[(v * w + u) * 3 + c] }
            }
        }
        return try #require(Frame(width: w, height: h, format: .rgb, pixels: pixels, timestamp: 0))
    }

    static func picture(_ name: String) throws -> Frame {
        let parts = name.split(separator: "/")
        let path = try #require(Reference.portraits) + "/\(parts[0]).jpg"
        let plain = try Picture.decode(Array(Data(contentsOf: URL(filePath: path))))
        switch parts[1] {
        case "half": return try halved(plain)
        case "close": return try narrowed(plain)
        case "dark": return try scaled(plain, 100)
        case "bright": return try scaled(plain, 350)
        case "turned":
            let odd = ["impostor_2", "person_a_2", "person_b_2"].contains(String(parts[0]))
            return try turned(plain, 64104, odd ? 13626 : -13626)
        default: return plain
        }
    }
}

@Suite(.enabled(if: Reference.isPresent, "SECONDLOOK_REFERENCE and SECONDLOOK_PORTRAITS name no reference"))
struct ReferenceTests {
    @Test func equalsTheReferenceOnTwentyTwoPictures() throws {
        let cases = try Reference.load().cases
        #expect(cases.count == 22)
        let runtime = try InferenceRuntime(path: Models.path("libonnxruntime.so"))
        let engines = try runtime.load([
            (.detector, .path(Models.path("detector.onnx"))), (.recogniser, .path(Models.path("recogniser.onnx"))),
        ])
        var detector = try Detector(engine: engines[0])
        let recogniser = try Recogniser(engine: engines[1])
        let livenessPath = try Models.path("liveness.onnx")
        var passive =
            Models.has(livenessPath)
            ? try PassiveNetwork(engine: runtime.load([(.liveness, .path(livenessPath))])[0]) : nil
        for expected in cases {
            let comment = Comment(rawValue: expected.name)
            let frame = try Variation.picture(expected.name)
            #expect(frame.width == expected.width && frame.height == expected.height, comment)
            // The same picture to the last bit, or the rest compares nothing.
            try #require(frame.pixels.reduce(0) { $0 + Int($1) } == expected.pixels, comment)
            let found = try detector.find(in: frame)
            #expect(found.count == expected.faces, comment)
            let face = try #require(found.first)
            let size = Float(max(frame.width, frame.height))
            let box = [face.box.x, face.box.y, face.box.width, face.box.height]
            #expect(distance(box, expected.box) < 1e-3 * size, comment)
            #expect(abs(face.score - expected.score) < 1e-3, comment)
            #expect(
                distance(face.landmarks.points.flatMap { [$0.x, $0.y] }, expected.landmarks) < 1e-3 * size, comment)
            let close = try detector.refined(face, in: frame)
            #expect(distance(close.points.flatMap { [$0.x, $0.y] }, expected.close) < 1e-3 * size, comment)
            let aligned = try #require(Aligner.align(frame, close))
            // In units of white, as the networks see it.
            #expect(distance(samples(aligned), expected.aligned) < 1e-3 * 255, comment)
            let embedding = try #require(try recogniser.embed(frame, close))
            let other = try #require(Embedding(expected.embedding))
            #expect(embedding.similarity(to: other) > 0.9999, comment)
            #expect(distance(embedding.values, other.values) < 1e-3, comment)
            guard let logit = expected.passive, passive != nil else { continue }
            let judged = try #require(try passive?.judge(frame, face.box))
            #expect(abs(judged - logit) < 2e-2, comment)
        }
    }

    private func distance(_ a: [Float], _ b: [Float]) -> Float {
        guard a.count == b.count else { return .infinity }
        return zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }

    /// Every seventh pixel of each plane, as the reference wrote them.
    private func samples(_ face: AlignedFace) -> [Float] {
        (0..<3).flatMap { plane in
            stride(from: 0, to: 112, by: 7).flatMap { y in
                stride(from: 0, to: 112, by: 7).map { x in face.planes[plane * AlignedFace.plane + y * 112 + x] }
            }
        }
    }
}
