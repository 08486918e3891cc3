// SPDX-License-Identifier: Apache-2.0
// A measured rate never goes without how sure it is.

import Foundation

/// Errors in so many trials.
struct Rate {
    var errors: Int
    var trials: Int

    /// Errors over trials; 0 without trials.
    var value: Double { trials > 0 ? Double(errors) / Double(trials) : 0 }

    /// The exact 95 % interval.
    var interval: ExactInterval { ExactInterval(hits: errors, of: trials) }

    var json: Json {
        .object([
            ("rate", .real(value)), ("errors", .whole(errors)), ("trials", .whole(trials)), ("interval", intervalJson),
        ])
    }

    var intervalJson: Json {
        .list([.real(interval.low), .real(interval.high)])
    }

    /// "0.51 % [0.3, 0.8]".
    var words: String {
        "\(percent(value)) % [\(percent(interval.low)), \(percent(interval.high))]"
    }
}

/// A share as a percentage with two digits behind the point.
func percent(_ share: Double) -> String { fixed(share * 100, 2) }

/// A number with so many digits behind the point.
func fixed(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite else { return "-" }
    let scale = pow(10, Double(digits))
    let whole = Int64((abs(value) * scale).rounded())
    let sign = value < 0 && whole > 0 ? "-" : ""
    guard digits > 0 else { return sign + String(whole) }
    let text = String(whole)
    let filled = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    return sign + filled.dropLast(digits) + "." + filled.suffix(digits)
}
