// SPDX-License-Identifier: Apache-2.0
// A camera that offers one of its formats only, so that each can be tried on one device.

import Capture

/// Forwards every request, and hides all formats but one.
final class OnlyFormat: VideoDevice {
    private let device: any VideoDevice
    private let code: UInt32

    init(_ device: any VideoDevice, code: UInt32) {
        self.device = device
        self.code = code
    }

    func format(at index: Int, _ code: inout UInt32) -> Int32 {
        code = self.code
        return index == 0 ? 0 : -22
    }

    func capabilities(_ bits: inout UInt32) -> Int32 { device.capabilities(&bits) }
    func size(of code: UInt32, at index: Int, _ size: inout OfferedSize) -> Int32 {
        device.size(of: code, at: index, &size)
    }
    func bestRate(of code: UInt32, width: Int, height: Int) -> Int32 {
        device.bestRate(of: code, width: width, height: height)
    }
    func set(_ format: inout VideoFormat) -> Int32 { device.set(&format) }
    func setRate(tenths: Int) -> Int32 { device.setRate(tenths: tenths) }
    func requestBuffers(_ count: Int) -> Int32 { device.requestBuffers(count) }
    func mapBuffer(_ index: Int) -> Int32 { device.mapBuffer(index) }
    func unmapBuffers() { device.unmapBuffers() }
    func queueBuffer(_ index: Int) -> Int32 { device.queueBuffer(index) }
    func takeBuffer(_ buffer: inout FilledBuffer) -> Int32 { device.takeBuffer(&buffer) }
    func read(_ index: Int, count: Int, _ body: (Span<UInt8>) -> Void) -> Bool {
        device.read(index, count: count, body)
    }
    func start() -> Int32 { device.start() }
    func stop() -> Int32 { device.stop() }
    func wait(until deadline: UInt64) -> Int32 { device.wait(until: deadline) }
    func chooseConvertible(width: Int, height: Int, _ format: inout VideoFormat) -> Int32 {
        device.chooseConvertible(width: width, height: height, &format)
    }
    func convert(_ bytes: Span<UInt8>, from format: VideoFormat, into rgb: inout [UInt8]) -> Int32 {
        device.convert(bytes, from: format, into: &rgb)
    }
}
