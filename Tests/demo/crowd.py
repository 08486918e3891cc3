# SPDX-License-Identifier: Apache-2.0
"""Many logins at once before one camera: each has to end with a verdict, one at a time looks, and whoever is killed holds nobody up.

It starts pamtester like pamtester.py, but many of them, and watches them all.
"""
import os
import pty
import re
import select
import signal
import time

import pamtester
from scene import PASSWORDS, SERVICE

# Ten at once make the machine so busy that few frames of a person are seen; that is not what is tried here.
PATIENT = "liveness = passive\nusable_timeout = 15 s\nchallenge_timeout = 3 s\n"


class Login:
    """One of many: a pamtester on a terminal of its own."""

    def __init__(self, user):
        self.user, self.text, self.typed, self.outcome = user, "", False, None
        self.began = time.monotonic()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execvp("pamtester", ["pamtester", SERVICE, user, "authenticate"])

    def read(self):
        """Takes what there is to read, types the password where it is asked for, and notes the end."""
        try:
            data = os.read(self.terminal, 4096)
        except OSError:  # EIO: the other side of the terminal has closed
            data = b""
        self.text += data.decode("utf-8", "replace")
        if not data:
            self.end(timed_out=False)
        elif not self.typed and re.search(r"[Pp]assword.*:\s*$", self.text):
            os.write(self.terminal, PASSWORDS[self.user].encode() + b"\n")
            self.typed = True

    def end(self, timed_out):
        """Closes the terminal and learns what came of it."""
        if timed_out:
            os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)
        self.outcome = pamtester.outcome_of(self.text, timed_out)
        self.milliseconds = (time.monotonic() - self.began) * 1000


def run(users, watch=lambda logins: None, limit=120.0):
    """Lets a login of each of `users` begin at once; returns them when all have ended. `watch` is called after each thing that was said.

    An attempt is charged before it is judged, so one user can have five at once; a sixth is locked out until one of them ended well.
    """
    logins = [Login(user) for user in users]
    ending = time.monotonic() + limit
    while waiting := {login.terminal: login for login in logins if login.outcome is None}:
        ready, _, _ = select.select(list(waiting), [], [], max(0, ending - time.monotonic()))
        if not ready:
            for login in waiting.values():
                login.end(timed_out=True)
            break
        for terminal in ready:
            waiting[terminal].read()
        watch(logins)
    return logins


class OneAtATime:
    """Watches that nobody is told to look while somebody else still looks."""

    def __init__(self):
        self.most = 0

    def __call__(self, logins):
        # A verdict is shown a moment after the camera is free again, so two may overlap in what is read here, never three.
        looking = [login for login in logins if login.outcome is None and "Look at the camera" in login.text
                   and "uccess" not in login.text and "rror" not in login.text]
        self.most = max(self.most, len(looking))


class KillTheFirst:
    """Kills helper and worker of whoever looks first, once others wait."""

    def __init__(self, scene):
        self.scene, self.victim = scene, None

    def __call__(self, logins):
        looking = next((login for login in logins if "Look at the camera" in login.text), None)
        if self.victim is None and looking is not None:
            self.victim = looking
            for child, path in pamtester.descendants(looking.pid):
                if path == f"{self.scene.libexec}/secondlook-helper":
                    os.kill(child, signal.SIGKILL)


def ten(_scene, users):
    """Ten at once: all are let in, or told that the camera was in use for too long (or, on a busy machine, that it saw too little)."""
    watch = OneAtATime()
    logins = run(users * 5, watch)
    return complaint(logins, {"accepted", "not judged"}, accepted=1) or (
        f"{watch.most} looked at once" if watch.most > 2 else None)


def killed(scene, users):
    """Four at once, and the one before the camera is killed: the other three go on at once."""
    watch = KillTheFirst(scene)
    logins = run(users * 2, watch)
    if watch.victim is None or watch.victim.outcome != "fault":
        return f"the one that was killed: {watch.victim and watch.victim.outcome}"
    return complaint([login for login in logins if login is not watch.victim], {"accepted", "not judged"}, accepted=1)


def complaint(logins, expected, accepted):
    """What is wrong with these ends; None when nothing is."""
    for login in logins:
        if login.outcome not in expected:
            return f"one was {login.outcome}: {login.text.strip()[-200:]}"
    count = sum(login.outcome == "accepted" for login in logins)
    return None if count >= accepted else f"{count} of {len(logins)} were accepted"


def check(scene, only=""):
    """Yields (name, result) of each trial whose name has `only` in it."""
    for name, trial in (("ten logins at once, one camera", ten), ("the one before the camera is killed", killed)):
        if only in name:
            scene.forget()
            scene.write_settings(PATIENT)
            scene.show("man-enrol")
            # The same man has two accounts.
            code, _, error = scene.run_command("enroll", "demo-guest", "--quick")
            scene.show("man-login")
            yield name, (trial(scene, ["demo-man", "demo-guest"]) if code == 0 else error.strip()) or "done"
            scene.write_settings("")
