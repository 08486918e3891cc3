// SPDX-License-Identifier: Apache-2.0
// Logits as probabilities, without a C library's exp: the targets that decide import none.

/// The logistic function.
public enum Logistic {
    /// 1 / (1 + exp(-x)), exact to 1e-6; any finite or infinite `x`, never NaN for a number.
    public static func probability(_ x: Float) -> Float {
        let bounded = Double(min(30, max(-30, x)))
        // exp by Taylor's series of a 256th, then eight squarings.
        let small = -bounded / 256
        var power = 1 + small * (1 + small / 2 * (1 + small / 3 * (1 + small / 4 * (1 + small / 5))))
        for _ in 0..<8 { power *= power }
        return Float(1 / (1 + power))
    }
}
