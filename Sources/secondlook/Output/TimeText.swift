// SPDX-License-Identifier: Apache-2.0
// Moments as text, in UTC, without a calendar library.

/// Moments as people and programs read them.
enum TimeText {
    /// "2026-11-30T15:28:00Z" of milliseconds since 1970.
    static func text(_ milliseconds: Int64) -> String {
        let (whole, part) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let seconds = part < 0 ? whole - 1 : whole
        let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let rest = seconds - day * 86_400
        let (year, month, dayOfMonth) = date(day)
        let time = [rest / 3600, rest / 60 % 60, rest % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))T\(time)Z"
    }

    /// The Gregorian date of a day since 1970, counted in eras of 400 years that begin in March.
    private static func date(_ day: Int64) -> (Int64, Int64, Int64) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
