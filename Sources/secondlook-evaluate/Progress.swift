// SPDX-License-Identifier: Apache-2.0
// How far a long measurement is and how long it will take, on the terminal's error stream.

import Foundation

/// Counts finished pieces of work from several threads.
final class Progress: Sendable {
    private let total: Int
    private let label: String
    private let started = Date()
    private let state = LockedCount()

    /// Progress over `total` pieces.
    init(_ label: String, total: Int) {
        self.label = label
        self.total = total
    }

    /// One more is finished.
    func step() {
        let done = state.increment()
        guard done % max(1, total / 100) == 0 || done == total else { return }
        let spent = Date().timeIntervalSince(started)
        let left = Int(spent / Double(done) * Double(total - done))
        let text = "\r\(label): \(done) of \(total), \(left) s left   " + (done == total ? "\n" : "")
        FileHandle.standardError.write(Data(text.utf8))
    }
}

/// A number that several threads may count up.

final class LockedCount: @unchecked Sendable {
    // SAFETY of @unchecked: `value` is only touched under `lock`.
    private let lock = NSLock()
    private var value = 0

    func increment() -> Int {
        lock.lock()
        defer { lock.unlock() }
        value += 1
        return value
    }
}
