// SPDX-License-Identifier: Apache-2.0
// What the module may say when. A table of states and messages, apart from all waiting and sending, so that every pair can be tested.

public import Platform
public import Wire

/// Where the conversation with the module stands, as the helper sees it.
public enum ModuleState: Equatable, Sendable, CaseIterable {
    /// Nothing was said yet.
    case awaitingBegin
    /// `ready` with a secret wanted was sent.
    case awaitingSecret
    /// The helper is at work; the module has nothing to say but `cancel`.
    case working
    /// A `prompt` was sent.
    case awaitingAnswer
    /// The verdict was sent, or the conversation broke; nothing more is listened to.
    case over
}

/// What a message means where the conversation stands.
public enum ModuleEvent: Equatable, Sendable {
    /// The attempt begins.
    case begin(BeginRequest)
    /// The secret has come; it lies in the watch until it is taken.
    case secret
    /// The answer has come; it lies in the watch until it is taken.
    case answer
    /// The person or the caller gave up.
    case cancel
}

/// The module's side of the conversation.
public struct ModuleWatch: Sendable {
    /// Where the conversation stands.
    public private(set) var state = ModuleState.awaitingBegin
    private var typed: [UInt8] = []

    /// A conversation that has not begun.
    public init() {}

    /// Takes a message; one that does not belong here ends the conversation with `request`.
    public mutating func take(_ message: ModuleMessage) throws(MonitorError) -> ModuleEvent {
        switch (state, message) {
        case (.awaitingBegin, .begin(let request)):
            state = .working
            return .begin(request)
        case (.awaitingSecret, .secret(let bytes)):
            typed = bytes
            state = .working
            return .secret
        case (.awaitingAnswer, .answer(let bytes)):
            typed = bytes
            state = .working
            return .answer
        case (.awaitingSecret, .cancel), (.working, .cancel), (.awaitingAnswer, .cancel), (.awaitingBegin, .cancel):
            state = .over
            return .cancel
        default:
            let found = state
            state = .over
            throw .request("\(ModuleWatch.name(of: message)) while \(found)")
        }
    }

    /// Notes that the helper asked for the secret or an answer, or ended the conversation.
    public mutating func asked(_ next: ModuleState) { if state != .over { state = next } }

    /// What was typed, once; the bytes are wiped where they lay.
    public mutating func takeTyped() throws(PlatformError) -> SecretBytes { try SecretBytes(wiping: &typed) }

    /// Wipes what was typed and not taken.
    public mutating func forgetTyped() { SecretBytes.wipe(&typed) }

    private static func name(of message: ModuleMessage) -> String {
        switch message {
        case .begin: "begin"
        case .secret: "secret"
        case .answer: "answer"
        case .cancel: "cancel"
        }
    }
}
