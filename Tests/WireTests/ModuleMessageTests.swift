// SPDX-License-Identifier: Apache-2.0
// The verdict bytes that this codec lets through are exactly the outcomes of Policy; everything else is in FramesTests.

import Policy
import Testing

@testable import Wire

@Suite struct ModuleMessageTests {
    @Test func letsEveryOutcomeThroughAndNothingElse() {
        for byte in UInt8.min...UInt8.max {
            let message = try? HelperMessage(RawFrame(type: 0x84, payload: [byte]))
            #expect(message == (Outcome(rawValue: byte) == nil ? nil : .verdict(byte)))
        }
    }

    @Test func sendsFlagsApart() throws {
        for (face, debug, flags) in [(false, false, 0), (true, false, 1), (false, true, 2), (true, true, 3)] {
            let frame = ModuleMessage.begin(BeginRequest(faceOnly: face, debug: debug, user: "u", service: "s")).frame
            #expect(frame.payload[0] == UInt8(flags))
        }
    }

    @Test func sendsAnswersOfEveryLengthUpToTheLimit() throws {
        for count in [0, 1, 512, 1023, 1024] {
            let message = ModuleMessage.answer([UInt8](repeating: 0x61, count: count))
            #expect(try ModuleMessage(message.frame) == message)
        }
        let frame = ModuleMessage.answer([UInt8](repeating: 0x61, count: 1025)).frame
        #expect(throws: WireError.range("secret length")) { try ModuleMessage(frame) }
    }
}
