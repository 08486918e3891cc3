# SPDX-License-Identifier: Apache-2.0
"""Runs a command on a terminal of its own and answers what it asks, as the person before it would."""
import os
import pty
import re
import select
import signal
import time


def plain(text):
    """What stays on the screen: lines of progress are written over."""
    return re.sub(r"[^\n]*\r", "", text.replace("\r\n", "\n"))


def run(words, answers, on_text=lambda text, pid: None, limit=180.0, environment=None):
    """The exit code and all that was shown. `answers` has pairs of a pattern and what is typed when it appears.

    What is typed may be a list: then one after the other, the last of them again and again.
    """
    end = time.monotonic() + limit
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(words[0], words, {**os.environ, **(environment or {})})
    data, answered = b"", 0
    while True:
        left = end - time.monotonic()
        if left <= 0:
            os.kill(pid, signal.SIGKILL)
            break
        if not select.select([terminal], [], [], left)[0]:
            continue
        try:
            more = os.read(terminal, 4096)
        except OSError:  # EIO: the other side of the terminal has closed
            break
        if not more:
            break
        data += more
        text = plain(data.decode("utf-8", "replace"))
        on_text(text, pid)
        found = [(match, reply) for pattern, reply in answers if (match := re.search(pattern, text[answered:]))]
        if found:
            match, reply = min(found, key=lambda pair: pair[0].start())
            answered += match.end()
            if isinstance(reply, list):
                reply = reply.pop(0) if len(reply) > 1 else reply[0]
            os.write(terminal, reply.encode() + b"\n")
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), plain(data.decode("utf-8", "replace"))
