# SPDX-License-Identifier: Apache-2.0
"""Runs the groups of checks named on the command line; exits with 1 when one failed."""
import sys
import time
import traceback

import capture
import logins
from report import FAILURES, check

GROUPS = {
    "formats": [capture.webcam_formats, capture.drawn_formats],
    "logins": [logins.whole],
    "short": [lambda: capture.webcam_formats(("MJPG", "GREY")), logins.short],
}


def main():
    """All groups; what breaks one is a failure, and the next one runs."""
    for name in sys.argv[1:]:
        for step in GROUPS[name]:
            began = time.monotonic()
            try:
                step()
            except Exception:  # pylint: disable=broad-except
                check(f"{name} runs to its end", False, traceback.format_exc(limit=-3))
            print(f"        {name} took {time.monotonic() - began:.0f} s of the machine's time", flush=True)
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
