# SPDX-License-Identifier: Apache-2.0
"""Many logins: one after the other from one long-lived caller, as a display manager is, then many at once in waves.

Each has to end with its verdict. After it nothing may be left running, and descriptors and memory of the caller, the files of the store and
of /run stay level; at the end the store is whole and its record complete. Prints one JSON line and exits with 1 when anything is not so.
"""
import argparse
import collections
import json
import os
import pty
import re
import select
import signal
import sqlite3
import statistics
import sys
import time

import crowd
import pamtester
from scenarios import MAN
from scene import PASSWORDS, SERVICE, STATE, Scene

# Kilobytes by which a caller may grow: what malloc and the terminal take once.
GROWTH = 1024
LIMIT = 60.0
# The ways in which an attempt may end; anything else is a fault.
VERDICTS = ("accepted", "refused", "not judged")
# Those who come at once.
CROWD = [f"demo-crowd-{number}" for number in range(20)]


class Caller:
    """One pamtester that authenticates again and again in one process."""

    def __init__(self, count):
        self.text = ""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execvp("pamtester", ["pamtester", SERVICE, MAN] + ["authenticate"] * count)

    def read_to(self, pattern):
        """Reads until the text matches; what was matched and all before it, or None when it does not come."""
        ending = time.monotonic() + LIMIT
        while not (found := re.search(pattern, self.text)):
            left = ending - time.monotonic()
            if left <= 0 or not select.select([self.terminal], [], [], left)[0]:
                return None
            try:
                data = os.read(self.terminal, 4096)
            except OSError:  # EIO: the other side of the terminal has closed
                return None
            self.text += data.decode("utf-8", "replace")
        said, self.text = self.text[:found.end()], self.text[found.end():]
        return said

    def login(self, waiting):
        """One login; the outcome's word. `waiting` is called while it is asked for the password."""
        if self.read_to(r"[Pp]assword.*:\s*$") is None:
            return "not asked"
        waiting()
        os.write(self.terminal, PASSWORDS[MAN].encode() + b"\n")
        said = self.read_to("|".join(map(re.escape, pamtester.WORDS)))
        return "no answer in time" if said is None else pamtester.outcome_of(said, timed_out=False)

    def state(self):
        """Descriptors, children (zombies included), and kilobytes of memory that are its own."""
        with open(f"/proc/{self.pid}/status", encoding="utf-8") as file:
            memory = next(int(line.split()[1]) for line in file if line.startswith("RssAnon:"))
        with open(f"/proc/{self.pid}/task/{self.pid}/children", encoding="utf-8") as file:
            children = len(file.read().split())
        return len(os.listdir(f"/proc/{self.pid}/fd")), children, memory

    def end(self):
        """Takes the process away, in whatever state it is."""
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


def running(scene):
    """The programs of the installation that run."""
    found, device = [], os.stat(scene.libexec).st_dev
    for name in os.listdir("/proc"):
        try:
            path = os.readlink(f"/proc/{name}/exe") if name.isdigit() else ""
            # Another run from the same folder has a file system of its own.
            is_own = path.startswith(scene.libexec) and os.stat(f"/proc/{name}/exe").st_dev == device
        except OSError:
            continue
        if is_own:
            found.append(os.path.basename(path))
    return found


def beside_a_prompt(scene):
    """How many of each program run while a person is asked: after a moment, since the worker is started then, and before it is itself it is
    a second helper."""
    for _ in range(100):
        found = collections.Counter(running(scene))
        if found and max(found.values()) == 1:
            break
        time.sleep(0.02)
    return found


def left_running(scene):
    """Those that still run after a moment: who was just told its verdict may see the helper's last breath."""
    for _ in range(100):
        if not (found := running(scene)):
            return []
        time.sleep(0.02)
    return found


def files():
    """How many names there are where the product writes."""
    return sum(len(names) for folder in (STATE, "/run/secondlook") for _, _, names in os.walk(folder))


