// SPDX-License-Identifier: Apache-2.0
// The conversation with the module over a channel: frames in and out, and the watch over their order.

import Platform
import Wire

/// The helper's end of the conversation with the module.
struct ModuleLink: ~Copyable {
    /// How long a caller may take to read what is sent to it, in milliseconds.
    private static let patience: UInt64 = 3000

    private let channel: Channel
    private let time: any TimeSource
    private var deframer = Deframer(limits: ModuleMessage.limits)
    private(set) var watch = ModuleWatch()

    init(_ channel: consuming Channel, time: any TimeSource) {
        self.channel = channel
        self.time = time
    }

    var raw: Int32 { channel.raw }

    func peer() throws(PlatformError) -> PeerCredentials { try channel.peer() }

    /// What the module says next; nil when it has said nothing by the deadline.
    ///
    /// Its end is `cancel`.
    mutating func receive(until deadline: UInt64) throws(MonitorError) -> ModuleEvent? {
        while true {
            if let message = try decoded() { return try watch.take(message) }
            let received: Channel.Received?
            do throws(PlatformError) {
                received = try channel.receive(until: deadline)
            } catch .timedOut { return nil } catch { throw .request(error.description) }
            guard let received = consume received else { return .cancel }
            guard !received.hasDescriptor else { throw .request("a descriptor came along") }
            var bytes = received.bytes
            deframer.append(bytes)
            SecretBytes.wipe(&bytes)
        }
    }

    mutating func send(_ message: HelperMessage, then state: ModuleState) throws(MonitorError) {
        watch.asked(state)
        do throws(PlatformError) {
            try channel.send(message.frame.bytes, until: time.now() + ModuleLink.patience)
        } catch { throw .request("the caller does not listen: \(error.description)") }
    }

    mutating func takeTyped() throws(MonitorError) -> SecretBytes {
        do throws(PlatformError) { return try watch.takeTyped() } catch { throw .system(error) }
    }

    mutating func forgetTyped() { watch.forgetTyped() }

    func endSending() { try? channel.endSending() }

    private mutating func decoded() throws(MonitorError) -> ModuleMessage? {
        do throws(WireError) {
            guard let frame = try deframer.next() else { return nil }
            return try ModuleMessage(frame)
        } catch { throw .request(error.description) }
    }
}
