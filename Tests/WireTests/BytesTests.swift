// SPDX-License-Identifier: Apache-2.0
// Texts are the fields where a cut can change the meaning: who logs in, and whether a session is remote.

import Testing

@testable import Wire

@Suite struct BytesTests {
    private func written(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter()
        write(&writer)
        return writer.bytes
    }

    @Test func writesBigEndian() {
        #expect(written { $0.put(UInt16(0x0102)) } == [1, 2])
        #expect(written { $0.put(UInt32(0x0102_0304)) } == [1, 2, 3, 4])
        #expect(written { $0.put(UInt64(0x0102_0304_0506_0708)) } == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(written { $0.put(Float(1)) } == [0x3F, 0x80, 0, 0])
    }

    @Test func cutsBetweenScalars() {
        #expect(written { $0.put(text: "aé", limit: 2) } == [0, 1, 0x61])
        #expect(written { $0.put(text: "aé", limit: 3) } == [0, 3, 0x61, 0xC3, 0xA9])
    }

    @Test func neverEmptiesATextThatIsNotEmpty() {
        // One character of 257 bytes: a letter with 128 combining accents.
        let cluster = "a" + String(repeating: "\u{301}", count: 128)
        #expect(cluster.count == 1)
        #expect(written { $0.put(text: cluster, limit: 256) }.prefix(3) == [0, 255, 0x61])
    }

    @Test func leavesNulsOut() {
        #expect(written { $0.put(text: "a\0b", limit: 9) } == [0, 2, 0x61, 0x62])
    }

    @Test func neverTurnsOneNameIntoAnother() {
        #expect(written { $0.put(name: "ro\0ot", limit: 256) } == [0, 0])
        #expect(written { $0.put(name: String(repeating: "a", count: 257), limit: 256) } == [0, 0])
        #expect(written { $0.put(name: "root", limit: 256) } == [0, 4, 0x72, 0x6F, 0x6F, 0x74])
    }

    @Test func beginKeepsOrEmptiesTheUser() throws {
        let long = BeginRequest(user: String(repeating: "u", count: 300), service: String(repeating: "s", count: 300))
        guard case .begin(let sent) = try ModuleMessage(ModuleMessage.begin(long).frame) else {
            Issue.record("not a begin")
            return
        }
        #expect(sent.user.isEmpty)
        #expect(sent.service == String(repeating: "s", count: 256))
    }

    @Test(arguments: ["../x", "a/b", "-U", ".", "DOM\\user", "user@realm", "мария", "\u{1F600}"])
    func carriesOddNamesUnchanged(_ name: String) throws {
        let message = ModuleMessage.begin(BeginRequest(user: name, service: "login"))
        #expect(try ModuleMessage(message.frame) == message)
    }
}
