# SPDX-License-Identifier: Apache-2.0
"""Measures an accepted login of ours and of a pipeline like Howdy's, in turn, on the same frames.

Processor seconds are those of all processes of a login, children included; ours include PAM, the password's hash and liveness, theirs
none of it (howdy_like.py says what else they leave out). Prints JSON lines; the last has `cpu_ratio`, theirs divided by ours.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

import pamtester
from scenarios import MAN
from scene import PASSWORDS, SERVICE, Scene


class Theirs:
    """The other pipeline, with the same two takes of the same man."""

    def __init__(self, python, script, models, scene):
        self.words = [python, script]
        self.models, self.clips, self.enrolled = models, scene.clips, f"{scene.root}/howdy.json"

    def add(self):
        """Enrols from the take that we enrol from."""
        subprocess.run([*self.words, "add", self.models, f"{self.clips}/man-enrol.rgb", self.enrolled], check=True)

    def login(self):
        """(processor seconds, seconds of the clock, what it says of itself)."""
        before, began = os.times(), time.monotonic()
        done = subprocess.run([*self.words, "compare", self.models, f"{self.clips}/man-login.rgb", self.enrolled],
                              capture_output=True, text=True, check=False)
        took, after = time.monotonic() - began, os.times()
        if done.returncode not in (0, 11):
            raise RuntimeError(f"howdy_like.py: {done.stderr.strip()}")
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        return spent, took, json.loads(done.stdout)


def ours():
    """(processor seconds, seconds of the clock)."""
    run = pamtester.run(SERVICE, MAN, PASSWORDS[MAN])
    if run.outcome != "accepted":
        raise RuntimeError(f"our login was {run.outcome}: {run.text}")
    return run.processor_milliseconds / 1000, run.milliseconds / 1000


def summary(name, spent, took, **more):
    """One side's line."""
    print(json.dumps({
        "side": name, "runs": len(spent), "cpu_seconds": round(statistics.median(spent), 3),
        "cpu_least": round(min(spent), 3), "cpu_most": round(max(spent), 3),
        "wall_seconds": round(statistics.median(took), 3), **more}), flush=True)


def main():
    """Both sides in turn."""
    parser = argparse.ArgumentParser()
    parser.add_argument("prefix")
    parser.add_argument("clips")
    parser.add_argument("howdy", help="folder with venv/ and models/, made by fetch-howdy")
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    scene = Scene(options.prefix, options.clips)
    scene.set_up()
    scene.show("man-enrol")
    code, _, error = scene.run_command("enroll", MAN)
    if code != 0:
        sys.exit(f"bench-compare: cannot enrol: {error.strip()}")
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "howdy_like.py")
    theirs = Theirs(f"{options.howdy}/venv/bin/python", script, f"{options.howdy}/models", scene)
    theirs.add()
    scene.show("man-login")
    # Once unmeasured on each side: what is on the disk is in memory then, for both.
    ours()
    theirs.login()
    left, right = [], []
    for _ in range(options.runs):
        left.append(ours())
        right.append(theirs.login())
    last = right[-1][2]
    summary("second-look", [run[0] for run in left], [run[1] for run in left], accepted=True)
    summary("howdy-like", [run[0] for run in right], [run[1] for run in right],
            accepted=all(run[2]["accepted"] for run in right), distance=last["distance"],
            frames=statistics.median(run[2]["frames"] for run in right))
    cpu = statistics.median(run[0] for run in right) / statistics.median(run[0] for run in left)
    wall = statistics.median(run[1] for run in right) / statistics.median(run[1] for run in left)
    print(json.dumps({"cpu_ratio": round(cpu, 2), "wall_ratio": round(wall, 2), "runs": options.runs}))


if __name__ == "__main__":
    main()
