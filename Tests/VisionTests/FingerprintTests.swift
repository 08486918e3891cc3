// SPDX-License-Identifier: Apache-2.0
// Equal frames have equal fingerprints, and a single bit makes another.

import Biometrics
import Testing

@testable import Vision

@Suite struct FingerprintTests {
    @Test func dependsOnEveryByteAndOnTheSides() throws {
        let frame = texture(33, 5, .grey)
        var seen: Set<UInt64> = [Fingerprint.of(frame)]
        for i in frame.pixels.indices {
            var pixels = frame.pixels
            pixels[i] ^= 1
            let other = try #require(Frame(width: 33, height: 5, format: .grey, pixels: pixels, timestamp: 0))
            #expect(seen.insert(Fingerprint.of(other)).inserted)
        }
        let turned = try #require(Frame(width: 5, height: 33, format: .grey, pixels: frame.pixels, timestamp: 0))
        #expect(seen.insert(Fingerprint.of(turned)).inserted)
        let rgb = try #require(Frame(width: 11, height: 5, format: .rgb, pixels: frame.pixels, timestamp: 0))
        #expect(seen.insert(Fingerprint.of(rgb)).inserted)
    }

    @Test func doesNotDependOnTheTime() throws {
        let frame = texture(64, 48)
        let later = try #require(Frame(width: 64, height: 48, format: .rgb, pixels: frame.pixels, timestamp: 99))
        #expect(Fingerprint.of(frame) == Fingerprint.of(later))
    }
}
