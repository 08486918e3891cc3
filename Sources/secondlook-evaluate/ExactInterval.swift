// SPDX-License-Identifier: Apache-2.0
// How sure a measured rate is: the exact interval of Clopper and Pearson (1934), by bisection of the binomial tail.

import Foundation

/// The exact 95 % interval of a rate.
struct ExactInterval: Equatable {
    /// Lower end, 0 to 1.
    let low: Double
    /// Upper end, 0 to 1.
    let high: Double

    /// The interval of `hits` among `count` independent trials; 0 to 1 without trials.
    init(hits: Int, of count: Int) {
        guard count > 0, (0...count).contains(hits) else {
            (low, high) = (0, 1)
            return
        }
        // P(X >= hits | low) = 2.5 %, P(X <= hits | high) = 2.5 %.
        low = hits == 0 ? 0 : ExactInterval.root { 0.025 - (1 - ExactInterval.atMost(hits - 1, count, $0)) }
        high = hits == count ? 1 : ExactInterval.root { ExactInterval.atMost(hits, count, $0) - 0.025 }
    }

    /// Where a decreasing function of 0 to 1 crosses zero.
    private static func root(_ function: (Double) -> Double) -> Double {
        var (left, right) = (0.0, 1.0)
        for _ in 0..<60 {
            let middle = (left + right) / 2
            if function(middle) > 0 { left = middle } else { right = middle }
        }
        return (left + right) / 2
    }

    /// P(X <= k) of the binomial distribution; beyond 10,000 hits by the continued fraction of the incomplete beta function.
    private static func atMost(_ k: Int, _ n: Int, _ p: Double) -> Double {
        guard p > 0 else { return 1 }
        guard p < 1 else { return k >= n ? 1 : 0 }
        return incompleteBeta(Double(n - k), Double(k + 1), 1 - p)
    }

    /// The regularised incomplete beta function I_x(a, b), by Lentz's continued fraction.
    private static func incompleteBeta(_ a: Double, _ b: Double, _ x: Double) -> Double {
        if x > (a + 1) / (a + b + 2) { return 1 - incompleteBeta(b, a, 1 - x) }
        let scale: Double = lgamma(a + b) - lgamma(a) - lgamma(b)
        let power: Double = a * log(x) + b * log(1 - x)
        let front = exp(scale + power) / a
        var (c, d) = (1.0, 1 / guarded(1 - (a + b) * x / (a + 1) as Double))
        var result = d
        for m in 1...500 {
            let step = Double(m)
            var term = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
            d = 1 / guarded(1 + term * d)
            c = guarded(1 + term / c)
            result *= d * c
            term = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
            d = 1 / guarded(1 + term * d)
            c = guarded(1 + term / c)
            result *= d * c
            if abs(d * c - 1) < 1e-12 { break }
        }
        return min(1, max(0, front * result))
    }

    private static func guarded(_ value: Double) -> Double { abs(value) < 1e-300 ? 1e-300 : value }
}
