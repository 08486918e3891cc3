// SPDX-License-Identifier: Apache-2.0
// The crop that the passive network sees, and what is made of its answer.

import Biometrics
import Testing

@testable import Vision

@Suite struct PassiveNetworkTests {
    @Test func cutsTheSquareOfTraining() throws {
        // Longer side 100: a square of 150 about (130, 120).
        let square = try #require(PassiveNetwork.square(about: Box(x: 90, y: 70, width: 80, height: 100)))
        #expect(square.left == 55 && square.top == 45 && square.side == 150)
        // Truncated towards zero, also below it.
        let outside = try #require(PassiveNetwork.square(about: Box(x: -10, y: -10, width: 41, height: 41)))
        #expect(outside.left == -20 && outside.side == 61)
    }

    @Test(arguments: [Box(x: 0, y: 0, width: .nan, height: 5), Box(x: 0, y: 0, width: 1e9, height: 5)])
    func refusesBoxesWithoutSense(box: Box) {
        #expect(PassiveNetwork.square(about: box) == nil)
    }

    @Test func showsRedFirstInUnitsOfWhite() throws {
        let engine = FakeEngine.liveness([1, 2])
        var network = try PassiveNetwork(engine: engine)
        let frame = texture(300, 300)
        // 1.5 times 85.4 truncates to 128: the pixels themselves.
        _ = try network.judge(frame, Box(x: 100, y: 100, width: 60, height: 85.4))
        let left = Int(130 - 64.05)
        let top = Int(142.7 - 64.05)
        let at = (top * 300 + left) * 3
        let plane = 128 * 128
        for c in 0..<3 { #expect(abs(engine.seen[c * plane] - Float(frame.pixels[at + c]) / 255) < 1e-6) }
    }

    @Test func repeatsTheBorderPixelAroundAFaceTooClose() throws {
        let engine = FakeEngine.liveness([1, 2])
        var network = try PassiveNetwork(engine: engine)
        let frame = texture(100, 300)
        // The square is 128 wide from -14: fourteen columns on either side are the border's.
        _ = try network.judge(frame, Box(x: 20, y: 100, width: 60, height: 85.4))
        let top = Int(142.7 - 64.05)
        for row in [0, 77, 127] {
            let line = Array(engine.seen[(row * 128)..<(row * 128 + 128)])
            let red = { (column: Int) in Float(frame.pixels[((top + row) * 100 + column) * 3]) / 255 }
            #expect(line[0..<14].allSatisfy { abs($0 - red(0)) < 1e-6 })
            #expect((14..<114).allSatisfy { abs(line[$0] - red($0 - 14)) < 1e-6 })
            #expect(line[114..<128].allSatisfy { abs($0 - red(99)) < 1e-6 })
        }
    }

    @Test func answersLiveMinusAttack() throws {
        let box = Box(x: 100, y: 100, width: 60, height: 80)
        func answer(_ logits: [Float]) throws -> Float? {
            var network = try PassiveNetwork(engine: FakeEngine.liveness(logits))
            return try network.judge(texture(300, 300), box)
        }
        #expect(try answer([3, -1]) == 4)
        #expect(try answer([-3, 1]) == -4)
        #expect(try answer([1e6, 0]) == 100)
        #expect(try answer([.nan, 0]) == nil)
        #expect(try answer([.infinity, 0]) == nil)
    }

    @Test func refusesAnotherNetworkByName() {
        let recogniser = FakeEngine.recogniser { _, _ in [] }
        #expect(throws: VisionError.modelSwapped(.secondOpinion, "its input is not 'input' of [1, 3, 128, 128]")) {
            try PassiveNetwork(engine: recogniser, role: .secondOpinion)
        }
    }
}
