# SPDX-License-Identifier: Apache-2.0
"""Runs pamtester on a terminal of its own, as a login program would be run, and watches what it prints.

It knows how pamtester says each PAM code; it judges nothing.
"""
import os
import pty
import re
import resource
import select
import signal
import time

# pam_strerror's words for the codes that the module may give.
WORDS = {
    "successfully authenticated": "accepted",
    "Authentication failure": "refused",
    "Authentication service cannot retrieve authentication info": "not judged",
    "Have exhausted maximum number of retries for service": "locked",
    "User not known to the underlying authentication module": "unknown user",
    "System error": "fault",
    "The return value should be ignored by PAM dispatch": "ignored",
    "Permission denied": "ignored",
    "Module is unknown": "module not loaded",
}


class Run:
    """One finished attempt: what came of it, all that was shown, how long it took, processor time of all processes, and how long it was
    from the typed password to the end."""

    def __init__(self, outcome, text, milliseconds, processor_milliseconds, answer_milliseconds=None):
        self.outcome = outcome
        self.text = text
        self.milliseconds = milliseconds
        self.processor_milliseconds = processor_milliseconds
        self.answer_milliseconds = answer_milliseconds


def children_processor():
    """Seconds of processor time of all children that have ended, and of theirs; to the microsecond, where os.times() counts in hundredths."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def outcome_of(text, timed_out):
    """The word for what pamtester printed."""
    if timed_out:
        return "no answer in time"
    return next((word for phrase, word in WORDS.items() if phrase in text), "unclear")


def run(service, user, password, on_text=lambda text, pid: None, limit=60.0, code=None, typing=0.0):
    """Authenticates once. `on_text` is called with all the text so far and pamtester's pid whenever there is more.

    `code` is typed where a recovery code is asked for; `typing` is how many seconds the typing of the password takes.
    """
    before = children_processor()
    began = time.monotonic()
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp("pamtester", ["pamtester", service, user, "authenticate"])
    text, typed, timed_out = "", None, False
    while True:
        left = began + limit - time.monotonic()
        if left <= 0:
            timed_out = True
            os.kill(pid, signal.SIGKILL)
            break
        ready, _, _ = select.select([terminal], [], [], left)
        if not ready:
            continue
        try:
            data = os.read(terminal, 4096)
        except OSError:  # EIO: the other side of the terminal has closed
            break
        if not data:
            break
        text += data.decode("utf-8", "replace")
        if not typed and re.search(r"[Pp]assword.*:\s*$", text):
            time.sleep(typing)
            os.write(terminal, password.encode() + b"\n")
            typed = time.monotonic()
        if code and re.search(r"[Rr]ecovery code.*:\s*$", text):
            os.write(terminal, code.encode() + b"\n")
            code = None
        on_text(text, pid)
    answered = time.monotonic()
    os.waitpid(pid, 0)
    os.close(terminal)
    took = (time.monotonic() - began) * 1000
    processor = (children_processor() - before) * 1000
    answer = (answered - typed) * 1000 if typed else None
    return Run(outcome_of(text, timed_out), text, took, processor, answer)


def descendants(pid):
    """All processes below `pid`, as (pid, path of the program)."""
    parents = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                parents[int(name)] = int(file.read().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError, ValueError):
            continue
    found, wave = [], {pid}
    while wave:
        wave = {child for child, parent in parents.items() if parent in wave}
        for child in wave:
            try:
                found.append((child, os.readlink(f"/proc/{child}/exe")))
            except OSError:
                continue
    return found
