// SPDX-License-Identifier: Apache-2.0
// Numbers of faces: kept while the face is followed, given up at every doubt, never given twice.

import Biometrics
import Testing

@testable import Vision

@Suite struct FaceTrackerTests {
    private func box(_ x: Float, _ y: Float = 0, size: Float = 100) -> Box {
        Box(x: x, y: y, width: size, height: size)
    }

    @Test func keepsANumberWhileTheFaceMoves() {
        var tracker = FaceTracker()
        for step in 0..<50 {
            #expect(tracker.follow([box(Float(step) * 20)], at: UInt64(step) * 33) == [1])
        }
    }

    @Test func givesNumbersByPlaceNotByOrder() {
        var tracker = FaceTracker()
        #expect(tracker.follow([box(0), box(300)], at: 0) == [1, 2])
        #expect(tracker.follow([box(305), box(2)], at: 33) == [2, 1])
    }

    @Test func gapUpToTheLimitKeepsTheNumber() {
        var tracker = FaceTracker()
        #expect(tracker.follow([box(0)], at: 1_000) == [1])
        #expect(tracker.follow([], at: 1_100) == [])
        #expect(tracker.follow([box(5)], at: 1_000 + FaceTracker.longestGap) == [1])
        #expect(tracker.follow([box(5)], at: 1_001 + 2 * FaceTracker.longestGap) == [2])
    }

    @Test func jumpEndsATrack() {
        var tracker = FaceTracker()
        #expect(tracker.follow([box(0)], at: 0) == [1])
        #expect(tracker.follow([box(80)], at: 33) == [2])
    }

    @Test func suddenGrowthEndsATrack() {
        var tracker = FaceTracker()
        #expect(tracker.follow([box(0, size: 100)], at: 0) == [1])
        #expect(tracker.follow([box(0, size: 145)], at: 33) == [2])
    }

    @Test func clockRunningBackwardsEndsAllTracks() {
        var tracker = FaceTracker()
        #expect(tracker.follow([box(0)], at: 500) == [1])
        #expect(tracker.follow([box(0)], at: 499) == [2])
    }

    @Test func oneTrackGoesToOneFaceOnly() {
        var tracker = FaceTracker()
        #expect(tracker.follow([box(0)], at: 0) == [1])
        #expect(tracker.follow([box(30), box(10)], at: 33) == [2, 1])
    }

    @Test func neverGivesANumberTwice() {
        var tracker = FaceTracker()
        var seen: Set<UInt32> = []
        for step in 0..<200 {
            for number in tracker.follow([box(Float(step % 7) * 150)], at: UInt64(step) * 100) where step % 7 != 0 {
                #expect(seen.insert(number).inserted)
            }
        }
    }
}
