// SPDX-License-Identifier: Apache-2.0
// A camera as a source of frames. Everything a driver says is doubted: sizes, lengths and buffer numbers are checked before they are used. A bad
// frame is skipped; a camera that is busy, gone or silent is one clean error.

public import Biometrics
public import Platform

/// Streams frames from a Video4Linux node; stops and releases it when it ends.
public final class Camera: FrameSource {
    /// What the camera streams.
    public struct Stream: Sendable, Equatable {
        /// Width of the frames delivered, after rotation.
        public let width: Int
        /// Height of the frames delivered, after rotation.
        public let height: Int
        /// The four-character code on the wire.
        public let code: UInt32
        /// Tenths of frames a second, 0 when the driver does not tell.
        public let rate: Int
    }

    /// Buffers asked for: one being read, one being filled, two in between.
    static let wantedBuffers = 4
    /// So many bad frames in a row are a broken camera, not a bad frame.
    static let mostBadFrames = 60
    /// Frames with times before what is wanted are let go for so many milliseconds at most.
    static let patience: UInt64 = 200

    private let device: any VideoDevice
    private let clock: any TimeSource
    private let decoder: FrameDecoder
    private let rotation: Rotation
    private var badFrames = 0
    private var wantedFrom: UInt64 = 0
    private var latest: UInt64 = 0
    /// What is streamed.
    public let stream: Stream

    /// Negotiates a format and starts to stream.
    ///
    /// - Parameters:
    ///   - device: the open node.
    ///   - role: an infrared camera's frames are grey, and its raw formats come first.
    ///   - rotation: applied to every frame.
    ///   - clock: gives frames their time when the driver does not.
    public init(_ device: any VideoDevice, role: CameraRole, rotation: Rotation, clock: any TimeSource)
        throws(CaptureError)
    {
        self.device = device
        self.clock = clock
        self.rotation = rotation
        let negotiation = Negotiation(device: device, role: role)
        let format = try negotiation.run()
        decoder = try FrameDecoder(format, as: role == .infrared ? .grey : .rgb, device: device)
        let rate = max(0, Int(device.setRate(tenths: 300)))
        let turned = rotation == .quarter || rotation == .threeQuarters
        stream = Stream(
            width: turned ? format.height : format.width, height: turned ? format.width : format.height,
            code: format.code, rate: min(rate, 10_000))
        do throws(CaptureError) {
            try begin()
        } catch {
            release()
            throw error
        }
    }

    deinit { release() }

    private func begin() throws(CaptureError) {
        let granted = try check(device.requestBuffers(Camera.wantedBuffers), "request buffers")
        guard (1...32).contains(granted) else { throw .failed("\(granted) buffers granted", errno: 0) }
        for index in 0..<Int(granted) {
            try check(device.mapBuffer(index), "map a buffer")
            try check(device.queueBuffer(index), "queue a buffer")
        }
        try check(device.start(), "start streaming")
    }

    private func release() {
        _ = device.stop()
        device.unmapBuffers()
        _ = device.requestBuffers(0)
    }

    /// Lets frames taken before `moment` go undecoded, but not for longer than `patience`: a driver's times may stand still.
    public func skip(before moment: UInt64) { wantedFrom = moment }

    /// The newest frame; older ones that were not asked for in time are let go.
    public func next(until deadline: UInt64) throws -> Frame? { try frame(until: deadline) }

    /// The same with its typed error.
    public func frame(until deadline: UInt64) throws(CaptureError) -> Frame {
        while true {
            guard try check(device.wait(until: deadline), "wait for a frame") != 0 else { throw .timedOut("a frame") }
            guard let buffer = try newestBuffer() else { continue }
            let (now, time) = time(of: buffer)
            guard time >= wantedFrom || now >= wantedFrom + Camera.patience else {
                try check(device.queueBuffer(buffer.index), "queue a buffer")
                continue
            }
            let frame = decode(buffer, at: time)
            try check(device.queueBuffer(buffer.index), "queue a buffer")
            if let frame {
                badFrames = 0
                return rotation.applied(to: frame)
            }
            badFrames += 1
            guard badFrames < Camera.mostBadFrames else {
                throw .failed("\(badFrames) damaged frames in a row", errno: 0)
            }
        }
    }

    /// Takes every buffer that is ready and gives back all but the last; nil when a wake-up brought none.
    private func newestBuffer() throws(CaptureError) -> FilledBuffer? {
        var newest: FilledBuffer?
        // A driver that never runs dry is not followed for ever.
        for _ in 0..<32 {
            var taken = FilledBuffer(index: 0, bytes: 0)
            let result = device.takeBuffer(&taken)
            if result == -11 { break }
            if result == -5 {  // EIO: a frame was lost, streaming goes on
                badFrames += 1
                guard badFrames < Camera.mostBadFrames else { throw .failed("take a frame", errno: 5) }
                break
            }
            try check(result, "take a frame")
            if let older = newest { try check(device.queueBuffer(older.index), "queue a buffer") }
            newest = taken
        }
        return newest
    }

    /// The time now, and when a frame was taken.
    private func time(of buffer: FilledBuffer) -> (now: UInt64, taken: UInt64) {
        let now = clock.now()
        // A clock that runs ahead, or stands still at a long past time, is not believed.
        let believed = buffer.timestamp <= now && now - buffer.timestamp < 10_000
        // Nor is one that steps back: the helper refuses evidence that goes back in time.
        latest = max(latest, believed && buffer.timestamp > 0 ? buffer.timestamp : now)
        return (now, latest)
    }

    private func decode(_ buffer: FilledBuffer, at time: UInt64) -> Frame? {
        guard !buffer.isDamaged, buffer.bytes > 0 else { return nil }
        var frame: Frame?
        let known = device.read(buffer.index, count: buffer.bytes) { frame = decoder.decode($0, timestamp: time) }
        return known ? frame : nil
    }
}

/// Turns a negative errno into the error that the person is told.
@discardableResult
func check(_ result: Int32, _ what: String) throws(CaptureError) -> Int32 {
    guard result < 0 else { return result }
    switch -result {
    case 16: throw .busy  // EBUSY
    case 19, 6: throw .gone  // ENODEV, ENXIO
    case 110: throw .timedOut(what)  // ETIMEDOUT: the device did not answer on its bus
    default: throw .failed(what, errno: -result)
    }
}
