// SPDX-License-Identifier: Apache-2.0
import Capture
import Testing

private struct Choice: CustomTestStringConvertible {
    let name: String
    let offered: [ModeChoice.Candidate]
    let expected: ModeChoice.Candidate
    var testDescription: String { name }
}

private typealias Size = ModeChoice.Candidate

@Suite struct ModeChoiceTests {
    @Test(arguments: [
        Choice(
            name: "wide sensor: the small mode with its proportions, not the stretched 640x480",
            offered: [Size(1280, 720, rate: 300), Size(640, 480, rate: 300), Size(640, 360, rate: 300)],
            expected: Size(640, 360, rate: 300)),
        Choice(
            name: "4:3 sensor", offered: [Size(320, 240), Size(640, 480), Size(1600, 1200)],
            expected: Size(640, 480)),
        Choice(
            name: "fast before small", offered: [Size(640, 480, rate: 100), Size(1280, 960, rate: 300)],
            expected: Size(1280, 960, rate: 300)),
        Choice(
            name: "only small ones: the largest", offered: [Size(160, 120), Size(352, 288)], expected: Size(352, 288)),
        Choice(
            name: "large and slow before small and fast",
            offered: [Size(320, 240, rate: 300), Size(640, 480, rate: 150)],
            expected: Size(640, 480, rate: 150)),
    ])
    fileprivate func choosesTheModeThatShowsAFaceWell(choice: Choice) {
        #expect(ModeChoice.best(of: choice.offered) == choice.expected)
    }

    @Test func takesWantedSizesOutOfARange() {
        let range = OfferedSize(width: 16...4096, height: 16...2160, widthStep: 2, heightStep: 2)
        #expect(ModeChoice.sizes(in: [range]).contains(Size(640, 480)))
        let coarse = OfferedSize(width: 48...4080, height: 32...2160, widthStep: 64, heightStep: 1)
        #expect(!ModeChoice.sizes(in: [coarse]).contains(Size(640, 480)))
    }

    @Test func leavesOutSizesBeyondTheLimit() {
        #expect(ModeChoice.sizes(in: [OfferedSize(8000, 6000), OfferedSize(0, 0)]).isEmpty)
        #expect(ModeChoice.best(of: []) == nil)
    }
}
