# SPDX-License-Identifier: Apache-2.0
"""One line a check: ok or FAILED, the name, and what was measured."""
import time

FAILURES = []


def check(name, holds, measured):
    """Prints the line; `measured` is what was seen, whether it was as it should be or not."""
    word = "ok" if holds else "FAILED"
    print(f"{word:7}  {name}: {' '.join(str(measured).split())}", flush=True)
    if not holds:
        FAILURES.append(name)
    return holds


def wait_for(condition, seconds=20.0):
    """The first true value of `condition`, or its last one when time is up."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(0.05)
