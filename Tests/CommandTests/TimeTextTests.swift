// SPDX-License-Identifier: Apache-2.0
// Dates against those that everybody knows.

import Testing

@testable import secondlook

@Suite struct TimeTextTests {
    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00Z"), (951_782_400_000, "2000-02-29T00:00:00Z"),
        (1_735_689_599_999, "2024-12-31T23:59:59Z"), (4_107_542_400_000, "2100-03-01T00:00:00Z"),
        (-1, "1969-12-31T23:59:59Z"), (-86_400_000, "1969-12-31T00:00:00Z"),
        (-1_000, "1969-12-31T23:59:59Z"), (.min, "-292275055-05-16T16:47:04Z"), (.max, "292278994-08-17T07:12:55Z"),
    ])
    func knowsTheCalendar(_ milliseconds: Int64, _ text: String) {
        #expect(TimeText.text(milliseconds) == text)
    }
}
