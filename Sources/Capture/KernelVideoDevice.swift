// SPDX-License-Identifier: Apache-2.0
// The real camera behind a descriptor: each method is one call of a shim. Buffers stay mapped as long as the device lives, and are only lent out.

import CLinux
import CVideo
public import Platform

/// A Video4Linux node; safe to use from outside, since no pointer leaves it.
@safe public final class KernelVideoDevice: VideoDevice {
    private let descriptor: Descriptor
    // SAFETY of the pointers below: they come from mmap with their length, are used in `read` only, and are unmapped once, by `unmapBuffers`.
    private var buffers: [UnsafeBufferPointer<UInt8>] = unsafe []
    private var converter: UnsafeMutableRawPointer?

    /// Takes over an open node.
    public init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    deinit {
        unmapBuffers()
        // SAFETY: opened by `cvideo_open`, closed once, before the descriptor is.
        unsafe cvideo_close(converter)
    }

    /// QUERYCAP.
    public func capabilities(_ bits: inout UInt32) -> Int32 {
        // SAFETY: here and below structures are lent to C for the call.
        var identity = clinux_video_identity()
        let result = unsafe clinux_video_identify(descriptor.raw, &identity)
        bits = identity.capabilities
        return result
    }

    /// ENUM_FMT.
    public func format(at index: Int, _ code: inout UInt32) -> Int32 {
        unsafe clinux_video_format_at(descriptor.raw, UInt32(index), &code)
    }

    /// ENUM_FRAMESIZES.
    public func size(of code: UInt32, at index: Int, _ size: inout OfferedSize) -> Int32 {
        var sizes = clinux_video_sizes()
        let result = unsafe clinux_video_sizes_at(descriptor.raw, code, UInt32(index), &sizes)
        if result == 0 {
            guard sizes.least_width <= sizes.most_width, sizes.least_height <= sizes.most_height else { return -22 }
            size = OfferedSize(
                width: Int(sizes.least_width)...Int(sizes.most_width),
                height: Int(sizes.least_height)...Int(sizes.most_height),
                widthStep: Int(sizes.step_width), heightStep: Int(sizes.step_height))
        }
        return result
    }

    /// ENUM_FRAMEINTERVALS.
    public func bestRate(of code: UInt32, width: Int, height: Int) -> Int32 {
        clinux_video_best_rate(descriptor.raw, code, UInt32(width), UInt32(height))
    }

    /// S_FMT.
    public func set(_ format: inout VideoFormat) -> Int32 {
        var wanted = clinux_video_format(
            code: format.code, width: UInt32(format.width), height: UInt32(format.height), bytes_per_line: 0,
            image_bytes: 0, full_range: 0)
        let result = unsafe clinux_video_set_format(descriptor.raw, &wanted)
        if result == 0 {
            format = VideoFormat(
                code: wanted.code, width: Int(wanted.width), height: Int(wanted.height),
                bytesPerLine: Int(wanted.bytes_per_line), imageBytes: Int(wanted.image_bytes),
                fullRange: wanted.full_range == 1)
        }
        return result
    }

    /// S_PARM.
    public func setRate(tenths: Int) -> Int32 { clinux_video_set_rate(descriptor.raw, UInt32(tenths)) }

    /// REQBUFS.
    public func requestBuffers(_ count: Int) -> Int32 {
        clinux_video_request_buffers(descriptor.raw, UInt32(count))
    }

    /// QUERYBUF and mmap.
    public func mapBuffer(_ index: Int) -> Int32 {
        var address: UnsafePointer<UInt8>?
        var length = 0
        let result = unsafe clinux_video_map_buffer(descriptor.raw, UInt32(index), &address, &length)
        if result == 0 { unsafe buffers.append(UnsafeBufferPointer(start: address, count: length)) }
        return result
    }

    /// munmap of every buffer.
    public func unmapBuffers() {
        for index in unsafe buffers.indices {
            let buffer = unsafe buffers[index]
            unsafe clinux_video_unmap_buffer(buffer.baseAddress, buffer.count)
        }
        unsafe buffers = []
    }

    /// QBUF.
    public func queueBuffer(_ index: Int) -> Int32 { clinux_video_queue_buffer(descriptor.raw, UInt32(index)) }

    /// DQBUF.
    public func takeBuffer(_ buffer: inout FilledBuffer) -> Int32 {
        var taken = clinux_video_buffer()
        let result = unsafe clinux_video_take_buffer(descriptor.raw, &taken)
        if result == 0 {
            buffer = FilledBuffer(
                index: Int(taken.index), bytes: Int(taken.bytes), isDamaged: taken.damaged != 0,
                timestamp: taken.milliseconds)
        }
        return result
    }

    /// Lends the first `count` bytes of a buffer.
    public func read(_ index: Int, count: Int, _ body: (Span<UInt8>) -> Void) -> Bool {
        guard unsafe buffers.indices.contains(index), count >= 0 else { return false }
        let buffer = unsafe buffers[index]
        // SAFETY: the part lies within the mapping, which lives until this object unmaps it; `body` cannot keep the span.
        let part = unsafe UnsafeBufferPointer(rebasing: buffer[..<min(count, buffer.count)])
        unsafe body(part.span)
        return true
    }

    /// STREAMON.
    public func start() -> Int32 { clinux_video_start(descriptor.raw) }

    /// STREAMOFF.
    public func stop() -> Int32 { clinux_video_stop(descriptor.raw) }

    /// poll.
    public func wait(until deadline: UInt64) -> Int32 {
        var number = descriptor.raw
        return unsafe clinux_wait_ready(&number, 1, 0, deadline)
    }

    /// Asks libv4lconvert for a source format.
    public func chooseConvertible(width: Int, height: Int, _ format: inout VideoFormat) -> Int32 {
        // SAFETY: the converter belongs to this object and to this descriptor, which both outlive it.
        if unsafe converter == nil { unsafe converter = unsafe cvideo_open(descriptor.raw) }
        guard unsafe converter != nil else { return -22 }
        var source = cvideo_format()
        let result = unsafe cvideo_choose_source(converter, UInt32(width), UInt32(height), &source)
        if result == 0 {
            format = VideoFormat(
                code: source.code, width: Int(source.width), height: Int(source.height),
                bytesPerLine: Int(source.bytes_per_line), imageBytes: Int(source.image_bytes))
        }
        return result
    }

    /// Converts one picture by libv4lconvert.
    public func convert(_ bytes: Span<UInt8>, from format: VideoFormat, into rgb: inout [UInt8]) -> Int32 {
        guard unsafe converter != nil else { return -22 }
        var source = cvideo_format(
            code: format.code, width: UInt32(format.width), height: UInt32(format.height),
            bytes_per_line: UInt32(format.bytesPerLine), image_bytes: UInt32(format.imageBytes))
        // SAFETY: both areas are passed with their own lengths and not kept.
        return unsafe bytes.withUnsafeBufferPointer { from in
            unsafe rgb.withUnsafeMutableBufferPointer { to in
                unsafe cvideo_convert(converter, &source, from.baseAddress, from.count, to.baseAddress, to.count)
            }
        }
    }
}
