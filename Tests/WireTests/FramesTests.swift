// SPDX-License-Identifier: Apache-2.0
// The Swift codec against the frames of Tests/Wire/frames.txt: whole, cut at every byte, byte by byte, and one after another.

import Testing

@testable import Wire

/// Any message, so that one test can play all four streams.
private enum Message: Equatable {
    case module(ModuleMessage)
    case helper(HelperMessage)
    case request(WorkerRequest)
    case reply(WorkerReply)

    init(_ frame: RawFrame, stream: String) throws(WireError) {
        switch stream {
        case "helper": self = .module(try ModuleMessage(frame))
        case "module": self = .helper(try HelperMessage(frame))
        case "worker": self = .request(try WorkerRequest(frame))
        default: self = .reply(try WorkerReply(frame))
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .module(let message): message.frame.bytes
        case .helper(let message): message.frame.bytes
        case .request(let message): message.frame.bytes
        case .reply(let message): message.frame.bytes
        }
    }

    static func limits(_ stream: String) -> Deframer.Limits {
        switch stream {
        case "helper": ModuleMessage.limits
        case "module": HelperMessage.limits
        case "worker": WorkerRequest.limits
        default: WorkerReply.sharingLimits
        }
    }
}

/// The word that frames.txt has for a fault.
private func word(_ error: WireError) -> String {
    switch error {
    case .version: "version"
    case .type: "type"
    case .length: "length"
    case .short: "short"
    case .trailing: "trailing"
    case .text: "text"
    case .range: "range"
    }
}

/// What the bytes are: a message, nil when more are needed, or the fault.
private func read(_ bytes: [UInt8], stream: String) -> Result<Message?, WireError> {
    var deframer = Deframer(limits: Message.limits(stream))
    deframer.append(bytes)
    do throws(WireError) {
        guard let frame = try deframer.next() else { return .success(nil) }
        return .success(try Message(frame, stream: stream))
    } catch {
        return .failure(error)
    }
}

private func sameLength(_ sample: Sample, payload: Int) -> [UInt8] {
    [sample.bytes[0], sample.bytes[1], UInt8(payload >> 8), UInt8(payload & 255)]
        + sample.bytes[4..<4 + min(payload, sample.bytes.count - 4)]
        + [UInt8](repeating: 0, count: max(0, payload - (sample.bytes.count - 4)))
}

@Suite struct FramesTests {
    static let streams = ["helper", "module", "worker", "monitor"]
    static let goodOnes = Sample.all.filter { $0.fault == nil }
    static let badOnes = Sample.all.filter { $0.fault != nil }

    @Test func namesEveryTypeOfFrame() {
        let types = Set(Self.goodOnes.map { $0.bytes[1] })
        let login: Set<UInt8> = [1, 2, 3, 4, 0x81, 0x82, 0x83, 0x84]
        let worker: Set<UInt8> = [0x11, 0x12, 0x13, 0x14, 0x15, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96]
        #expect(types == login.union(worker))
        #expect(Set(Sample.all.map(\.stream)) == Set(Self.streams))
        #expect(Set(Sample.all.map(\.name)).count == Sample.all.count)
        let faults = Set(Self.badOnes.compactMap(\.fault))
        #expect(faults == ["version", "type", "length", "short", "trailing", "text", "range"])
    }

    @Test(arguments: goodOnes)
    func readsAndWritesTheSameBytes(_ sample: Sample) throws {
        let message = try #require(try read(sample.bytes, stream: sample.stream).get())
        #expect(message.bytes == sample.bytes)
    }

    @Test(arguments: badOnes)
    func refusesWithTheNamedFault(_ sample: Sample) throws {
        guard case .failure(let error) = read(sample.bytes, stream: sample.stream) else {
            Issue.record("read without a fault")
            return
        }
        #expect(word(error) == sample.fault)
        #expect(!error.description.isEmpty && !error.description.hasSuffix("."))
    }

    @Test(arguments: goodOnes)
    func waitsForMoreAtEveryCut(_ sample: Sample) throws {
        for count in 0..<sample.bytes.count {
            #expect(try read(Array(sample.bytes[..<count]), stream: sample.stream).get() == nil)
        }
    }

