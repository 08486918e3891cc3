// SPDX-License-Identifier: Apache-2.0
// The C codec (pam/wire.c) against the same frames as the Swift codec, and the two against each other.

import CWire
import Testing

@testable import Wire

/// A reply as the C codec reads it.
private struct Reply: Equatable {
    var type: UInt32
    var flag: Bool
    var outcome: UInt8
    var text: String
    var used: Int
}

private enum Outcome: Equatable {
    case reply(Reply)
    case more
    case fault(String)
}

private func word(_ status: wire_status) -> String {
    switch status {
    case WIRE_OK: "ok"
    case WIRE_MORE: "more"
    case WIRE_BAD_VERSION: "version"
    case WIRE_BAD_TYPE: "type"
    case WIRE_BAD_LENGTH: "length"
    case WIRE_SHORT: "short"
    case WIRE_TRAILING: "trailing"
    case WIRE_BAD_TEXT: "text"
    case WIRE_BAD_RANGE: "range"
    default: "unknown"
    }
}

private func decode(_ bytes: [UInt8]) -> Outcome {
    var reply = wire_reply()
    var used = 0
    // SAFETY: the pointers live for the call, and the count is the array's own; the bytes are copied to the heap exactly, so that a
    // sanitizer sees a read beyond them.
    let status = unsafe bytes.withUnsafeBufferPointer {
        unsafe wire_decode_reply($0.baseAddress, $0.count, &reply, &used)
    }
    guard status == WIRE_OK else { return status == WIRE_MORE ? .more : .fault(word(status)) }
    // SAFETY: the tuple is `length` bytes of text with a NUL after them.
    let text = unsafe withUnsafeBytes(of: &reply.text) { unsafe Array($0.prefix(reply.length + 1)) }
    #expect(text.last == 0)
    return .reply(
        Reply(
            type: UInt32(reply.type.rawValue), flag: reply.flag, outcome: reply.outcome,
            text: String(decoding: text.dropLast(), as: UTF8.self), used: used))
}

/// What the C codec must say of what the Swift codec read.
private func expected(_ message: HelperMessage, used: Int) -> Reply {
    switch message {
    case .ready(let wantsSecret, let prompt):
        Reply(type: 0x81, flag: wantsSecret, outcome: 0, text: prompt, used: used)
    case .notice(let isError, let text): Reply(type: 0x82, flag: isError, outcome: 0, text: text, used: used)
    case .prompt(let echo, let text): Reply(type: 0x83, flag: echo, outcome: 0, text: text, used: used)
    case .verdict(let byte): Reply(type: 0x84, flag: false, outcome: byte, text: "", used: used)
    }
}

/// The frame that the C codec makes of a request, or its fault.
private func encode(_ request: BeginRequest) -> Result<[UInt8], Fault> {
    var frame = [UInt8](repeating: 0xEE, count: Int(WIRE_BEGIN_MOST))
    var length = 0
    // SAFETY: all pointers live until the closures end; `frame` has the room that wire.h asks for.
    let status = unsafe request.user.withCString { user in
        unsafe request.service.withCString { service in
            unsafe request.tty.withCString { tty in
                unsafe request.rhost.withCString { rhost in
                    unsafe request.ruser.withCString { ruser in
                        var begin = unsafe wire_begin(
                            face_only: request.faceOnly, debug: request.debug, deadline: request.deadline, user: user,
                            service: service, tty: tty, rhost: rhost, ruser: ruser)
                        return unsafe wire_encode_begin(&begin, &frame, &length)
                    }
                }
            }
        }
    }
    return status == WIRE_OK ? .success(Array(frame[..<length])) : .failure(Fault(word: word(status)))
}

private struct Fault: Error, Equatable { let word: String }

/// The frame that the C codec makes of typed bytes, or its fault.
private func encode(_ type: wire_type, _ typed: [UInt8]) -> Result<[UInt8], Fault> {
    var frame = [UInt8](repeating: 0xEE, count: Int(WIRE_TYPED_MOST))
    var length = 0
    let characters = typed.map { CChar(bitPattern: $0) }
    // SAFETY: the pointers live for the call and the count is the array's own.
    let status = unsafe wire_encode_typed(type, characters, characters.count, &frame, &length)
    return status == WIRE_OK ? .success(Array(frame[..<length])) : .failure(Fault(word: word(status)))
}

@Suite struct CWireTests {
    @Test(arguments: Sample.good("module"))
    func readsLikeTheSwiftCodec(_ sample: Sample) throws {
        let message = try HelperMessage(RawFrame(type: sample.bytes[1], payload: Array(sample.bytes[4...])))
        #expect(decode(sample.bytes) == .reply(expected(message, used: sample.bytes.count)))
        #expect(decode(sample.bytes + [0x99]) == .reply(expected(message, used: sample.bytes.count)))
    }

