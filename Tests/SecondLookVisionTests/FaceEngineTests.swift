// SPDX-License-Identifier: Apache-2.0
// The library on stills of the public clips: two takes of one man, a woman, both together, and an empty room.

import Foundation
import SecondLookVision
import Testing

private enum Given {
    static let models = ProcessInfo.processInfo.environment["SECONDLOOK_MODELS"]
    static let clips = ProcessInfo.processInfo.environment["SECONDLOOK_CLIPS"]
    static let areThere = models != nil && clips != nil
}

@Suite(.enabled(if: Given.areThere, "SECONDLOOK_MODELS and SECONDLOOK_CLIPS name no folders"))
struct FaceEngineTests {
    static func path(_ name: String) throws -> String { try #require(Given.clips) + "/\(name).png" }

    static func image(_ name: String) throws -> FaceImage {
        try FaceImage(encoded: Array(Data(contentsOf: URL(fileURLWithPath: path(name)))))
    }

    let engine: FaceEngine

    init() throws { engine = try FaceEngine(models: try #require(Given.models)) }

    func template(_ name: String) throws -> FaceTemplate {
        try #require(try engine.template(ofLargestFaceIn: Self.image(name)), "no face in \(name)")
    }

    @Test func describesAFace() throws {
        let image = try Self.image("man-login")
        let faces = try engine.detect(in: image)
        #expect(faces.count == 1)
        let face = try #require(faces.first)
        #expect(face.box.x >= 0 && face.box.x + face.box.width <= Float(image.width))
        #expect(face.landmarks.rightEye.x < face.landmarks.leftEye.x)
        #expect(face.landmarks.nose.y < face.landmarks.rightMouth.y)
        #expect(face.quality.score > 0.6 && face.quality.score <= 1)
        #expect(face.quality.eyeDistance > 30)
        #expect((20...240).contains(face.quality.brightness))
        #expect(face.quality.sharpness > 5)
        #expect(abs(face.yaw) < 30 && abs(face.pitch) < 30 && abs(face.roll) < 20)
        if engine.hasLiveness { #expect(face.liveness.map { (0...1).contains($0) } == true) }
    }

    @Test func findsNobodyInARoomAndTwoWhereTwoAre() throws {
        #expect(try engine.detect(in: Self.image("room")).isEmpty)
        #expect(try engine.template(ofLargestFaceIn: Self.image("room")) == nil)
        #expect(try engine.detect(in: Self.image("two")).count == 2)
    }

    @Test func tellsPeopleApart() throws {
        let (man, again, woman) = (try template("man-enrol"), try template("man-login"), try template("woman"))
        #expect(man.matches(again, at: .oneInMillion))
        #expect(!man.matches(woman, at: .oneInTenThousand))
        let known = [KnownFace(name: "man", template: man), KnownFace(name: "woman", template: woman)]
        let answer = try #require(again.identify(among: known))
        #expect(answer.name == "man")
        #expect((answer.margin ?? 0) > 0.3)
    }

    @Test func refusesAFolderWithoutModels() {
        #expect(throws: SecondLookVisionError.self) { try FaceEngine(models: "/nonexistent") }
    }

    @Test func theExampleNamesTheMan() throws {
        let process = Process()
        process.executableURL = try Self.folderOfTests().appendingPathComponent("identify")
        process.arguments = [
            try #require(Given.models), try Self.path("man-login"), "the man=\(try Self.path("man-enrol"))",
            "the woman=\(try Self.path("woman"))",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(text.hasPrefix("the man  similarity 0."), "\(text)")
        #expect(text.split(separator: "\n").count == 1)
    }

    /// The folder of the built programs, which holds this test's bundle too.
    static func folderOfTests() throws -> URL {
        let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: path).deletingLastPathComponent()
    }
}
