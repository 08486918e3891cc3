// SPDX-License-Identifier: Apache-2.0
// The standard streams. What of an answer cannot be written is remembered, so that a verb is not taken for done whose answer nobody got.

import Platform

/// Standard output and standard error; they stay open for the life of the process.
final class Terminal: Output {
    private let out = Descriptor(owning: 1)
    private let error = Descriptor(owning: 2)
    private let showsProgress: Bool
    private var progressWidth = 0
    private(set) var fault: OutputFault?

    /// - Parameter isQuiet: never shows a line of progress.
    init(isQuiet: Bool) { showsProgress = !isQuiet && error.isTerminal }

    var isTerminal: Bool { out.isTerminal }

    func line(_ text: String) {
        endProgress()
        do throws(PlatformError) {
            try SafeFile.write(Array((text + "\n").utf8), to: out, path: "standard output")
        } catch {
            fault = fault ?? (error.isBrokenPipe ? .readerLeft : .failed(error.description))
        }
    }

    /// In one piece: ten thousand calls take longer than making the text.
    func lines(_ texts: [String]) {
        guard !texts.isEmpty else { return }
        line(texts.joined(separator: "\n"))
    }

    func errorLine(_ text: String) {
        endProgress()
        try? SafeFile.write(Array((text + "\n").utf8), to: error, path: "standard error")
    }

    func progress(_ text: String) {
        guard showsProgress else { return }
        let shown = String(text.prefix(79))
        let blank = String(repeating: " ", count: max(0, progressWidth - shown.count))
        progressWidth = shown.count
        try? SafeFile.write(Array(("\r" + shown + blank).utf8), to: error, path: "standard error")
    }

    func endProgress() {
        guard progressWidth > 0 else { return }
        let blank = String(repeating: " ", count: progressWidth)
        progressWidth = 0
        try? SafeFile.write(Array(("\r" + blank + "\r").utf8), to: error, path: "standard error")
    }
}
