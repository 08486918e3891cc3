// SPDX-License-Identifier: Apache-2.0
// A worker that an enemy wrote: it plays prepared bytes to the helper, whatever the helper says. Nothing is loaded and nothing is looked at.

import CProbe
import Platform
import Worker

/// Plays a script over descriptor 3.
///
/// A script has one word a line, `#` begins a comment:
/// `HEX` sends these bytes (spaces between are ignored), `wait MS` waits, `read` waits for the next words of the helper, `repeat N HEX`
/// sends the bytes N times, `close` closes the socket, `hang` never does anything again, `exit N` ends with this code, `crash` ends at once.
/// After the last line the helper's words are read until it closes.
struct ScriptPlayer: ~Copyable {
    private let channel: Channel
    private let clock: any TimeSource

    init(clock: any TimeSource) {
        channel = Channel(Descriptor(owning: WorkerArguments.socket))
        self.clock = clock
    }

    /// Plays the lines; returns the exit code.
    consuming func play(_ text: String) -> UInt8 {
        for line in text.split(separator: "\n") {
            let words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)
            guard let first = words.first else { continue }
            switch first {
            case "wait": cprobe_sleep_until(clock.now() + (words.count > 1 ? UInt64(words[1]) ?? 0 : 0))
            case "read": _ = try? channel.receive(until: clock.now() + 10_000)
            case "repeat":
                let times = words.count > 1 ? Int(words[1]) ?? 0 : 0
                for _ in 0..<times { send(words.dropFirst(2)) }
            case "close": return 0
            case "hang": cprobe_sleep_until(.max / 2000)
            case "exit": return words.count > 1 ? UInt8(words[1]) ?? 1 : 1
            case "crash": cprobe_die()
            default: send(words[...])
            }
        }
        while (try? channel.receive(until: clock.now() + 60_000)) != nil {}
        return 0
    }

    private func send(_ words: ArraySlice<String>) {
        let digits = words.joined().compactMap { $0.hexDigitValue }
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        try? channel.send(bytes, until: clock.now() + 5_000)
    }
}
