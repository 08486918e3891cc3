// SPDX-License-Identifier: Apache-2.0
// What the module says to the helper and the helper to the module. The C half of this codec is pam/wire.c.

/// What the module knows of an attempt when it begins.
public struct BeginRequest: Sendable, Equatable {
    /// The longest text of any field, in bytes.
    public static let longestField = 256

    /// The password is checked by another module: only look (`factor=face`).
    public var faceOnly: Bool
    /// Log more.
    public var debug: Bool
    /// Milliseconds after which the module gives up, 1,000 to 300,000.
    public var deadline: UInt32
    /// PAM_USER.
    public var user: String
    /// PAM_SERVICE.
    public var service: String
    /// PAM_TTY, or empty.
    public var tty: String
    /// PAM_RHOST, or empty.
    public var rhost: String
    /// PAM_RUSER, or empty.
    public var ruser: String

    /// A request.
    public init(
        faceOnly: Bool = false, debug: Bool = false, deadline: UInt32 = 30_000, user: String, service: String,
        tty: String = "", rhost: String = "", ruser: String = ""
    ) {
        self.faceOnly = faceOnly
        self.debug = debug
        self.deadline = deadline
        self.user = user
        self.service = service
        self.tty = tty
        self.rhost = rhost
        self.ruser = ruser
    }
}

/// From the module to the helper.
public enum ModuleMessage: Sendable, Equatable {
    /// The longest secret or answer, in bytes.
    public static let longestSecret = 1024
    /// The shortest and the longest deadline of a module, in milliseconds.
    public static let deadlines: ClosedRange<UInt32> = 1_000...300_000

    /// An attempt begins.
    case begin(BeginRequest)
    /// The password as typed.
    case secret([UInt8])
    /// The person or the caller gave up.
    case cancel
    /// What was typed in reply to a prompt.
    case answer([UInt8])

    /// The payload limits for a `Deframer` on the helper's side.
    public static let limits: Deframer.Limits = { type in
        switch type {
        case 0x01: 5 + 5 * (2 + BeginRequest.longestField)
        case 0x02, 0x04: longestSecret
        case 0x03: 0
        default: nil
        }
    }

    /// Reads a frame.
    public init(_ frame: RawFrame) throws(WireError) {
        switch frame.type {
        case 0x01: self = .begin(try ModuleMessage.begin(frame.payload))
        case 0x02: self = .secret(try ModuleMessage.typed(frame.payload))
        case 0x03:
            try ByteReader(frame.payload).finish()
            self = .cancel
        case 0x04: self = .answer(try ModuleMessage.typed(frame.payload))
        default: throw .type(frame.type)
        }
    }

    /// The frame to send.
    public var frame: RawFrame {
        var writer = ByteWriter()
        switch self {
        case .begin(let request):
            writer.put(UInt8(request.faceOnly ? 1 : 0) | UInt8(request.debug ? 2 : 0))
            writer.put(request.deadline)
            writer.put(name: request.user, limit: BeginRequest.longestField)
            for text in [request.service, request.tty, request.rhost, request.ruser] {
                writer.put(text: text, limit: BeginRequest.longestField)
            }
            return RawFrame(type: 0x01, payload: writer.bytes)
        case .secret(let bytes): return RawFrame(type: 0x02, payload: bytes)
        case .cancel: return RawFrame(type: 0x03, payload: [])
        case .answer(let bytes): return RawFrame(type: 0x04, payload: bytes)
        }
    }

    private static func begin(_ payload: [UInt8]) throws(WireError) -> BeginRequest {
        var reader = ByteReader(payload)
        let flags = try reader.byte()
        guard flags & ~3 == 0 else { throw .range("flags") }
        let deadline: UInt32 = try reader.integer()
        guard deadlines.contains(deadline) else { throw .range("deadline") }
        let limit = BeginRequest.longestField
        let request = BeginRequest(
            faceOnly: flags & 1 != 0, debug: flags & 2 != 0, deadline: deadline, user: try reader.text(limit: limit),
            service: try reader.text(limit: limit), tty: try reader.text(limit: limit),
            rhost: try reader.text(limit: limit), ruser: try reader.text(limit: limit))
        try reader.finish()
        return request
    }

    private static func typed(_ payload: [UInt8]) throws(WireError) -> [UInt8] {
        guard payload.count <= longestSecret else { throw .range("secret length") }
        guard !payload.contains(0) else { throw .text }
        return payload
    }
}

/// From the helper to the module.
public enum HelperMessage: Sendable, Equatable {
    /// The longest prompt, in bytes.
    public static let longestPrompt = 256
    /// The longest notice, in bytes.
    public static let longestNotice = 512

    /// Go on: ask for the secret with this prompt (empty: the usual one), or, when none is wanted, wait.
    case ready(wantsSecret: Bool, prompt: String)
    /// Show this to the person.
    case notice(isError: Bool, text: String)
    /// Ask the person and send the answer.
    case prompt(echo: Bool, text: String)
    /// The end: the byte of an outcome.
    case verdict(UInt8)

    /// The payload limits for a `Deframer` on the module's side.
    public static let limits: Deframer.Limits = { type in
        switch type {
        case 0x81, 0x83: 3 + longestPrompt
        case 0x82: 3 + longestNotice
        case 0x84: 1
        default: nil
        }
    }

    /// Reads a frame.
    public init(_ frame: RawFrame) throws(WireError) {
        var reader = ByteReader(frame.payload)
        switch frame.type {
        case 0x81:
            self = .ready(
                wantsSecret: try HelperMessage.flag(&reader),
                prompt: try reader.text(limit: HelperMessage.longestPrompt))
        case 0x82:
            self = .notice(
                isError: try HelperMessage.flag(&reader), text: try reader.text(limit: HelperMessage.longestNotice))
        case 0x83:
            self = .prompt(
                echo: try HelperMessage.flag(&reader), text: try reader.text(limit: HelperMessage.longestPrompt))
        case 0x84:
            let byte = try reader.byte()
            guard [0x41, 0x52, 0x4E, 0x4C, 0x55, 0x49, 0x46].contains(byte) else { throw .range("verdict") }
            self = .verdict(byte)
        default: throw .type(frame.type)
        }
        try reader.finish()
    }

    /// The frame to send.
    public var frame: RawFrame {
        var writer = ByteWriter()
        switch self {
        case .ready(let wantsSecret, let prompt):
            writer.put(UInt8(wantsSecret ? 1 : 0))
            writer.put(text: prompt, limit: HelperMessage.longestPrompt)
            return RawFrame(type: 0x81, payload: writer.bytes)
        case .notice(let isError, let text):
            writer.put(UInt8(isError ? 1 : 0))
            writer.put(text: text, limit: HelperMessage.longestNotice)
            return RawFrame(type: 0x82, payload: writer.bytes)
        case .prompt(let echo, let text):
            writer.put(UInt8(echo ? 1 : 0))
            writer.put(text: text, limit: HelperMessage.longestPrompt)
            return RawFrame(type: 0x83, payload: writer.bytes)
        case .verdict(let byte): return RawFrame(type: 0x84, payload: [byte])
        }
    }

    private static func flag(_ reader: inout ByteReader) throws(WireError) -> Bool {
        switch try reader.byte() {
        case 0: false
        case 1: true
        default: throw .range("flag")
        }
    }
}