    @Test(arguments: Sample.bad("module"))
    func refusesWithTheNamedFault(_ sample: Sample) { #expect(decode(sample.bytes) == .fault(sample.fault ?? "")) }

    @Test(arguments: Sample.good("module"))
    func waitsForMoreAtEveryCut(_ sample: Sample) {
        for count in 0..<sample.bytes.count { #expect(decode(Array(sample.bytes[..<count])) == .more) }
    }

    @Test(arguments: Sample.good("module"))
    func refusesAPayloadOfEveryShorterLength(_ sample: Sample) {
        for payload in 0..<sample.bytes.count - 4 {
            let head = [sample.bytes[0], sample.bytes[1], UInt8(payload >> 8), UInt8(payload & 255)]
            #expect(decode(head + sample.bytes[4..<4 + payload]) == .fault("short"))
        }
    }

    @Test func receivesNoOtherTypeAndVersion() {
        for byte in UInt8.min...UInt8.max {
            if !(0x81...0x84).contains(byte) { #expect(decode([1, byte]) == .fault("type")) }
            if byte != 1 { #expect(decode([byte]) == .fault("version")) }
        }
    }

    @Test(arguments: Sample.good("helper"))
    func writesTheSameBytesAsTheSwiftCodec(_ sample: Sample) throws {
        let message = try ModuleMessage(RawFrame(type: sample.bytes[1], payload: Array(sample.bytes[4...])))
        switch message {
        case .begin(let request): #expect(encode(request) == .success(sample.bytes))
        case .secret(let bytes): #expect(encode(WIRE_SECRET, bytes) == .success(sample.bytes))
        case .answer(let bytes): #expect(encode(WIRE_ANSWER, bytes) == .success(sample.bytes))
        case .cancel:
            var frame = [UInt8](repeating: 0xEE, count: Int(WIRE_HEADER))
            // SAFETY: the array has the four bytes that wire.h asks for.
            unsafe wire_encode_cancel(&frame)
            #expect(frame == sample.bytes)
        }
    }

    @Test(arguments: [
        ("user-empty", BeginRequest(user: "", service: "s"), "range"),
        ("user-of-257-bytes", BeginRequest(user: String(repeating: "u", count: 257), service: "s"), "range"),
        ("deadline-999", BeginRequest(deadline: 999, user: "u", service: "s"), "range"),
        ("deadline-300001", BeginRequest(deadline: 300_001, user: "u", service: "s"), "range"),
    ])
    func refusesToSend(_ name: String, _ request: BeginRequest, _ fault: String) {
        #expect(encode(request) == .failure(Fault(word: fault)))
    }

    @Test func refusesToSendAUserThatIsNotUTF8() {
        var frame = [UInt8](repeating: 0, count: Int(WIRE_BEGIN_MOST))
        var length = 0
        let user: [CChar] = [0x61, CChar(bitPattern: 0xFC), 0]
        // SAFETY: the pointers live for the call, the name ends with a NUL.
        let status = unsafe user.withUnsafeBufferPointer { name in
            var begin = unsafe wire_begin(
                face_only: false, debug: false, deadline: 1000, user: name.baseAddress, service: nil, tty: nil,
                rhost: nil, ruser: nil)
            return unsafe wire_encode_begin(&begin, &frame, &length)
        }
        #expect(status == WIRE_BAD_TEXT)
    }

    @Test func cutsOnlyTextsThatInformAndNeverEmptiesThem() throws {
        let long = String(repeating: "é", count: 200)
        let cluster = "a" + String(repeating: "\u{301}", count: 200)
        let bytes = try encode(BeginRequest(user: "u", service: long, tty: "t", rhost: cluster)).get()
        guard case .begin(let read) = try ModuleMessage(RawFrame(type: 1, payload: Array(bytes[4...]))) else {
            Issue.record("not a begin")
            return
        }
        #expect(read.service == String(repeating: "é", count: 128))
        #expect(read.rhost.utf8.count == 255)
        #expect(read.user == "u" && read.tty == "t" && read.ruser.isEmpty)
    }

    @Test(arguments: [[0x61, 0, 0x62], [0]] as [[UInt8]])
    func refusesToSendANul(_ typed: [UInt8]) { #expect(encode(WIRE_SECRET, typed) == .failure(Fault(word: "text"))) }

    @Test func refusesToSendTooMuchOrAsAnotherType() {
        let long = [UInt8](repeating: 0x61, count: 1025)
        #expect(encode(WIRE_ANSWER, long) == .failure(Fault(word: "range")))
        #expect(encode(WIRE_BEGIN, [0x61]) == .failure(Fault(word: "type")))
    }

    /// 20,000 frames made of good ones by changes at random places: whatever one codec says, the other says too.
    @Test func agreesWithTheSwiftCodecOnMutations() {
        var state: UInt64 = 42
        func random(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
        let seeds = Sample.good("module") + Sample.bad("module")
        for _ in 0..<20_000 {
            var bytes = seeds[random(seeds.count)].bytes
            for _ in 0...random(3) where !bytes.isEmpty {
                switch random(3) {
                case 0: bytes[random(bytes.count)] = UInt8(random(256))
                case 1: bytes.remove(at: random(bytes.count))
                default: bytes.insert(UInt8(random(256)), at: random(bytes.count))
                }
            }
            #expect(decode(bytes) == swift(bytes))
        }
    }

    private func swift(_ bytes: [UInt8]) -> Outcome {
        var deframer = Deframer(limits: HelperMessage.limits)
        deframer.append(bytes)
        do throws(WireError) {
            guard let frame = try deframer.next() else { return .more }
            return .reply(expected(try HelperMessage(frame), used: frame.payload.count + 4))
        } catch {
            switch error {
            case .version: return .fault("version")
            case .type: return .fault("type")
            case .length: return .fault("length")
            case .short: return .fault("short")
            case .trailing: return .fault("trailing")
            case .text: return .fault("text")
            case .range: return .fault("range")
            }
        }
    }
}
