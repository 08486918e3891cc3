// SPDX-License-Identifier: Apache-2.0
// How often a camera's frames are looked at. Half a second of signs of life is in fifteen frames a second as well as in thirty, and each frame
// less is some milliseconds of a processor less. docs/accuracy.md has what the rate costs in accuracy: nothing.

/// Picks the frames of one camera that are looked at; the newest is always as good as another, so none is kept for later.
public struct LookRate: Sendable {
    /// Least milliseconds between two frames that are looked at.
    ///
    /// A camera of 30 frames a second is looked at 15 times, one of 25 at 12.5, one of 20 and less at each frame.
    public static let interval: UInt64 = 45
    /// Times of a camera that stand still do not hide its frames for longer than this, in milliseconds of the clock.
    public static let patience: UInt64 = 200

    private let interval: UInt64
    private var last: (taken: UInt64, at: UInt64)?

    /// Nothing looked at yet; another interval is for measuring.
    public init(interval: UInt64 = LookRate.interval) { self.interval = interval }

    /// The earliest time of a frame that will be looked at; nil before the first.
    public var due: UInt64? { last.map { $0.taken + interval } }

    /// Whether to look at a frame taken at `taken` when the clock says `now`; remembers it when so.
    public mutating func admits(_ taken: UInt64, now: UInt64) -> Bool {
        if let last, taken < last.taken + interval, now < last.at + LookRate.patience { return false }
        last = (taken, now)
        return true
    }
}
