// SPDX-License-Identifier: Apache-2.0
// Times a piece of work again and again: by the clock on the wall, and by the thread's own processor time, which other work on the machine
// disturbs less.

import Foundation

/// The times of many runs in milliseconds, ascending.
struct Times {
    var wall: [Double] = []
    var processor: [Double] = []

    /// Runs `body` a few times unmeasured and then `runs` times; nil when it says that there is nothing to run.
    static func measure(_ runs: Int, warmUps: Int = 3, _ body: () throws -> Bool) throws -> Times? {
        for _ in 0..<warmUps {
            guard try body() else { return nil }
        }
        var times = Times()
        for _ in 0..<runs {
            let (begun, used) = (milliseconds(CLOCK_MONOTONIC), milliseconds(CLOCK_THREAD_CPUTIME_ID))
            _ = try body()
            times.processor.append(milliseconds(CLOCK_THREAD_CPUTIME_ID) - used)
            times.wall.append(milliseconds(CLOCK_MONOTONIC) - begun)
        }
        times.wall.sort()
        times.processor.sort()
        return times
    }

    /// A line of JSON about a stage.
    func line(_ stage: String, _ more: [(String, Json)] = []) -> String {
        let runs = wall.count
        return Json.object(
            [
                ("bench", .text("stage")), ("stage", .text(stage)), ("median_ms", .real(wall[runs / 2])),
                ("least_ms", .real(wall[0])), ("p90_ms", .real(wall[runs * 9 / 10])),
                ("cpu_median_ms", .real(processor[runs / 2])), ("cpu_least_ms", .real(processor[0])),
                ("cpu_p90_ms", .real(processor[runs * 9 / 10])), ("runs", .whole(runs)),
            ] + more
        ).rendered(indent: nil)
    }

    private static func milliseconds(_ clock: clockid_t) -> Double {
        var now = timespec()
        // SAFETY: `now` is plain memory that the call fills.
        _ = unsafe clock_gettime(clock, &now)
        return Double(now.tv_sec) * 1e3 + Double(now.tv_nsec) / 1e6
    }
}
