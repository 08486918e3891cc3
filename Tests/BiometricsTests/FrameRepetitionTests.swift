// SPDX-License-Identifier: Apache-2.0
// Frozen and looped feeds.

import Biometrics
import Testing

@Suite struct FrameRepetitionTests {
    private func findings(_ fingerprints: [UInt64]) -> [FrameRepetition.Finding] {
        var repetition = FrameRepetition()
        return fingerprints.map { repetition.observe($0) }
    }

    @Test func takesFreshFramesAsFresh() {
        #expect(findings(Array(1...50)) == [FrameRepetition.Finding](repeating: .fresh, count: 50))
    }

    @Test func forgivesADriverThatRepeatsAFrame() {
        #expect(findings([1, 1, 2, 2, 2, 3]) == [.fresh, .repeated, .fresh, .repeated, .repeated, .fresh])
    }

    @Test func findsAFrozenFeed() { #expect(findings([7, 7, 7, 7]).last == .decisive) }

    @Test func findsALoop() { #expect(findings([1, 2, 3, 1, 2]) == [.fresh, .fresh, .fresh, .repeated, .decisive]) }
}
