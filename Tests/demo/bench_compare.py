# SPDX-License-Identifier: Apache-2.0
"""Measures an accepted login of ours and of a pipeline like Howdy's, in turn, on the same frames.

Processor seconds are those of all processes of a login, children included; ours include PAM, the password's hash and liveness, theirs
none of it (howdy_like.py says what else they leave out). Theirs is run three times: until it accepts, as Howdy does, which one frame
may do (`cpu_ratio`, theirs divided by ours); the same with Howdy's default `max_height = 320`; and on as many frames as our login looked
at to see that the person lives (`cpu_ratio_same_frames`). Prints JSON lines.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time

import pamtester
from scenarios import MAN
from scene import PASSWORDS, SERVICE, Scene


class Theirs:
    """The other pipeline, with the same two takes of the same man."""

    def __init__(self, python, script, models, scene, height, least=0):
        self.words, self.height, self.least = [python, script], str(height), [str(least)] if least else []
        self.models, self.clips, self.enrolled = models, scene.clips, f"{scene.root}/howdy-{height}.json"
        self.runs = []

    def add(self):
        """Enrols from the take that we enrol from."""
        subprocess.run([*self.words, "add", self.models, f"{self.clips}/man-enrol.rgb", self.enrolled, self.height],
                       check=True)

    def login(self):
        """(processor seconds, seconds of the clock, what it says of itself)."""
        before, began = pamtester.children_processor(), time.monotonic()
        done = subprocess.run([*self.words, "compare", self.models, f"{self.clips}/man-login.rgb", self.enrolled,
                               self.height, *self.least], capture_output=True, text=True, check=False)
        took, after = time.monotonic() - began, pamtester.children_processor()
        if done.returncode not in (0, 11):
            raise RuntimeError(f"howdy_like.py: {done.stderr.strip()}")
        return after - before, took, json.loads(done.stdout)


def ours():
    """(processor seconds, seconds of the clock)."""
    run = pamtester.run(SERVICE, MAN, PASSWORDS[MAN])
    if run.outcome != "accepted":
        raise RuntimeError(f"our login was {run.outcome}: {run.text}")
    return run.processor_milliseconds / 1000, run.milliseconds / 1000


def frames_looked_at(scene):
    """How many frames the latest login looked at, as its record says."""
    _, output, _ = scene.run_command("log", "--json", "--limit", "1")
    found = re.search(r"frames=(\d+)/", output)
    if not found:
        raise RuntimeError(f"the record does not say how many frames were looked at: {output.strip()}")
    return int(found.group(1))


def summary(name, runs, **more):
    """One side's line; its medians."""
    spent, took = ([run[part] for run in runs] for part in (0, 1))
    medians = statistics.median(spent), statistics.median(took)
    print(json.dumps({
        "side": name, "runs": len(runs), "cpu_seconds": round(medians[0], 4), "cpu_least": round(min(spent), 3),
        "cpu_most": round(max(spent), 3), "wall_seconds": round(medians[1], 3), **more}), flush=True)
    return medians


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
    scene.prepare()
    code, _, error = scene.run_command("enroll", MAN, "--quick")
    if code != 0:
        sys.exit(f"bench-compare: cannot enrol: {error.strip()}")
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "howdy_like.py")
    scene.show("man-login")
    ours()
    looked = frames_looked_at(scene)
    parts = f"{options.howdy}/venv/bin/python", script, f"{options.howdy}/models", scene
    sides = {"until it accepts": Theirs(*parts, 480), "until it accepts, max_height 320": Theirs(*parts, 320),
             f"{looked} frames": Theirs(*parts, 480, looked)}
    # Once unmeasured on each side: what is on the disk is in memory then, for all.
    for side in sides.values():
        side.add()
        side.login()
    runs = []
    for _ in range(options.runs):
        runs.append(ours())
        for side in sides.values():
            side.runs.append(side.login())
    mine = summary("second-look", runs, accepted=True, frames=looked)
    first, small, same = (summary(f"howdy-like, {name}", [run[:2] for run in side.runs],
                                  accepted=all(run[2]["accepted"] for run in side.runs),
                                  frames=statistics.median(run[2]["frames"] for run in side.runs),
                                  distance=side.runs[-1][2]["distance"]) for name, side in sides.items())
    print(json.dumps({"cpu_ratio": round(first[0] / mine[0], 2), "wall_ratio": round(first[1] / mine[1], 2),
                      "cpu_ratio_max_height_320": round(small[0] / mine[0], 2),
                      "cpu_ratio_same_frames": round(same[0] / mine[0], 2), "runs": options.runs}))


if __name__ == "__main__":
    main()
