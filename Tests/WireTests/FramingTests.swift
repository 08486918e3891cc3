// SPDX-License-Identifier: Apache-2.0
// The deframer's limits, its memory of a fault and what it leaves behind. Whole streams are played in FramesTests.

import Testing

@testable import Wire

@Suite struct FramingTests {
    private static let limits: Deframer.Limits = { $0 == 7 ? 3 : nil }

    @Test func refusesLengthBeyondLimitBeforeThePayloadArrives() throws {
        var deframer = Deframer(limits: Self.limits)
        deframer.append([1, 7, 0])
        #expect(try deframer.next() == nil)
        deframer.append([4])
        #expect(throws: WireError.length(type: 7, length: 4, limit: 3)) { try deframer.next() }
    }

    @Test func staysRefusedAfterAFault() {
        var deframer = Deframer(limits: Self.limits)
        deframer.append([2])
        #expect(throws: WireError.version(2)) { try deframer.next() }
        deframer.append([1, 7, 0, 0])
        #expect(throws: WireError.version(2)) { try deframer.next() }
    }

    @Test func findsAFaultBehindAGoodFrame() throws {
        var deframer = Deframer(limits: Self.limits)
        deframer.append([1, 7, 0, 1, 9, 1, 8])
        #expect(try deframer.next() == RawFrame(type: 7, payload: [9]))
        #expect(throws: WireError.type(8)) { try deframer.next() }
    }

    @Test func acceptsExactlyTheLimit() throws {
        var deframer = Deframer(limits: Self.limits)
        deframer.append([1, 7, 0, 3, 1, 2, 3])
        #expect(try deframer.next() == RawFrame(type: 7, payload: [1, 2, 3]))
        #expect(!deframer.isMidFrame)
    }

    @Test func carriesTheLongestPayloadThereIs() throws {
        let frame = RawFrame(type: 1, payload: [UInt8](repeating: 5, count: 65_535))
        var deframer = Deframer(limits: { _ in 65_535 })
        deframer.append(frame.bytes)
        #expect(try deframer.next() == frame)
    }

    /// A copy of what the deframer holds, as a memory dump would show it.
    private func held(_ deframer: Deframer) -> [UInt8] {
        Mirror(reflecting: deframer).children.compactMap { $0.value as? [UInt8] }.flatMap { $0 }
    }

    @Test func overwritesWhatWasRead() throws {
        var deframer = Deframer(limits: ModuleMessage.limits)
        deframer.append(ModuleMessage.secret([0x73, 0x65, 0x63]).frame.bytes + [1])
        _ = try deframer.next()
        #expect(held(deframer) == [0, 0, 0, 0, 0, 0, 0, 1])
        deframer.append([3, 0, 0])
        #expect(held(deframer) == [1, 3, 0, 0])
        #expect(try deframer.next() == RawFrame(type: 3, payload: []))
    }
}
