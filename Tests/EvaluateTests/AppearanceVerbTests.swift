// SPDX-License-Identifier: Apache-2.0
// Pairs of looks are counted once each, and only those that the question is about.

import Biometrics
import Testing
import Vision

@testable import secondlook_evaluate

@Suite struct AppearanceVerbTests {
    /// A face that fills the frame, with upright stripes of this breadth.
    private func look(breadth: Int) throws -> Appearance {
        let side = 112
        let pixels = (0..<(side * side)).map { UInt8($0 % side / breadth % 2 * 200) }
        let frame = try #require(Frame(width: side, height: side, format: .grey, pixels: pixels, timestamp: 0))
        let marks = Landmarks(
            rightEye: Point(38.3, 51.7), leftEye: Point(73.5, 51.5), nose: Point(56, 71.7),
            rightMouth: Point(41.5, 92.4), leftMouth: Point(70.7, 92.2))
        return try #require(Appearance(frame, marks))
    }

    /// A face seen as `looks` every 100 ms, whose embeddings point along one axis.
    private func face(_ looks: [Appearance], axis: Int) -> AppearanceVerb.Face {
        var face = AppearanceVerb.Face()
        face.looks = looks.enumerated().map { (UInt64($0) * 100, $1) }
        face.sum[axis] = 1
        return face
    }

    @Test func countsPairsOfOneFaceAndOfDifferentPeople() throws {
        let (broad, narrow) = (try look(breadth: 16), try look(breadth: 8))
        let faces = [
            face([broad, broad, narrow, broad], axis: 0), face([narrow, narrow], axis: 1), face([broad], axis: 1),
        ]
        let result = AppearanceVerb.Result(faces, apart: 200, different: 0.2)
        // Five pairs of the first face lie near enough, two of them alike (the third such is 300 ms apart), and one pair of the second.
        #expect(result.same == (6, 3), "\(result.same)")
        // The second and the third are one person.
        #expect(result.people == (2, 2) && result.other == (12, 5), "\(result.people) \(result.other)")
        #expect(result.faces == 3)
    }
}
