# SPDX-License-Identifier: Apache-2.0
"""Progress with the time left, one line to standard error every few seconds."""

from __future__ import annotations

import sys
import time


def clock_text(seconds: float) -> str:
    """Seconds as h:mm:ss."""
    whole = int(max(0, seconds))
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


class Progress:
    """Counts towards a total."""

    def __init__(self, name: str, total: int, done: int = 0, every: float = 10.0) -> None:
        self.name, self.total, self.every = name, total, every
        self.begun_with, self.done = done, done
        self.start = self.last = time.monotonic()

    def advance(self, count: int, note: str = "") -> None:
        """Count further; prints when it is time or the end."""
        self.done += count
        now = time.monotonic()
        if now - self.last < self.every and self.done < self.total:
            return
        self.last = now
        rate = (self.done - self.begun_with) / max(1e-9, now - self.start)
        left = (self.total - self.done) / max(1e-9, rate)
        print(f"{self.name}: {self.done}/{self.total}, {clock_text(left)} left {note}", file=sys.stderr, flush=True)
