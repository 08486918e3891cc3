// SPDX-License-Identifier: Apache-2.0
import Biometrics
import Testing
import Worker

/// Frames of these mean levels, 33 ms apart: which are admitted.
private func admitted(_ levels: [UInt8], role: CameraRole = .colour, interval: UInt64 = 33) throws -> [Bool] {
    var warmUp = WarmUp(role: role)
    let format: Frame.Format = role == .infrared ? .grey : .rgb
    var result: [Bool] = []
    for (index, level) in levels.enumerated() {
        let pixels = [UInt8](repeating: level, count: 64 * 48 * format.bytesPerPixel)
        let frame = try #require(
            Frame(
                width: 64, height: 48, format: format, pixels: pixels, timestamp: 5_000 + UInt64(index) * interval))
        result.append(warmUp.admits(frame))
    }
    return result
}

@Suite struct WarmUpTests {
    @Test func admitsALitSceneAtOnce() throws {
        #expect(try admitted([120, 60, 121]) == [true, true, true])
    }

    @Test(arguments: [10, 30])
    func keepsBlackFramesAndTheRampBack(black: Int) throws {
        let ramp: [UInt8] = [20, 40, 70, 100, 110, 112, 112]
        let levels = [UInt8](repeating: 2, count: black) + ramp
        let result = try admitted(levels)
        #expect(result.prefix(black).allSatisfy { !$0 })
        #expect(result.suffix(ramp.count) == [false, false, false, false, true, true, true])
    }

    @Test func tellsADarkSceneAfterTheWarmUp() throws {
        let result = try admitted([UInt8](repeating: 2, count: 100))
        #expect(result.firstIndex(of: true) == 61, "2,000 ms at 33 ms a frame")
        #expect(result.suffix(39).allSatisfy { $0 })
    }

    @Test func judgesLitFramesOfAStrobedInfraredCameraOnly() throws {
        let levels = (0..<12).map { UInt8($0 % 2 == 0 ? 90 : 20) }
        let result = try admitted(levels, role: .infrared, interval: 400)
        // The warm-up ends 2 s after the first frame.
        #expect(result.suffix(6) == [true, false, true, false, true, false])
    }

    @Test func aStrobedCameraIsJudgedFromItsFirstLitFrame() throws {
        #expect(try admitted([90, 20, 92, 21, 91, 20], role: .infrared) == [true, false, true, false, true, false])
    }

    @Test func aDarkInfraredSceneIsStillTold() throws {
        let result = try admitted([UInt8](repeating: 5, count: 20), role: .infrared, interval: 200)
        #expect(result.suffix(9).allSatisfy { $0 })
    }
}