def in_a_row(scene, count, faults):
    """Logins one after the other; what they came to, and how the caller looked on the way."""
    outcomes, times, states = collections.Counter(), [], []
    caller = Caller(count)

    def look():
        """What there is while the next person is asked for the password: one helper and one worker, those of this login."""
        found = beside_a_prompt(scene)
        if not found or any(number > 1 for number in found.values()):
            faults.append(f"before login {number + 1} run: {dict(found)}")
        states.append((*caller.state(), files()))

    try:
        for number in range(count):
            began = time.monotonic()
            outcome = caller.login(look if number < 30 or number % 50 == 0 or number + 1 == count else lambda: None)
            times.append((time.monotonic() - began) * 1000)
            outcomes[outcome] += 1
            if outcome not in VERDICTS:
                faults.append(f"login {number + 1} was {outcome}: {caller.text.strip()[-200:]}")
                break
            if outcome != "accepted" and number + 1 < count:
                # On a machine too busy to see enough of the person; pamtester ends with that.
                caller.end()
                scene.run_command("unlock", MAN)
                caller = Caller(count - number - 1)
                states.clear()
    finally:
        caller.end()
    if found := left_running(scene):
        faults.append(f"after the last login still run: {', '.join(found)}")
    if not outcomes["accepted"]:
        faults.append("nobody was accepted")
    # The first ones fill buffers and load libraries.
    settled = states[min(10, len(states) // 2):] or [(0, 0, 0, 0)]
    first, last = settled[0], settled[-1]
    for place, name in ((0, "descriptors"), (1, "children")):
        if any(state[place] != first[place] for state in settled):
            faults.append(f"the caller's {name} were between {min(s[place] for s in settled)} and {max(s[place] for s in settled)}")
    if last[2] > first[2] + GROWTH:
        faults.append(f"the caller's memory went from {first[2]} to {last[2]} KB")
    if last[3] > first[3]:
        faults.append(f"files went from {first[3]} to {last[3]}")
    part = max(1, min(100, len(times) // 4))
    return {"logins": len(times), "outcomes": dict(outcomes), "descriptors": [first[0], last[0]],
            "children": [first[1], last[1]], "caller_kb": [first[2], last[2]], "files": [first[3], last[3]],
            "first_ms": round(statistics.median(times[:part])), "last_ms": round(statistics.median(times[-part:]))}


def at_once(scene, count, waves, faults):
    """Waves of logins that begin together, of no more than five a user."""
    outcomes, longest = collections.Counter(), 0
    for _ in range(waves):
        for login in crowd.run([CROWD[number // 5] for number in range(count)]):
            outcomes["in use" if login.outcome == "not judged" and "in use" in login.text else login.outcome] += 1
            longest = max(longest, login.milliseconds)
            if login.outcome not in VERDICTS:
                faults.append(f"of {count} at once one was {login.outcome}: {login.text.strip()[-200:]}")
        if found := left_running(scene):
            faults.append(f"after a wave still run: {', '.join(found)}")
    return {"at_once": count, "waves": waves, "wave_outcomes": dict(outcomes), "longest_ms": round(longest)}


def store(scene, expected, faults):
    """Whether the store is whole and holds what happened."""
    database = sqlite3.connect(f"file:{STATE}/secondlook.db?mode=ro", uri=True)
    try:
        integrity = database.execute("PRAGMA integrity_check").fetchone()[0]
        attempts = database.execute("SELECT count(*) FROM attempts").fetchone()[0]
        pending = database.execute("SELECT count(*) FROM pending").fetchone()[0]
    finally:
        database.close()
    code, output, error = scene.run_command("log", "--verify")
    if integrity != "ok":
        faults.append(f"the database: {integrity}")
    if code != 0 or "none changed or missing" not in output:
        faults.append(f"the record: {(error or output).strip()}")
    if attempts != expected or pending:
        faults.append(f"{attempts} attempts are recorded and {pending} are open; there were {expected}")
    return {"integrity": integrity, "recorded": attempts, "open": pending, "store_kb": os.path.getsize(f"{STATE}/secondlook.db") // 1024}


def main():
    """All of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("prefix")
    parser.add_argument("clips")
    parser.add_argument("--logins", type=int, default=2000)
    parser.add_argument("--at-once", type=int, default=50)
    parser.add_argument("--waves", type=int, default=4)
    options = parser.parse_args()
    scene = Scene(options.prefix, options.clips)
    crowd_size = -(-options.at_once // 5)
    if crowd_size > len(CROWD):
        parser.error(f"at most {len(CROWD) * 5} at once")
    PASSWORDS.update({name: "all of us" for name in CROWD[:crowd_size]})
    scene.set_up()
    scene.show("man-enrol")
    scene.prepare()
    for name in [MAN, *CROWD[:crowd_size]]:
        code, _, error = scene.run_command("enroll", name, "--quick")
        if code != 0:
            sys.exit(f"soak: cannot enrol '{name}': {error.strip()}")
    scene.show("man-login")
    scene.write_settings(crowd.PATIENT)
    faults, began = [], time.monotonic()
    result = in_a_row(scene, options.logins, faults)
    result.update(at_once(scene, options.at_once, options.waves, faults))
    result.update(store(scene, result["logins"] + options.at_once * options.waves, faults))
    result.update(seconds=round(time.monotonic() - began), fine=not faults, faults=faults[:10])
    print(json.dumps(result), flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
