// SPDX-License-Identifier: Apache-2.0
// The system calls of a camera, as a protocol, so that a test can script a device that is busy, lies, stalls or vanishes. One method is one
// request; each answers 0 (or what it says) or a negative errno, as the kernel does. No judgement is made here.

/// A mode a camera offers: a format at a size (or a range of sizes).
public struct OfferedSize: Sendable, Equatable {
    /// Least and most width in pixels, and the step between.
    public var width: ClosedRange<Int>
    /// Least and most height in pixels.
    public var height: ClosedRange<Int>
    /// The step of the width; 1 for a single size.
    public var widthStep: Int
    /// The step of the height.
    public var heightStep: Int

    /// A range of sizes.
    public init(width: ClosedRange<Int>, height: ClosedRange<Int>, widthStep: Int = 1, heightStep: Int = 1) {
        self.width = width
        self.height = height
        self.widthStep = max(1, widthStep)
        self.heightStep = max(1, heightStep)
    }

    /// A single size.
    public init(_ width: Int, _ height: Int) { self.init(width: width...width, height: height...height) }
}

/// What S_FMT asks for and answers.
public struct VideoFormat: Sendable, Equatable {
    /// Four characters, the first one lowest.
    public var code: UInt32
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int
    /// Bytes from row to row, 0 for compressed formats.
    public var bytesPerLine: Int
    /// The most bytes a picture has.
    public var imageBytes: Int
    /// Luminance from 0 to 255.
    public var fullRange: Bool

    /// A format; what the driver decides may be left out.
    public init(
        code: UInt32, width: Int, height: Int, bytesPerLine: Int = 0, imageBytes: Int = 0, fullRange: Bool = false
    ) {
        self.code = code
        self.width = width
        self.height = height
        self.bytesPerLine = bytesPerLine
        self.imageBytes = imageBytes
        self.fullRange = fullRange
    }
}

/// A buffer that the driver has filled.
public struct FilledBuffer: Sendable, Equatable {
    /// Its number.
    public var index: Int
    /// Bytes used.
    public var bytes: Int
    /// The driver says that the picture is incomplete.
    public var isDamaged: Bool
    /// Milliseconds of the monotonic clock, 0 when the driver uses another clock.
    public var timestamp: UInt64

    /// A filled buffer.
    public init(index: Int, bytes: Int, isDamaged: Bool = false, timestamp: UInt64 = 0) {
        self.index = index
        self.bytes = bytes
        self.isDamaged = isDamaged
        self.timestamp = timestamp
    }
}

/// The requests of a camera.
public protocol VideoDevice: AnyObject {
    /// QUERYCAP: the node's capability bits.
    func capabilities(_ bits: inout UInt32) -> Int32
    /// ENUM_FMT: row `index`; -EINVAL after the last.
    func format(at index: Int, _ code: inout UInt32) -> Int32
    /// ENUM_FRAMESIZES: row `index` of a format; -EINVAL after the last.
    func size(of code: UInt32, at index: Int, _ size: inout OfferedSize) -> Int32
    /// ENUM_FRAMEINTERVALS: the highest rate in tenths of frames a second, 0 when unknown.
    func bestRate(of code: UInt32, width: Int, height: Int) -> Int32
    /// S_FMT: asks, and is told what the driver chose.
    func set(_ format: inout VideoFormat) -> Int32
    /// S_PARM: asks for a rate in tenths; the rate chosen, 0 when unknown.
    func setRate(tenths: Int) -> Int32
    /// REQBUFS: how many were granted; 0 frees them.
    func requestBuffers(_ count: Int) -> Int32
    /// QUERYBUF and mmap of buffer `index`, which stays mapped until `unmapBuffers`.
    func mapBuffer(_ index: Int) -> Int32
    /// Unmaps all.
    func unmapBuffers()
    /// QBUF.
    func queueBuffer(_ index: Int) -> Int32
    /// DQBUF; -EAGAIN when none is ready.
    func takeBuffer(_ buffer: inout FilledBuffer) -> Int32
    /// The first `count` bytes (never more than the buffer has) of a mapped buffer; false for a number that is not mapped.
    func read(_ index: Int, count: Int, _ body: (Span<UInt8>) -> Void) -> Bool
    /// STREAMON.
    func start() -> Int32
    /// STREAMOFF.
    func stop() -> Int32
    /// Waits until a picture, or an error that taking it tells, is there: 1; 0 at the deadline (milliseconds of the monotonic clock).
    func wait(until deadline: UInt64) -> Int32
    /// libv4lconvert's choice of a format of the camera's own that becomes RGB; -EINVAL when there is none.
    func chooseConvertible(width: Int, height: Int, _ format: inout VideoFormat) -> Int32
    /// libv4lconvert: one picture into `width * height * 3` bytes.
    func convert(_ bytes: Span<UInt8>, from format: VideoFormat, into rgb: inout [UInt8]) -> Int32
}
