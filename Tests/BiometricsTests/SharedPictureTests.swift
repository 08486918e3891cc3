// SPDX-License-Identifier: Apache-2.0
// Pictures that are handed out: their sides, and how a frame is made smaller.

import Biometrics
import Testing

@Suite struct SharedPictureTests {
    @Test(arguments: [
        (0, 1, 0), (1, 0, 0), (641, 1, 641 * 3), (1, 641, 641 * 3), (2, 2, 11), (2, 2, 13), (-1, -1, 3),
    ])
    func refusesSides(width: Int, height: Int, bytes: Int) {
        let pixels = [UInt8](repeating: 0, count: max(0, bytes))
        #expect(SharedPicture(subject: .view, width: width, height: height, pixels: pixels) == nil)
    }

    @Test func aFaceHasTheRecognisersSides() {
        let side = SharedPicture.faceSide
        let right = [UInt8](repeating: 0, count: side * side * 3)
        #expect(SharedPicture(subject: .face(1), width: side, height: side, pixels: right) != nil)
        let wrong = [UInt8](repeating: 0, count: (side - 1) * side * 3)
        #expect(SharedPicture(subject: .face(1), width: side - 1, height: side, pixels: wrong) == nil)
    }

    @Test func aViewIsTheMeanOfWhatItCovers() throws {
        // Two blocks of 2x2: red 10, 20, 30, 40 and all 200; green and blue stand still.
        let row = { (a: UInt8, b: UInt8) -> [UInt8] in [a, 7, 9, b, 7, 9, 200, 7, 9, 200, 7, 9] }
        let frame = try #require(
            Frame(width: 4, height: 2, format: .rgb, pixels: row(10, 20) + row(30, 40), timestamp: 0))
        let view = try #require(SharedPicture(view: frame, side: 2))
        #expect(view.width == 2 && view.height == 1)
        #expect(view.pixels == [25, 7, 9, 200, 7, 9])
    }

    @Test func aSmallFrameIsNotMadeLarger() throws {
        let frame = try #require(Frame(width: 3, height: 1, format: .grey, pixels: [1, 2, 3], timestamp: 0))
        let view = try #require(SharedPicture(view: frame, side: 640))
        #expect(view.width == 3 && view.height == 1)
        #expect(view.pixels == [1, 1, 1, 2, 2, 2, 3, 3, 3])
    }

    @Test func aNarrowFrameKeepsAPixel() throws {
        let pixels = [UInt8](repeating: 8, count: 4096)
        let frame = try #require(Frame(width: 4096, height: 1, format: .grey, pixels: pixels, timestamp: 0))
        let view = try #require(SharedPicture(view: frame, side: 64))
        #expect(view.width == 64 && view.height == 1)
    }

    @Test func sharingKeepsToItsRanges() {
        let sharing = PictureSharing(views: true, side: 5000, interval: 1)
        #expect(sharing.side == 640 && sharing.interval == 20)
        #expect(!PictureSharing().wantsAny)
    }
}
