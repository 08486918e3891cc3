// SPDX-License-Identifier: Apache-2.0
// The camera against every way in which a device can misbehave: busy at each step, gone, silent, lying, damaged.

import Biometrics
import Platform
import Testing

@testable import Capture

private struct FixedTime: TimeSource {
    func now() -> UInt64 { 50_000 }
    func wall() -> Int64 { 0 }
}

private func open(
    _ device: ScriptedDevice, role: CameraRole = .colour, rotation: Rotation = .none
) throws(CaptureError) -> Camera {
    try Camera(device, role: role, rotation: rotation, clock: FixedTime())
}

private func fault(_ device: ScriptedDevice, role: CameraRole = .colour) -> CaptureError? {
    do throws(CaptureError) {
        _ = try open(device, role: role)
        return nil
    } catch { return error }
}

private let picture = [UInt8](0..<32)

@Suite struct CameraTests {
    @Test func deliversWhatTheDeviceDelivers() throws {
        let device = ScriptedDevice()
        device.events = [.picture(picture)]
        let camera = try open(device)
        #expect(camera.stream == Camera.Stream(width: 8, height: 4, code: PixelFormat.grey.rawValue, rate: 300))
        let frame = try camera.frame(until: 0)
        #expect(frame.format == .grey)
        #expect(frame.pixels == picture)
        #expect(frame.timestamp == 50_000)
    }

    @Test func keepsTheDriversTimeUnlessItCannotBeTrue() throws {
        let device = ScriptedDevice()
        for (stamp, expected) in [(49_900, 49_900), (50_001, 50_000), (10, 50_000), (0, 50_000)] as [(UInt64, UInt64)] {
            device.events = [.stamped(picture, stamp)]
            #expect(try open(device).frame(until: 0).timestamp == expected)
        }
    }

    @Test func neverGoesBackInTimeThoughTheDriverDoes() throws {
        let device = ScriptedDevice()
        device.events = [
            .stamped(picture, 49_983), .nothing, .stamped(picture, 49_700), .nothing, .stamped(picture, 49_990),
        ]
        let camera = try open(device)
        #expect(try (0..<3).map { _ in try camera.frame(until: 0).timestamp } == [49_983, 49_983, 49_990])
    }

    @Test func handsOutTheNewestOfSeveralFrames() throws {
        let device = ScriptedDevice()
        device.events = [.picture(picture), .picture(picture), .picture(picture.reversed())]
        let camera = try open(device)
        #expect(try camera.frame(until: 0).pixels == picture.reversed())
        #expect(device.calls.suffix(3) == ["queue 0", "queue 1", "queue 2"])
    }

    @Test func letsFramesGoThatAreNotWantedAndGivesTheirBuffersBack() throws {
        let device = ScriptedDevice()
        device.events = [
            .stamped(picture, 49_950), .nothing, .stamped(picture, 49_983), .nothing,
            .stamped(picture.reversed(), 49_996),
        ]
        let camera = try open(device)
        camera.skip(before: 49_995)
        #expect(try camera.frame(until: 0).timestamp == 49_996)
        #expect(device.calls.suffix(3) == ["queue 0", "queue 1", "queue 2"])
    }

    @Test func deliversAllTheSameWhenTheDriversTimeStandsStill() throws {
        let device = ScriptedDevice()
        device.events = [.stamped(picture, 49_000)]
        let camera = try open(device)
        camera.skip(before: 49_045)
        #expect(try camera.frame(until: 0).timestamp == 49_000)
    }

    @Test func saysBusyAtEachStep() {
        let steps: [(ScriptedDevice) -> Void] = [
            { $0.capabilityResult = -16 }, { $0.setResult = -16 }, { $0.granted = -16 }, { $0.mapResult = -16 },
            { $0.queueResult = -16 }, { $0.startResult = -16 },
        ]
        for step in steps {
            let device = ScriptedDevice()
            step(device)
            #expect(fault(device) == .busy)
        }
    }

    @Test func saysGoneAtEachStep() {
        let steps: [(ScriptedDevice) -> Void] = [
            { $0.capabilityResult = -19 }, { $0.setResult = -19 }, { $0.granted = -19 }, { $0.startResult = -19 },
        ]
        for step in steps {
            let device = ScriptedDevice()
            step(device)
            #expect(fault(device) == .gone)
        }
    }

    @Test func releasesTheDeviceWhenStartingFails() {
        let device = ScriptedDevice()
        device.startResult = -5
        #expect(fault(device) == .failed("start streaming", errno: 5))
        #expect(device.calls.suffix(3) == ["stop", "unmap", "request 0"])
    }

    @Test func releasesTheDeviceAtItsEnd() throws {
        let device = ScriptedDevice()
        do { _ = try open(device) }
        #expect(device.calls.suffix(3) == ["stop", "unmap", "request 0"])
    }

    @Test func timesOutWhenNothingComes() throws {
        let camera = try open(ScriptedDevice())
        #expect(throws: CaptureError.timedOut("a frame")) { try camera.frame(until: 0) }
    }

    @Test func saysGoneWhenUnpluggedWhileStreaming() throws {
        let device = ScriptedDevice()
        device.events = [.picture(picture)]
        let camera = try open(device)
        _ = try camera.frame(until: 0)
        device.events = [.error(19)]
        #expect(throws: CaptureError.gone) { try camera.frame(until: 0) }
    }

