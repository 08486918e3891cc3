// SPDX-License-Identifier: Apache-2.0
// The renderers that other tests believe: exact where they claim truth, the same for the same seed, and never the same frame twice unless
// that is the attack.

import Biometrics
import TestSupport
import Testing

@Suite struct RendererTests {
    /// A face-coloured gradient with a dark dot at the nose.
    private func photo(_ width: Int = 160, _ height: Int = 120) throws -> Frame {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let isDot = abs(x - 80) < 3 && abs(y - 64) < 3
                pixels += isDot ? [0, 0, 0] : [UInt8(80 + x / 2), UInt8(70 + y / 2), 90]
            }
        }
        return try #require(Frame(width: width, height: height, format: .rgb, pixels: pixels, timestamp: 5))
    }

    private let face = Landmarks(
        rightEye: Point(65, 50), leftEye: Point(95, 50), nose: Point(80, 64), rightMouth: Point(68, 80),
        leftMouth: Point(92, 80))

    /// The middle of the dark pixels.
    private func dot(_ frame: Frame) -> Point {
        var (x, y, count) = (Float(0), Float(0), Float(0))
        for row in 0..<frame.height {
            for column in 0..<frame.width where frame.pixels[(row * frame.width + column) * 3] < 40 {
                (x, y, count) = (x + Float(column), y + Float(row), count + 1)
            }
        }
        return Point(x / max(1, count), y / max(1, count))
    }

    @Test func leavesAnUnturnedPlaneAsItWas() throws {
        let photo = try photo()
        var renderer = PlaneRenderer(photo: photo, deviation: 0, seed: 1)
        let rendered = renderer.render(PlanePose(), timestamp: 9)
        let frame = try #require(rendered)
        #expect(frame.timestamp == 9)
        let differing = zip(frame.pixels, photo.pixels).count { abs(Int($0) - Int($1)) > 2 }
        // The last row and column have nothing beyond them to be mixed with.
        #expect(differing <= 3 * (160 + 120))
    }

    @Test func projectsAPlaneAndBack() {
        let pose = PlanePose(yaw: 0.5, pitch: -0.3, roll: 0.2, scale: 1.3, x: 0.05, y: -0.02)
        let view = PlaneView(pose, pivot: Point(80, 64), width: 160, height: 120)
        for point in [Point(10, 10), Point(80, 64), Point(150, 100)] {
            let seen = view.picture(point)
            let back = view.source(seen.x, seen.y)
            #expect(abs((back?.x ?? 0) - point.x) < 0.01 && abs((back?.y ?? 0) - point.y) < 0.01)
        }
    }

    @Test func turnsAHeadTowardsThePersonsLeftAndTheChin() throws {
        var head = HeadRenderer(photo: try photo(), face: face, deviation: 0, seed: 1)
        let angles: [(yaw: Float, pitch: Float)] = [(0, 0), (0.5, 0), (-0.5, 0), (0, 0.4)]
        let dots = angles.compactMap { head.render(yaw: $0.yaw, pitch: $0.pitch, timestamp: 0).map(dot) }
        try #require(dots.count == 4)
        let (straight, left, right, down) = (dots[0], dots[1], dots[2], dots[3])
        #expect(left.x > straight.x + 5 && right.x < straight.x - 5)
        #expect(down.y > straight.y + 3)
    }

    @Test func neverShowsTheSameNoiseTwiceAndAlwaysTheSameForASeed() throws {
        let photo = try photo()
        var first = AttackSimulator(.photoStill, clip: [photo], face: face, seed: 3)
        var second = AttackSimulator(.photoStill, clip: [photo], face: face, seed: 3)
        let (one, same, later) = (first.next(at: 0), second.next(at: 0), first.next(at: 66))
        #expect(one != nil && one == same)
        #expect(one?.pixels != later?.pixels)
    }

    @Test func frozenAndLoopedRepeatToTheByte() throws {
        let photo = try photo()
        var noise = SensorNoise(deviation: 3, seed: 1)
        let clip = (0..<20).map { _ in noise.added(to: photo) }
        var frozen = AttackSimulator(.frozen, clip: clip, face: face, seed: 1)
        let (one, other) = (frozen.next(at: 0), frozen.next(at: 66))
        #expect(one != nil && one?.pixels == other?.pixels)
        var looped = AttackSimulator(.looped, clip: clip, face: face, seed: 1)
        let pictures = (0..<20).compactMap { looped.next(at: $0)?.pixels }
        #expect(pictures[0] != pictures[1])
        #expect(Set(pictures.map(\.hashValue)).count < 9)
    }

    @Test(arguments: SimulatedAttack.allCases) func makesFramesOfTheClipsSize(kind: SimulatedAttack) throws {
        let photo = try photo()
        for seed in UInt64(1)...3 {
            var simulator = AttackSimulator(kind, clip: [photo], other: [photo], face: face, seed: seed)
            simulator.hear(yaw: 1, pitch: 0, at: 0)
            for step in UInt64(0)..<3 {
                let frame = simulator.next(at: step * AttackSimulator.interval)
                #expect(frame?.width == 160 && frame?.height == 120)
                #expect(frame?.timestamp == step * AttackSimulator.interval)
            }
        }
    }

    @Test func printsDotsAndShowsABezel() throws {
        let photo = try photo()
        #expect(PrintSimulator(seed: 1).printed(photo).pixels != photo.pixels)
        let shown = ScreenSimulator(seed: 1).shown(photo, face: face, 0)
        #expect(shown.pixels != photo.pixels)
        #expect(shown == ScreenSimulator(seed: 1).shown(photo, face: face, 0))
    }
}
