// SPDX-License-Identifier: Apache-2.0
// What is remembered of a user's failed attempts. A value: the store keeps it, Lockout does the arithmetic.

/// A moment as three clocks tell it.
public struct Moment: Sendable, Equatable {
    /// Names the running boot (the kernel's boot id).
    public var boot: String
    /// Milliseconds since that boot, counting sleep; cannot be set.
    public var sinceBoot: UInt64
    /// Milliseconds since 1970 by the wall clock; can be set either way.
    public var wall: UInt64

    /// A moment.
    public init(boot: String, sinceBoot: UInt64, wall: UInt64) {
        self.boot = boot
        self.sinceBoot = sinceBoot
        self.wall = wall
    }

    /// How long ago `earlier` was at the very least, in milliseconds.
    ///
    /// In the same boot only the clock that cannot be set counts. Across boots it is the wall clock's difference, or the time since
    /// this boot where that is more: a clock that was set back therefore never makes less time seem to be left than
    /// really is, and a machine without a clock still gets on.
    func elapsed(since earlier: Moment) -> UInt64 {
        if boot == earlier.boot { return sinceBoot > earlier.sinceBoot ? sinceBoot - earlier.sinceBoot : 0 }
        return max(wall > earlier.wall ? wall - earlier.wall : 0, sinceBoot)
    }
}

/// Failed attempts of one user since the last success.
public struct Tally: Sendable, Equatable {
    /// Judged misses in a row, attempts under way among them.
    public var misses: UInt32
    /// Judged misses since the last success or the administrator's `unlock`, attempts under way among them; disables at a limit.
    public var total: UInt32
    /// When the newest of `misses` was charged.
    public var missedAt: Moment?
    /// Wrong passwords since the last right one.
    public var wrongPasswords: UInt32
    /// When the newest of `wrongPasswords` was.
    public var wrongPasswordAt: Moment?
    /// How often the counts went back to zero: an attempt under way tells by it that its charge is gone.
    public var resets: UInt32

    /// A tally; without arguments that of a user who never failed.
    public init(
        misses: UInt32 = 0, total: UInt32 = 0, missedAt: Moment? = nil, wrongPasswords: UInt32 = 0,
        wrongPasswordAt: Moment? = nil, resets: UInt32 = 0
    ) {
        self.misses = misses
        self.total = total
        self.missedAt = missedAt
        self.wrongPasswords = wrongPasswords
        self.wrongPasswordAt = wrongPasswordAt
        self.resets = resets
    }

    /// This tally with each count of `other` that locks for longer in the place of its own: the larger, and the newer of two that are equal.
    ///
    /// Attempts under way are this one's, and so the resets stay.
    public func strictest(_ other: Tally) -> Tally {
        var strictest = self
        strictest.total = max(total, other.total)
        if Tally.isStricter((other.misses, other.missedAt), than: (misses, missedAt)) {
            (strictest.misses, strictest.missedAt) = (other.misses, other.missedAt)
        }
        if Tally.isStricter(
            (other.wrongPasswords, other.wrongPasswordAt), than: (wrongPasswords, wrongPasswordAt))
        {
            (strictest.wrongPasswords, strictest.wrongPasswordAt) = (other.wrongPasswords, other.wrongPasswordAt)
        }
        return strictest
    }

    private static func isStricter(_ one: (count: UInt32, at: Moment?), than other: (count: UInt32, at: Moment?))
        -> Bool
    {
        guard one.count == other.count else { return one.count > other.count }
        // A count without a moment locks for the longest time.
        guard let at = one.at, let otherAt = other.at else { return other.at != nil && one.count > 0 }
        return (at.wall, at.sinceBoot) > (otherAt.wall, otherAt.sinceBoot)
    }
}