    @Test(arguments: goodOnes.filter { ![0x02, 0x04].contains($0.bytes[1]) && $0.bytes.count > 4 })
    func refusesAPayloadOfEveryShorterLength(_ sample: Sample) {
        for payload in 0..<sample.bytes.count - 4 {
            guard case .failure(let error) = read(sameLength(sample, payload: payload), stream: sample.stream) else {
                Issue.record("accepted \(payload) bytes of payload")
                continue
            }
            #expect(error == .short)
        }
    }

    @Test(arguments: goodOnes.filter { ![0x02, 0x04].contains($0.bytes[1]) })
    func refusesAPayloadWithAByteLeft(_ sample: Sample) {
        guard
            case .failure(let error) = read(sameLength(sample, payload: sample.bytes.count - 3), stream: sample.stream)
        else {
            Issue.record("accepted a byte too many")
            return
        }
        #expect(word(error) == "trailing" || word(error) == "length")
    }

    @Test(arguments: streams)
    func readsAStreamByteByByte(_ stream: String) throws {
        let samples = Sample.good(stream)
        var deframer = Deframer(limits: Message.limits(stream))
        var seen: [[UInt8]] = []
        for byte in samples.flatMap(\.bytes) {
            deframer.append([byte])
            while let frame = try deframer.next() { seen.append(try Message(frame, stream: stream).bytes) }
        }
        #expect(seen == samples.map(\.bytes))
        #expect(!deframer.isMidFrame)
    }

    @Test(arguments: streams)
    func readsAStreamAtOnce(_ stream: String) throws {
        let samples = Sample.good(stream)
        var deframer = Deframer(reserving: 16, limits: Message.limits(stream))
        deframer.append(samples.flatMap(\.bytes) + [1])
        for sample in samples {
            let frame = try #require(try deframer.next())
            #expect(try Message(frame, stream: stream).bytes == sample.bytes)
        }
        #expect(deframer.isMidFrame)
        #expect(try deframer.next() == nil)
    }

    /// Frames changed at random places, with a fixed seed: read or refused, and what is read is written to the same bytes.
    @Test(arguments: streams)
    func survivesMutations(_ stream: String) throws {
        var state: UInt64 = 7
        func random(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
        let seeds = Sample.all.filter { $0.stream == stream }.map(\.bytes)
        for _ in 0..<5_000 {
            var bytes = seeds[random(seeds.count)]
            for _ in 0...random(4) where !bytes.isEmpty {
                switch random(4) {
                case 0: bytes[random(bytes.count)] = UInt8(random(256))
                case 1: bytes[random(bytes.count)] ^= 1 << UInt8(random(8))
                case 2: bytes.remove(at: random(bytes.count))
                default: bytes.insert(UInt8(random(256)), at: random(bytes.count))
                }
            }
            guard case .success(let message?) = read(bytes, stream: stream), stream != "monitor" else { continue }
            #expect(bytes.starts(with: message.bytes))
        }
    }

    @Test(arguments: streams)
    func receivesNoOtherType(_ stream: String) {
        let own = Set(Sample.good(stream).map { $0.bytes[1] })
        for type in UInt8.min...UInt8.max where !own.contains(type) {
            guard case .failure(let error) = read([1, type], stream: stream) else {
                Issue.record("waits for more of type \(type)")
                continue
            }
            #expect(error == .type(type))
        }
    }

    @Test func aLoginKnowsNoPictures() throws {
        let sample = try #require(Sample.named("pixels-view"))
        var login = Deframer(limits: WorkerReply.limits)
        login.append(sample.bytes.prefix(2))
        #expect(throws: WireError.type(0x96)) { try login.next() }
        var sharing = Deframer(limits: WorkerReply.limits)
        sharing.permit(WorkerReply.sharingLimits)
        sharing.append(sample.bytes)
        #expect(try sharing.next()?.type == 0x96)
    }

    @Test(arguments: streams)
    func speaksNoOtherVersion(_ stream: String) {
        for version in UInt8.min...UInt8.max where version != 1 {
            guard case .failure(let error) = read([version], stream: stream) else {
                Issue.record("waits for more of version \(version)")
                continue
            }
            #expect(error == .version(version))
        }
    }
}
