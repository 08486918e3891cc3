// SPDX-License-Identifier: Apache-2.0
// Bytes and descriptors over a socket pair, its end, and its deadlines.

import Platform
import TestSupport
import Testing

@Suite struct ChannelTests {
    private var soon: UInt64 { SystemTime().now() + 2000 }

    @Test func movesBytesBothWays() throws {
        let pair = try Channel.makePair()
        try pair.first.send([1, 2, 3], until: soon)
        try pair.second.send([4], until: soon)
        #expect(try pair.second.receive(until: soon)?.bytes == [1, 2, 3])
        #expect(try pair.first.receive(until: soon)?.bytes == [4])
    }

    @Test func movesADescriptorWithTheBytes() throws {
        let pair = try Channel.makePair()
        let temporary = TemporaryFolder()
        let file = try SafeFile.open(temporary.write("file", text: "content"))
        try pair.first.send([9], passing: file, until: soon)
        guard var received = try pair.second.receive(until: soon) else { throw PlatformError.protocolBroken("ended") }
        let had = received.hasDescriptor
        #expect(had)
        guard let passed = received.takeDescriptor() else { throw PlatformError.protocolBroken("no descriptor") }
        let isLeft = received.hasDescriptor
        #expect(!isLeft)
        #expect(try passed.status() == file.status())
        #expect(try SafeFile.read(passed, limit: 10, path: "file") == Array("content".utf8))
    }

    @Test func theEndIsNil() throws {
        var pair = try Channel.makePair()
        try pair.first.send([1], until: soon)
        let second = pair.second.rawCopy()
        try pair.first.endSending()
        let far = Channel(second)
        #expect(try far.receive(until: soon)?.bytes == [1])
        let isEnd = try far.receive(until: soon) == nil
        #expect(isEnd)
        pair = try Channel.makePair()
    }

    @Test func aDeadlineEndsWaiting() throws {
        let pair = try Channel.makePair()
        let begun = SystemTime().now()
        #expect(throws: PlatformError.timedOut("receiving")) {
            let received = try pair.first.receive(until: begun + 60)
            _ = received == nil
        }
        let took = SystemTime().now() - begun
        #expect((60...600).contains(took))
    }

    @Test func aReaderThatDoesNotReadEndsSendingAtTheDeadline() throws {
        let pair = try Channel.makePair()
        let begun = SystemTime().now()
        #expect(throws: PlatformError.timedOut("sending")) {
            try pair.first.send([UInt8](repeating: 0, count: 8 << 20), until: begun + 80)
        }
        #expect(SystemTime().now() - begun < 2000)
    }

    @Test func sendingToTheDeadIsAnErrorAndNoSignal() throws {
        let pair = try Channel.makePair()
        let near = Channel(pair.first.rawCopy())
        _ = consume pair
        #expect(throws: PlatformError.self) { try near.send([1], until: soon) }
    }

    @Test func knowsItsPeer() throws {
        let pair = try Channel.makePair()
        #expect(try pair.first.peer().process == Machine.ownProcess)
        #expect(try pair.first.peer().user == Machine.effectiveUser)
        #expect(try pair.first.isLocalStream())
        let temporary = TemporaryFolder()
        let file = Channel(try SafeFile.open(temporary.write("file", text: "")))
        #expect(try !file.isLocalStream())
    }
}

extension Channel {
    fileprivate func rawCopy() -> Descriptor {
        let borrowed = Descriptor(owning: raw)
        guard let copy = try? borrowed.duplicate() else { fatalError("no descriptor") }
        _ = borrowed.take()
        return copy
    }
}

private func == (one: borrowing Channel.Received?, _: _OptionalNilComparisonType) -> Bool {
    switch one {
    case .none: true
    case .some: false
    }
}
