// SPDX-License-Identifier: Apache-2.0
// Decoding of still pictures: what comes out is what went in, and every kind of damage is an error with its name.

import Biometrics
import Testing

@testable import Capture

@Suite struct PictureTests {
    /// A smooth picture, which JPEG keeps nearly unchanged.
    private func gradient(_ width: Int, _ height: Int, _ format: Frame.Format = .rgb) throws -> Frame {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                pixels.append(UInt8(x * 255 / width))
                if format == .rgb { pixels += [UInt8(y * 255 / height), 128] }
            }
        }
        return try #require(Frame(width: width, height: height, format: format, pixels: pixels, timestamp: 7))
    }

    private func refusal(_ bytes: [UInt8]) -> PictureError? {
        do throws(PictureError) {
            _ = try Picture.decode(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [Frame.Format.rgb, .grey]) func pngKeepsEveryByte(format: Frame.Format) throws {
        let frame = try gradient(61, 33, format)
        #expect(try Picture.decode(Picture.encodePNG(frame), as: format, timestamp: 7) == frame)
    }

    @Test(arguments: [Frame.Format.rgb, .grey]) func jpegKeepsSmoothPictures(format: Frame.Format) throws {
        let frame = try gradient(64, 48, format)
        let again = try Picture.decode(Picture.encodeJPEG(frame, quality: 98), as: format, timestamp: 7)
        #expect(again.width == 64 && again.height == 48)
        #expect(zip(again.pixels, frame.pixels).allSatisfy { abs(Int($0) - Int($1)) <= 6 })
    }

    @Test func refusesNothingAndOtherKinds() {
        #expect(refusal([]) == .empty)
        #expect(refusal(Array("GIF89a".utf8)) == .unknownKind)
    }

    @Test(arguments: [0.3, 0.6, 0.95]) func refusesTruncatedJPEG(part: Double) throws {
        let bytes = try Picture.encodeJPEG(gradient(200, 150))
        let error = refusal(Array(bytes.prefix(Int(Double(bytes.count) * part))))
        guard case .damaged(let words) = error else {
            Issue.record("accepted, or \(String(describing: error))")
            return
        }
        #expect(!words.isEmpty)
    }

    @Test(arguments: [0.3, 0.6, 0.95]) func refusesTruncatedPNG(part: Double) throws {
        let bytes = try Picture.encodePNG(gradient(200, 150))
        guard case .damaged = refusal(Array(bytes.prefix(Int(Double(bytes.count) * part)))) else {
            Issue.record("a truncated picture was accepted")
            return
        }
    }

    @Test func refusesSidesBeyondTheLimitBeforeDecoding() throws {
        // Start of image, a frame header that claims 5000x3, then nothing: the sides alone decide.
        let jpeg: [UInt8] =
            [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 3, 0x13, 0x88, 1, 1, 0x11, 0]
            + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
        #expect(refusal(jpeg) == .tooLarge(width: 5000, height: 3))
    }

    @Test func toleratesStrayBytesBetweenSegments() throws {
        // Some cameras pad every frame; the picture is whole.
        let frame = try gradient(64, 48)
        var bytes = try Picture.encodeJPEG(frame)
        bytes.insert(contentsOf: [0, 0, 0], at: bytes.count - 2)
        #expect(refusal(bytes) == nil)
    }

    @Test func neverCrashesOnDamagedBytes() throws {
        // Every fifth byte of both kinds, one at a time: an answer or an error, within the sanitizer's view.
        let frame = try gradient(24, 16)
        for bytes in [try Picture.encodeJPEG(frame), try Picture.encodePNG(frame)] {
            for i in stride(from: 8, to: bytes.count, by: 5) {
                var damaged = bytes
                damaged[i] ^= 0xFF
                _ = refusal(damaged)
            }
        }
    }

    @Test(arguments: Orientation.allCases) func turnsAsTheCameraNoted(orientation: Orientation) throws {
        // 2x1 grey pixels 10, 200 stored; where they must be seen for each of the eight ways.
        let stored = try #require(Frame(width: 2, height: 1, format: .grey, pixels: [10, 200], timestamp: 0))
        let seen = orientation.applied(to: stored)
        let tall = orientation.rawValue >= 5
        #expect(seen.width == (tall ? 1 : 2) && seen.height == (tall ? 2 : 1))
        let reversed: Set<Orientation> = [.mirrored, .halfTurn, .transverse, .quarterTurnLeft]
        #expect(seen.pixels == (reversed.contains(orientation) ? [200, 10] : [10, 200]))
    }

    @Test(arguments: [false, true]) func readsTheOrientationTag(little: Bool) throws {
        let tiff: [UInt8] =
            little
            ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]
            : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
        let body = Array("Exif".utf8) + [0, 0] + tiff
        var bytes = try Picture.encodeJPEG(gradient(40, 20))
        bytes.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(body.count + 2)] + body, at: 2)
        #expect(Orientation(jpeg: bytes) == .quarterTurnRight)
        let upright = try Picture.decode(bytes)
        #expect(upright.width == 20 && upright.height == 40)
        #expect(try Picture.decode(bytes, upright: false).width == 40)
        for end in 2..<60 { _ = Orientation(jpeg: Array(bytes.prefix(end))) }
    }
}
