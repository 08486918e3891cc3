// SPDX-License-Identifier: Apache-2.0
// What can be done with templates and pictures without a network.

import Biometrics
import Testing

@testable import SecondLookVision

@Suite struct FaceTemplateTests {
    /// A template that points along one axis, with a little of another.
    static func template(_ axis: Int, _ other: Int = 127, share: Float = 0) throws -> FaceTemplate {
        var values = [Float](repeating: 0, count: FaceTemplate.count)
        values[axis] = 1
        values[other] += share
        return try FaceTemplate(values: values)
    }

    @Test(arguments: [
        [], [Float](repeating: 1, count: 127), [Float](repeating: 0, count: 128),
        [Float](repeating: .nan, count: 128), [Float](repeating: .infinity, count: 128),
    ])
    func refusesNumbersThatAreNoTemplate(_ values: [Float]) {
        #expect(throws: SecondLookVisionError.self) { try FaceTemplate(values: values) }
    }

    @Test func bringsNumbersToUnitLength() throws {
        let template = try FaceTemplate(values: [Float](repeating: 3, count: 128))
        #expect(abs(template.values.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
        #expect(abs(template.similarity(to: template) - 1) < 1e-5)
        #expect(try FaceTemplate(values: template.values).similarity(to: template) > 0.9999)
    }

    @Test func matchesFromTheThresholdOn() throws {
        let a = try Self.template(0)
        let b = try Self.template(0, 1, share: 1.6)
        // The cosine is 1 / sqrt(1 + 1.6 * 1.6) = 0.53: enough at one rate, not at the other.
        #expect(abs(a.similarity(to: b) - 0.53) < 0.001)
        #expect(a.matches(b))
        #expect(!a.matches(b, at: .oneInMillion))
        let thresholds = FalseMatchRate.allCases.map(\.threshold)
        #expect(thresholds == thresholds.sorted() && Set(thresholds).count == 3)
    }

    @Test func namesTheBestWithItsMargin() throws {
        let probe = try Self.template(0)
        let known = [
            KnownFace(name: "ann", template: try Self.template(0, 1, share: 0.5)),
            KnownFace(name: "bob", template: try Self.template(0, 1, share: 1)),
            KnownFace(name: "bob", template: try Self.template(5)),
        ]
        let answer = try #require(probe.identify(among: known))
        #expect(answer.name == "ann")
        #expect(abs(answer.similarity - 0.894) < 0.001)
        #expect(abs((answer.margin ?? 0) - (0.894 - 0.707)) < 0.001)
        #expect(probe.rank(among: known).map(\.name) == ["ann", "bob"])
        #expect(try Self.template(9).identify(among: known) == nil)
        #expect(probe.identify(among: []) == nil)
        #expect(probe.identify(among: [known[0]])?.margin == nil)
    }

    @Test func takesTheMeanOfSeveral() throws {
        let mean = try FaceTemplate.mean(of: [try Self.template(0), try Self.template(1)])
        #expect(abs(mean.similarity(to: try Self.template(0)) - 0.7071) < 0.001)
        #expect(throws: SecondLookVisionError.self) { try FaceTemplate.mean(of: []) }
    }
}

@Suite struct FaceImageTests {
    @Test func takesRowsWithAStride() throws {
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 99, 99, 7, 8, 9, 10, 11, 12]
        let image = try FaceImage(rgb: bytes, width: 2, height: 2, stride: 8)
        #expect(image.frame.pixels == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
        #expect((image.width, image.height) == (2, 2))
    }

    @Test(arguments: [
        (0, 1, 3, 3), (1, 0, 3, 3), (-1, 1, 3, 3), (4097, 1, 12_291, 12_291), (2, 2, 12, 5), (2, 2, 12, 8),
        (2, 2, 11, 6), (2, 2, 12, Int.max),
    ])
    func refusesSidesAndStridesThatDoNotFit(_ width: Int, _ height: Int, _ count: Int, _ stride: Int) {
        #expect(throws: SecondLookVisionError.self) {
            try FaceImage(rgb: [UInt8](repeating: 0, count: count), width: width, height: height, stride: stride)
        }
    }

    @Test(arguments: [[], [1, 2, 3], [0xFF, 0xD8, 0xFF, 0xE0], Array("not a picture".utf8)])
    func refusesBytesThatAreNoPicture(_ bytes: [UInt8]) {
        #expect(throws: SecondLookVisionError.self) { try FaceImage(encoded: bytes) }
    }
}
