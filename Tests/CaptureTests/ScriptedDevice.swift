// SPDX-License-Identifier: Apache-2.0
// A camera whose every answer is written down by the test.

import Capture

final class ScriptedDevice: VideoDevice {
    var capabilityBits: UInt32 = 0x0400_0001
    var capabilityResult: Int32 = 0
    var offers: [(code: UInt32, sizes: [OfferedSize])] = [(PixelFormat.grey.rawValue, [OfferedSize(8, 4)])]
    var rates: [Int32] = []
    var setResult: Int32 = 0
    /// What S_FMT changes behind the caller's back.
    var alter: (inout VideoFormat) -> Void = { _ in }
    var granted: Int32 = 4
    var mapResult: Int32 = 0
    var startResult: Int32 = 0
    var queueResult: Int32 = 0
    var convertibleResult: Int32 = -22
    /// What DQBUF answers in turn; `nothing` is -EAGAIN.
    ///
    /// A wait answers 0 when nothing is left.
    enum Event {
        case picture([UInt8])
        case damaged([UInt8])
        case claims(index: Int, bytes: Int)
        case stamped([UInt8], UInt64)
        case error(Int32)
        case nothing
    }
    var events: [Event] = []
    private var content: [Int: [UInt8]] = [:]
    private(set) var calls: [String] = []
    private(set) var asked: [VideoFormat] = []

    func capabilities(_ bits: inout UInt32) -> Int32 {
        bits = capabilityBits
        return capabilityResult
    }

    func format(at index: Int, _ code: inout UInt32) -> Int32 {
        guard offers.indices.contains(index) else { return -22 }
        code = offers[index].code
        return 0
    }

    func size(of code: UInt32, at index: Int, _ size: inout OfferedSize) -> Int32 {
        let sizes = offers.first { $0.code == code }?.sizes ?? []
        guard sizes.indices.contains(index) else { return -22 }
        size = sizes[index]
        return 0
    }

    func bestRate(of code: UInt32, width: Int, height: Int) -> Int32 { 300 }

    func set(_ format: inout VideoFormat) -> Int32 {
        asked.append(format)
        if setResult == 0 { alter(&format) }
        return setResult
    }

    func setRate(tenths: Int) -> Int32 { 300 }

    func requestBuffers(_ count: Int) -> Int32 {
        calls.append("request \(count)")
        return count == 0 ? 0 : granted
    }

    func mapBuffer(_ index: Int) -> Int32 { mapResult }
    func unmapBuffers() { calls.append("unmap") }

    func queueBuffer(_ index: Int) -> Int32 {
        calls.append("queue \(index)")
        return queueResult
    }

    func takeBuffer(_ buffer: inout FilledBuffer) -> Int32 {
        guard !events.isEmpty else { return -11 }
        switch events.removeFirst() {
        case .picture(let bytes): fill(&buffer, bytes)
        case .damaged(let bytes):
            fill(&buffer, bytes)
            buffer.isDamaged = true
        case .claims(let index, let bytes): buffer = FilledBuffer(index: index, bytes: bytes)
        case .stamped(let bytes, let time):
            fill(&buffer, bytes)
            buffer.timestamp = time
        case .error(let number): return -number
        case .nothing: return -11
        }
        return 0
    }

    private func fill(_ buffer: inout FilledBuffer, _ bytes: [UInt8]) {
        let index = content.count % 4
        content[index] = bytes
        buffer = FilledBuffer(index: index, bytes: bytes.count)
    }

    func read(_ index: Int, count: Int, _ body: (Span<UInt8>) -> Void) -> Bool {
        guard let bytes = content[index], count <= bytes.count else { return false }
        body(bytes.span)
        return true
    }

    func start() -> Int32 {
        calls.append("start")
        return startResult
    }

    func stop() -> Int32 {
        calls.append("stop")
        return 0
    }

    func wait(until deadline: UInt64) -> Int32 { events.isEmpty ? 0 : 1 }

    func chooseConvertible(width: Int, height: Int, _ format: inout VideoFormat) -> Int32 {
        format = VideoFormat(code: 0x3132_3453, width: width, height: height, imageBytes: width * height)
        return convertibleResult
    }

    func convert(_ bytes: Span<UInt8>, from format: VideoFormat, into rgb: inout [UInt8]) -> Int32 {
        for i in rgb.indices { rgb[i] = bytes[0] }
        return bytes.count >= format.imageBytes ? 0 : -74
    }
}
