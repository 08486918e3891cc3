# SPDX-License-Identifier: Apache-2.0
"""Drives login and sudo on a terminal, as a person does: reads what is asked and types the answer."""
import os
import pty
import pwd
import re
import select
import signal
import time

USER, PASSWORD = "tester", "correct horse"
# A person takes so long to type; meanwhile the networks load.
TYPING = 2.5


class Attempt:
    """What came of one attempt: `entered`, all that was shown, and milliseconds from the password to the answer."""

    def __init__(self):
        self.entered, self.text, self.milliseconds = False, "", 0

    def __str__(self):
        shown = " ".join(self.text.split())
        return f"{'let in' if self.entered else 'kept out'} after {self.milliseconds:.0f} ms: {shown[-160:]}"


def sudo(**more):
    """`sudo` as the user; a command that ran as root tells."""
    return run(["sudo", "-k", "sh", "-c", "echo user-$(id -u)-$((40 + 2))"], [(r"[Pp]assword.*:\s*$", PASSWORD)],
               r"user-0-42", r"incorrect password|error|no password was|Sorry", user=USER, **more)


def login(**more):
    """`login` at a terminal of its own, up to a command that the shell answers."""
    return run(["login"], [(r"login:\s*$", USER), (r"[Pp]assword.*:\s*$", PASSWORD), (r"\$ $", "echo in-$((40 + 2))")],
               r"in-42", r"incorrect", **more)


def run(words, answers, entered, refused, on_text=lambda text: None, limit=120.0, typing=TYPING, user=None):
    """Starts a program and answers it in order until one of the two patterns was shown.

    `on_text` is called with all that was shown whenever there is more; without `user` the program runs as root.
    """
    attempt, began = Attempt(), time.monotonic()
    asked, typed_at = 0, began
    answers = list(answers)
    pid, terminal = pty.fork()
    if pid == 0:
        if user:
            person = pwd.getpwnam(user)
            os.initgroups(user, person.pw_gid)
            os.setgid(person.pw_gid)
            os.setuid(person.pw_uid)
        os.execvp(words[0], words)
    while time.monotonic() < began + limit:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                data = os.read(terminal, 4096)
            except OSError:  # EIO: the other side is gone
                break
            attempt.text += data.decode("utf-8", "replace").replace("\r", "")
            on_text(attempt.text)
        attempt.entered = re.search(entered, attempt.text) is not None
        if attempt.entered or re.search(refused, attempt.text):
            break
        if answers and re.search(answers[0][0], attempt.text[asked:]):
            asked = len(attempt.text)
            _, answer = answers.pop(0)
            if answer == PASSWORD:
                time.sleep(typing)
                typed_at = time.monotonic()
            os.write(terminal, answer.encode() + b"\n")
    attempt.milliseconds = (time.monotonic() - typed_at) * 1000
    os.close(terminal)
    end(pid)
    return attempt


def end(pid):
    """Ends the program; closing its terminal has told it to."""
    for number in (signal.SIGHUP, signal.SIGKILL):
        for _ in range(40):
            if os.waitpid(pid, os.WNOHANG)[0]:
                return
            time.sleep(0.05)
        os.kill(pid, number)
    os.waitpid(pid, 0)
