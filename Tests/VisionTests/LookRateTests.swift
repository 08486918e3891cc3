// SPDX-License-Identifier: Apache-2.0
// Which frames are looked at, by the times that cameras give them.

import Testing

@testable import Vision

@Suite struct LookRateTests {
    /// How many of a second's frames are looked at.
    private func looked(atRate rate: UInt64) -> Int {
        var look = LookRate()
        return (0..<rate).count { look.admits(1_000 + $0 * 1_000 / rate, now: 1_000 + $0 * 1_000 / rate) }
    }

    @Test(arguments: [(60, 20), (30, 15), (25, 13), (20, 20), (15, 15), (5, 5)] as [(UInt64, Int)])
    func looksAtFifteenFramesOfThirtyAndAllOfASlowCamera(rate: UInt64, expected: Int) {
        #expect(looked(atRate: rate) == expected)
    }

    @Test func takesTheFirstFrameAndSaysWhenTheNextIsDue() {
        var look = LookRate()
        #expect(look.due == nil)
        let first = look.admits(0, now: 5)
        #expect(first && look.due == LookRate.interval)
        let (early, due) = (look.admits(LookRate.interval - 1, now: 50), look.admits(LookRate.interval, now: 51))
        #expect(!early && due)
    }

    @Test func isNotBlindedByTimesThatStandStill() {
        var look = LookRate()
        let admitted = (0..<60).count { look.admits(700, now: 1_000 + UInt64($0) * 33) }
        #expect((8...10).contains(admitted), "two seconds, every 200 ms or so: \(admitted)")
    }
}
