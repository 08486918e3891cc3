// SPDX-License-Identifier: Apache-2.0
// The depth measure against known truth: heads and planes turned by known angles.

import Biometrics
import TestSupport
import Testing

@Suite struct NoseDepthTests {
    static let noises: [Float] = [0, 0.5, 1, 1.5, 2]

    /// The median sideways reading over frames at a fixed yaw.
    private func sideways(_ shape: SyntheticFace, yaw: Float, noise: Float, seed: UInt64) throws -> Float {
        var generator = SeededGenerator(seed: seed)
        let views = (0..<9).map { _ in shape.landmarks(.init(), noise: noise, using: &generator) }
        let depth = try #require(NoseDepth(reference: average(views)))
        let readings = try (0..<9).map { _ in
            try #require(depth.reading(shape.landmarks(.init(yaw: yaw), noise: noise, using: &generator))).sideways
        }
        return readings.sorted()[4]
    }

    private func average(_ views: [Landmarks]) -> Landmarks {
        func mean(_ path: KeyPath<Landmarks, Point>) -> Point {
            let count = Float(views.count)
            return Point(
                views.reduce(0) { $0 + $1[keyPath: path].x } / count,
                views.reduce(0) { $0 + $1[keyPath: path].y } / count)
        }
        return Landmarks(
            rightEye: mean(\.rightEye), leftEye: mean(\.leftEye), nose: mean(\.nose), rightMouth: mean(\.rightMouth),
            leftMouth: mean(\.leftMouth))
    }

    @Test(arguments: noises) func tellsHeadFromPlaneAtEveryNoise(noise: Float) throws {
        for seed in UInt64(1)...20 {
            for degrees in [25, 30, 35, 40] as [Float] {
                let yaw = degrees * .pi / 180
                let head = try sideways(.head, yaw: yaw, noise: noise, seed: seed)
                let plane = try sideways(.picture, yaw: yaw, noise: noise, seed: seed)
                #expect(head > 0.2, "head at \(degrees) degrees, noise \(noise), seed \(seed): \(head)")
                #expect(abs(plane) < 0.12, "plane at \(degrees) degrees, noise \(noise), seed \(seed): \(plane)")
                #expect(head > 2 * abs(plane))
            }
        }
    }

    @Test func isPositiveTowardsThePersonsLeftAndTheChin() throws {
        var generator = SeededGenerator(seed: 1)
        let head = SyntheticFace.head
        let depth = try #require(NoseDepth(reference: head.landmarks(.init(), using: &generator)))
        let left = try #require(depth.reading(head.landmarks(.init(yaw: 0.5), using: &generator)))
        let right = try #require(depth.reading(head.landmarks(.init(yaw: -0.5), using: &generator)))
        let down = try #require(depth.reading(head.landmarks(.init(pitch: 0.4), using: &generator)))
        #expect(left.sideways > 0.2)
        #expect(right.sideways < -0.2)
        #expect(abs(left.down) < 0.05)
        #expect(down.down > 0.15)
        #expect(abs(down.sideways) < 0.01)
    }

    @Test func isNotMovedByRollSizeOrPlace() throws {
        var generator = SeededGenerator(seed: 1)
        let head = SyntheticFace.head
        let depth = try #require(NoseDepth(reference: head.landmarks(.init(), using: &generator)))
        let plain = try #require(depth.reading(head.landmarks(.init(yaw: 0.4), using: &generator)))
        let moved = try #require(
            depth.reading(
                head.landmarks(.init(yaw: 0.4, roll: 0.5, size: 110, centre: Point(200, 300)), using: &generator)))
        #expect(abs(plain.sideways - moved.sideways) < 0.01)
        #expect(abs(plain.down - moved.down) < 0.01)
    }

    @Test func refusesEyesTooCloseTogether() throws {
        var generator = SeededGenerator(seed: 1)
        let far = SyntheticFace.head.landmarks(.init(size: 10), using: &generator)
        #expect(NoseDepth(reference: far) == nil)
        let depth = try #require(NoseDepth(reference: SyntheticFace.head.landmarks(.init(), using: &generator)))
        #expect(depth.reading(far) == nil)
    }

    @Test func refusesPointsOnALine() {
        let line = Landmarks(
            rightEye: Point(100, 100), leftEye: Point(160, 100), nose: Point(130, 100), rightMouth: Point(110, 100),
            leftMouth: Point(150, 100))
        #expect(NoseDepth(reference: line) == nil)
    }
}
