// SPDX-License-Identifier: Apache-2.0
// Work on all cores: each thread builds what it needs once and takes the next piece when it is done with one.

import Dispatch
import Foundation

/// Runs pieces of work on several threads.
enum Parallel {
    /// `body(state, item)` for every item, results in the items' order; `makeState` runs once a thread.
    static func map<Item: Sendable, State, Result: Sendable>(
        _ items: [Item], label: String, threads: Int = ProcessInfo.processInfo.activeProcessorCount,
        makeState: @escaping @Sendable () throws -> State,
        _ body: @escaping @Sendable (inout State, Item) throws -> Result
    ) throws -> [Result] {
        let progress = Progress(label, total: items.count)
        let board = Board<Result>(count: items.count)
        DispatchQueue.concurrentPerform(iterations: max(1, min(threads, items.count))) { _ in
            do {
                var state = try makeState()
                while let index = board.take() {
                    board.put(try body(&state, items[index]), at: index)
                    progress.step()
                }
            } catch { board.fail(error) }
        }
        return try board.results()
    }
}

/// Which pieces are taken and what came of them.
private final class Board<Result: Sendable>: @unchecked Sendable {
    // All below is only touched under `lock`.
    private let lock = NSLock()
    private var next = 0
    private var done: [Result?]
    private var failure: (any Error)?

    init(count: Int) { done = [Result?](repeating: nil, count: count) }

    func take() -> Int? {
        lock.lock()
        defer { lock.unlock() }
        guard next < done.count, failure == nil else { return nil }
        defer { next += 1 }
        return next
    }

    func put(_ result: Result, at index: Int) {
        lock.lock()
        defer { lock.unlock() }
        done[index] = result
    }

    func fail(_ error: any Error) {
        lock.lock()
        defer { lock.unlock() }
        if failure == nil { failure = error }
    }

    func results() throws -> [Result] {
        lock.lock()
        defer { lock.unlock() }
        if let failure { throw failure }
        return done.compactMap { $0 }
    }
}
