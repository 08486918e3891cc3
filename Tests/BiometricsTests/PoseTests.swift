// SPDX-License-Identifier: Apache-2.0
// Pose from landmarks, against a head of points turned by known angles.

import Testing

@testable import Biometrics

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct PoseTests {
    /// The head of the formula, in eye distances: x to the person's left as seen in the picture, y down, z towards the camera.
    private func seen(yaw: Double = 0, pitch: Double = 0, roll: Double = 0, size: Double = 80) -> Landmarks {
        let head: [(Double, Double, Double)] = [
            (-0.5, 0, 0), (0.5, 0, 0), (0, 0.588, 0.52), (-0.38, 1.05, 0), (0.38, 1.05, 0),
        ]
        let (a, b, c) = (yaw * .pi / 180, pitch * .pi / 180, roll * .pi / 180)
        let points = head.map { x, y, z -> Point in
            // Looking up takes the nose up, then the head turns, then it leans.
            let (y1, z1) = (y * cos(b) - z * sin(b), y * sin(b) + z * cos(b))
            let x2 = x * cos(a) + z1 * sin(a)
            let (x3, y3) = (x2 * cos(c) + y1 * sin(c), -x2 * sin(c) + y1 * cos(c))
            return Point(Float(320 + size * x3), Float(200 + size * y3))
        }
        return Landmarks(
            rightEye: points[0], leftEye: points[1], nose: points[2], rightMouth: points[3], leftMouth: points[4])
    }

    @Test(arguments: [-40.0, -20, 0, 10, 35]) func measuresYaw(degrees: Double) throws {
        let pose = try #require(Pose(seen(yaw: degrees)))
        #expect(abs(Double(pose.yaw) - degrees) < 1.5)
        #expect(abs(pose.roll) < 0.01 && abs(pose.pitch) < 2)
    }

    @Test(arguments: [-30.0, -15, 0, 15, 30]) func measuresPitch(degrees: Double) throws {
        let pose = try #require(Pose(seen(pitch: degrees)))
        #expect(abs(Double(pose.pitch) - degrees) < 4)
        #expect(abs(pose.yaw) < 0.01)
    }

    @Test(arguments: [-170.0, -60, -10, 0, 25, 90]) func measuresRoll(degrees: Double) throws {
        let pose = try #require(Pose(seen(roll: degrees)))
        #expect(abs(Double(pose.roll) - degrees) < 0.1)
        #expect(abs(pose.yaw) < 0.1 && abs(pose.pitch) < 2)
    }

    @Test func callsTheOwnLeftPositive() throws {
        // Turning to the own left takes the nose to the right of the unmirrored picture.
        var face = seen()
        face.nose.x += 20
        #expect(try #require(Pose(face)).yaw > 20)
    }

    @Test func callsUpPositive() throws {
        var face = seen()
        face.nose.y -= 15
        #expect(try #require(Pose(face)).pitch > 10)
    }

    @Test func leansToTheOwnRightWhenThatEyeIsLower() throws {
        var face = seen()
        face.rightEye.y += 20
        #expect(try #require(Pose(face)).roll > 5)
    }

    @Test func doesNotDependOnSizeOrLean() throws {
        let small = try #require(Pose(seen(yaw: 25, pitch: 10, roll: 15, size: 25)))
        let large = try #require(Pose(seen(yaw: 25, pitch: 10, roll: -30, size: 300)))
        #expect(abs(small.yaw - large.yaw) < 0.1 && abs(small.pitch - large.pitch) < 0.1)
    }

    @Test func refusesFacesWithoutExtent() {
        let point = Point(5, 5)
        #expect(
            Pose(Landmarks(rightEye: point, leftEye: point, nose: point, rightMouth: point, leftMouth: point)) == nil)
        var flat = seen()
        flat.rightMouth = flat.rightEye
        flat.leftMouth = flat.leftEye
        #expect(Pose(flat) == nil)
    }
}