    @Test func skipsBadFrames() throws {
        let device = ScriptedDevice()
        let bad: [ScriptedDevice.Event] = [
            .damaged(picture), .nothing, .picture([UInt8](repeating: 0, count: 31)), .nothing, .nothing, .error(5),
            .claims(index: 0, bytes: 0), .nothing, .claims(index: 31, bytes: 32), .nothing,
        ]
        device.events = bad + [.picture(picture)]
        #expect(try open(device).frame(until: 0).pixels == picture)
    }

    @Test func givesUpOnEndlessBadFrames() throws {
        let device = ScriptedDevice()
        device.events = Array(repeating: [.damaged(picture), .nothing], count: 100).flatMap { $0 }
        let camera = try open(device)
        #expect(throws: CaptureError.failed("60 damaged frames in a row", errno: 0)) { try camera.frame(until: 0) }
    }

    @Test func refusesWhatIsNoCamera() {
        let nodes: [(UInt32, Int32)] = [
            (0, -25), (0x0400_0002, 0), (0x0480_0000, 0), (0x0400_8001, 0), (0x0400_4000, 0), (1, 0),
        ]
        for (bits, result) in nodes {
            let device = ScriptedDevice()
            device.capabilityBits = bits
            device.capabilityResult = result
            guard case .noFormat = fault(device) else {
                Issue.record("capabilities \(bits) were accepted")
                continue
            }
        }
    }

    @Test func refusesADriverThatContradictsItself() {
        let lies: [((inout VideoFormat) -> Void, CaptureError)] = [
            ({ $0.width = 5000 }, .tooLarge(width: 5000, height: 4)),
            ({ $0.height = 0 }, .tooLarge(width: 8, height: 0)),
            ({ $0.bytesPerLine = 7 }, .failed("rows of 7 bytes for 8 pixels", errno: 0)),
            ({ $0.bytesPerLine = 1 << 24 }, .failed("rows of 16777216 bytes for 8 pixels", errno: 0)),
            ({ $0.code = 0x3132_3453 }, .noFormat("GREY")),
        ]
        for (lie, expected) in lies {
            let device = ScriptedDevice()
            device.alter = lie
            #expect(fault(device) == expected)
        }
        let device = ScriptedDevice()
        device.granted = 0
        #expect(fault(device) == .failed("0 buffers granted", errno: 0))
    }

    @Test func namesTheFormatsWhenNoneFits() {
        let device = ScriptedDevice()
        device.offers = [(0x3436_3248, [OfferedSize(640, 480)]), (0x3553_454D, [])]
        #expect(fault(device) == .noFormat("H264, MES5"))
    }

    @Test func usesTheConverterForTheLongTail() throws {
        let device = ScriptedDevice()
        device.offers = [(0x3132_3453, [])]
        device.convertibleResult = 0
        device.events = [
            .picture([1, 2, 3]), .nothing, .picture([UInt8](repeating: 9, count: 640 * 480)),
        ]
        let frame = try open(device).frame(until: 0)
        #expect(frame.format == .rgb)
        #expect(frame.pixels.count == 640 * 480 * 3)
        #expect(frame.pixels.first == 9)
        device.events = [.picture([UInt8](repeating: 200, count: 640 * 480))]
        let grey = try open(device, role: .infrared).frame(until: 0)
        #expect(grey.format == .grey)
        #expect(grey.pixels.first == 200)
    }

    @Test func prefersCompressedForColourAndRawLuminanceForInfrared() throws {
        let device = ScriptedDevice()
        device.offers = [PixelFormat.grey, .yuyv, .mjpeg].map { ($0.rawValue, [OfferedSize(640, 480)]) }
        _ = try open(device)
        #expect(device.asked.last?.code == PixelFormat.mjpeg.rawValue)
        _ = try open(device, role: .infrared)
        #expect(device.asked.last?.code == PixelFormat.grey.rawValue)
    }

    @Test func triesTheNextFormatWhenOneIsRefused() throws {
        let device = ScriptedDevice()
        device.offers = [PixelFormat.yuyv, .grey].map { ($0.rawValue, [OfferedSize(8, 4)]) }
        device.alter = { if $0.code == PixelFormat.yuyv.rawValue { $0.code = PixelFormat.nv12.rawValue } }
        #expect(try open(device).stream.code == PixelFormat.grey.rawValue)
    }

    @Test func decodesJPEGAndSkipsTruncatedAndResized() throws {
        func jpeg(_ width: Int, _ height: Int) throws -> [UInt8] {
            let pixels = [UInt8](repeating: 120, count: width * height * 3)
            let frame = try #require(Frame(width: width, height: height, format: .rgb, pixels: pixels, timestamp: 0))
            return try Picture.encodeJPEG(frame)
        }
        let good = try jpeg(64, 48)
        let device = ScriptedDevice()
        device.offers = [(PixelFormat.mjpeg.rawValue, [OfferedSize(64, 48)])]
        device.events = [
            .picture(Array(good.prefix(good.count / 2))), .nothing, .picture(try jpeg(48, 64)), .nothing,
            .picture([0xFF, 0xD8]), .nothing, .picture(good),
        ]
        let frame = try open(device).frame(until: 0)
        #expect((frame.width, frame.height) == (64, 48))
        #expect(frame.pixels.allSatisfy { abs(Int($0) - 120) <= 2 })
        #expect(device.events.isEmpty)
    }

    @Test func turnsFramesAndTheAnnouncedSize() throws {
        let device = ScriptedDevice()
        device.events = [.picture(picture)]
        let camera = try open(device, rotation: .quarter)
        #expect((camera.stream.width, camera.stream.height) == (4, 8))
        #expect(try camera.frame(until: 0).pixels.prefix(4) == [24, 16, 8, 0])
    }
}
