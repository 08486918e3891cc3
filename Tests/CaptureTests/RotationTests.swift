// SPDX-License-Identifier: Apache-2.0
import Biometrics
import Capture
import Testing

@Suite struct RotationTests {
    private let source = Frame(width: 3, height: 2, format: .grey, pixels: [1, 2, 3, 4, 5, 6], timestamp: 9)

    @Test(arguments: [
        (Rotation.none, 3, [1, 2, 3, 4, 5, 6]), (.quarter, 2, [4, 1, 5, 2, 6, 3]), (.half, 3, [6, 5, 4, 3, 2, 1]),
        (.threeQuarters, 2, [3, 6, 2, 5, 1, 4]),
    ])
    func turnsClockwise(rotation: Rotation, width: Int, pixels: [UInt8]) throws {
        let turned = rotation.applied(to: try #require(source))
        #expect(turned.width == width)
        #expect(turned.pixels == pixels)
        #expect(turned.timestamp == 9)
    }

    @Test func keepsThePartsOfAPixelTogether() throws {
        let frame = try #require(Frame(width: 2, height: 1, format: .rgb, pixels: [1, 2, 3, 4, 5, 6], timestamp: 0))
        #expect(Rotation.half.applied(to: frame).pixels == [4, 5, 6, 1, 2, 3])
        #expect(Rotation.quarter.applied(to: frame).pixels == [1, 2, 3, 4, 5, 6])
    }

    @Test func fourQuartersAreTheWholeTurn() throws {
        let frame = try #require(source)
        #expect((0..<4).reduce(frame) { turned, _ in Rotation.quarter.applied(to: turned) } == frame)
    }
}
