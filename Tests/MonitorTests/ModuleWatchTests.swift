// SPDX-License-Identifier: Apache-2.0
// Every state of the conversation with the module times every message.

import Platform
import Testing
import Wire

@testable import Monitor

@Suite struct ModuleWatchTests {
    static let messages: [ModuleMessage] = [
        .begin(BeginRequest(user: "anna", service: "sudo")), .secret([1]), .answer([2]), .cancel,
    ]

    /// What each pair comes to; nil is a broken conversation.
    static func expected(_ state: ModuleState, _ message: ModuleMessage) -> ModuleEvent? {
        switch (state, message) {
        case (.awaitingBegin, .begin(let request)): .begin(request)
        case (.awaitingSecret, .secret): .secret
        case (.awaitingAnswer, .answer): .answer
        case (.over, _): nil
        case (_, .cancel): .cancel
        default: nil
        }
    }

    private func watch(in state: ModuleState) throws -> ModuleWatch {
        var watch = ModuleWatch()
        guard state != .awaitingBegin else { return watch }
        _ = try watch.take(.begin(BeginRequest(user: "anna", service: "sudo")))
        watch.asked(state)
        return watch
    }

    @Test(arguments: ModuleState.allCases, messages)
    func eachMessageInEachState(state: ModuleState, message: ModuleMessage) throws {
        var watch = try watch(in: state)
        #expect(watch.state == state)
        if let event = Self.expected(state, message) {
            #expect(try watch.take(message) == event)
            #expect(watch.state == (event == .cancel ? .over : .working))
        } else {
            #expect(throws: MonitorError.self) { try watch.take(message) }
            #expect(watch.state == .over, "a broken conversation is over")
        }
    }

    @Test func nothingIsAskedAfterTheEnd() throws {
        var watch = try watch(in: .over)
        watch.asked(.awaitingSecret)
        #expect(watch.state == .over)
        #expect(throws: MonitorError.self) { try watch.take(.secret([1])) }
    }

    @Test func aSecretIsTakenOnce() throws {
        var watch = try watch(in: .awaitingSecret)
        _ = try watch.take(.secret([7, 8]))
        let first = try watch.takeTyped().count
        let second = try watch.takeTyped().count
        #expect(first == 2)
        #expect(second == 0)
    }

    @Test func aSecondSecretBreaksTheConversation() throws {
        var watch = try watch(in: .awaitingSecret)
        _ = try watch.take(.secret([7]))
        #expect(throws: MonitorError.request("secret while working")) { try watch.take(.secret([8])) }
    }
}
