// SPDX-License-Identifier: Apache-2.0
// 20,000 mutations with a fixed seed of what a hostile camera could deliver: every format, lying sizes and rows, pictures cut short, too long and
// damaged. Whatever comes, the answer is a frame of the announced size or none. `make fuzz` searches on with the same input format.

import Biometrics
import Capture
import Foundation
import TestSupport
import Testing

@Suite struct FrameMutationTests {
    private static let seeds: [[UInt8]] = {
        let folder =
            "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Tests/Fuzz/seeds/frame"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
        return names.compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)").map { [UInt8]($0) } }
    }()

    private static let formats: [PixelFormat] = [
        .yuyv, .uyvy, .nv12, .grey, .y10, .y12, .y16, .y16BigEndian, .mjpeg,
    ]

    /// A seed's first bytes are format, wanted colours, width, height and bytes a line; the picture follows.
    ///
    /// True when a frame came out.
    private static func decode(_ input: [UInt8]) throws -> Bool {
        guard input.count >= 8 else { return false }
        func number(_ at: Int) -> Int { Int(input[at]) << 8 | Int(input[at + 1]) }
        let format = VideoFormat(
            code: formats[Int(input[0]) % formats.count].rawValue, width: number(2), height: number(4),
            bytesPerLine: number(6))
        let wanted: Frame.Format = input[1] & 1 == 0 ? .rgb : .grey
        guard let decoder = try? FrameDecoder(format, as: wanted, device: nil) else { return false }
        let picture = Array(input[8...])
        guard let frame = decoder.decode(picture.span, timestamp: 1) else { return false }
        #expect(frame.width == format.width && frame.height == format.height)
        #expect(frame.pixels.count == frame.width * frame.height * frame.format.bytesPerPixel)
        return true
    }

    @Test func everySeedIsDecodedOrRefusedAsItsNameSays() throws {
        #expect(Self.seeds.count == 21)
        #expect(try Self.seeds.count { try Self.decode($0) } == 17, "four seeds are lies")
    }

    @Test func twentyThousandMutationsAreFramesOrNothing() throws {
        var chance = SeededGenerator(seed: 20_261_130)
        var frames = 0
        for _ in 0..<20_000 {
            var input = Self.seeds[Int(chance.next() % UInt64(Self.seeds.count))]
            for _ in 0...(chance.next() % 4) { Self.mutate(&input, &chance) }
            if try Self.decode(input) { frames += 1 }
        }
        // The mutations neither break everything nor nothing.
        #expect((2_000..<19_000).contains(frames), "\(frames)")
    }

    private static func mutate(_ input: inout [UInt8], _ chance: inout SeededGenerator) {
        let place = Int(chance.next() % UInt64(max(1, input.count)))
        let odd: [UInt8] = [0, 1, 2, 4, 8, 0x10, 0x7F, 0x80, 0xD8, 0xD9, 0xDA, 0xFF]
        switch chance.next() % 5 {
        case 0 where !input.isEmpty: input[place] = UInt8(truncatingIfNeeded: chance.next())
        case 1 where !input.isEmpty: input[place] = odd[Int(chance.next() % UInt64(odd.count))]
        case 2: input.removeLast(min(input.count, place))
        case 3: input.append(contentsOf: repeatElement(UInt8(truncatingIfNeeded: chance.next()), count: place))
        // Sizes are small numbers, else nearly every mutation would be refused for its length.
        default: if input.count > 8 { input[3 + 2 * Int(chance.next() % 3)] = UInt8(chance.next() % 40) }
        }
    }
}
