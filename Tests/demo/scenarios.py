# SPDX-License-Identifier: Apache-2.0
"""The table of scenarios: what is before the camera, what is typed, and what must come of it.

Prints one line a scenario (name, expected, got, milliseconds) and a closing line; exits with 1 when any differs.
"""
import argparse
import os
import signal
import sys
import time

import commands
import crowd
import documents
import enrolment_scenarios
from follower import Follower
import pamtester
import switching
from scene import PASSWORDS, SERVICE, Scene
import terminal

MAN, GUEST = "demo-man", "demo-guest"
ASKING = "liveness = challenge\n"
INFRARED = "infrared = 04f2:b6be\n"


class Scenario:
    """One row. `answer` is how the head follows the prompts: rightly, wrongly or not at all."""

    def __init__(self, name, expected, clip="man-login", mode="clip", user=MAN, password=None, settings="",
                 answer=None, asked=None, needs_network=False, without_network=False, before=None, during=None,
                 counted=None, bound=30_000, infrared="none"):
        self.name, self.expected, self.clip, self.mode = name, expected, clip, mode
        self.user, self.password, self.settings = user, password, settings
        self.answer, self.asked = answer, asked
        self.needs_network, self.without_network = needs_network, without_network
        self.before, self.during, self.counted, self.bound = before, during, counted, bound
        self.infrared = infrared


def without(name):
    """Takes a file of the installation away."""
    def take(scene):
        path = f"{scene.libexec}/{name}"
        os.rename(path, path + ".away")
        return lambda: os.rename(path + ".away", path)
    return take


def without_network(scene):
    """Takes the passive network away, as if it had never been installed."""
    path = f"{scene.models}/liveness.onnx"
    if not os.path.exists(path):
        return lambda: None
    os.rename(path, path + ".away")
    return lambda: os.rename(path + ".away", path)


def kill_worker(scene):
    """Kills the worker as soon as the person is asked to look."""
    killed = []

    def on_text(text, pid):
        if killed or "Look at the camera" not in text:
            return
        for child, path in pamtester.descendants(pid):
            if path == f"{scene.libexec}/secondlook-vision":
                os.kill(child, signal.SIGKILL)
                killed.append(child)

    return on_text


def recovery(scene):
    """He has recovery codes; the first is written down, the way a person would."""
    code, output, error = scene.run_command("recovery", "new", MAN)
    if code != 0:
        raise RuntimeError(f"recovery new: {error.strip()}")
    scene.code = next(line.strip() for line in output.splitlines() if line.startswith("  "))
    return lambda: None


def used_code(scene):
    """The code that is typed was used for a login before."""
    undo = recovery(scene)
    run = pamtester.run(SERVICE, MAN, PASSWORDS[MAN], kill_worker(scene), code=scene.code)
    if run.outcome != "accepted":
        raise RuntimeError(f"the first use was {run.outcome}, not accepted")
    return undo


def five_refusals(scene):
    """Five attempts by someone else; the lock must not come before the fifth."""
    scene.show("woman")
    for number in range(5):
        run = pamtester.run(SERVICE, MAN, PASSWORDS[MAN])
        if run.outcome != "refused":
            raise RuntimeError(f"attempt {number + 1} of five was {run.outcome}, not refused")
    scene.show("man-login")
    return lambda: None


def table():
    """All scenarios, in their order."""
    turn = {"mode": "head", "settings": ASKING, "without_network": True, "asked": True}
    return [
        Scenario("right password, enrolled man, other take", "accepted", asked=False, needs_network=True),
        Scenario("no passive network, he turns his head as asked", "accepted", answer="rightly", **turn),
        Scenario("no passive network, he does not turn", "refused", answer=None, counted=True, **turn),
        Scenario("no passive network, he turns the other way", "refused", answer="wrongly", counted=True, **turn),
        Scenario("wrong password, enrolled man", "refused", password="wrong", counted=False, bound=10_000),
        Scenario("right password, another person", "refused", clip="woman", counted=True),
        Scenario("right password, a photo of him moved about", "refused", mode="photo", counted=True),
        Scenario("right password, a photo of him held still", "refused", mode="still", counted=True),
        Scenario("right password, an empty room", "not judged", clip="room", counted=False),
        Scenario("right password, a black picture", "not judged", clip="black", counted=False),
        Scenario("five refusals, then everything right", "locked", before=five_refusals, bound=5_000),
        Scenario("right password, user not enrolled", "not judged", user=GUEST, bound=5_000),
        Scenario("unknown user", "unknown user", user="demo-nobody", password="x", bound=5_000),
        Scenario("worker killed in the middle", "not judged", during=kill_worker, counted=False, bound=10_000),
        Scenario("worker killed, then a recovery code", "accepted", before=recovery, during=kill_worker),
        Scenario("worker killed, then a used recovery code", "refused", before=used_code, during=kill_worker,
                 counted=True),
        Scenario("infrared beside colour, he is lit in both", "accepted", infrared="grey", settings=INFRARED,
                 needs_network=True),
        Scenario("infrared beside colour, he is dark in infrared", "refused", infrared="dark", settings=INFRARED,
                 counted=True),
        Scenario("infrared wanted, its camera says nothing", "refused", settings=INFRARED, bound=40_000),
        Scenario("helper missing", "fault", before=without("secondlook-helper"), bound=5_000),
        Scenario("worker missing", "not judged", before=without("secondlook-vision"), counted=False, bound=5_000),
        Scenario("manifest of the models missing", "fault", before=without("models/manifest.json"), counted=False,
                 bound=5_000),
    ]


def play(scene, scenario):
    """Runs one scenario; returns (what was got, milliseconds)."""
    scene.forget()
    scene.write_settings(scenario.settings)
    scene.show(scenario.clip, scenario.mode, infrared=scenario.infrared)
    scene.code = None
    undo = [step(scene) for step in (without_network if scenario.without_network else None, scenario.before) if step]
    follower = Follower(scene, scenario.answer)
    watch = scenario.during(scene) if scenario.during else follower
    try:
        password = scenario.password or PASSWORDS.get(scenario.user, "")
        run = pamtester.run(SERVICE, scenario.user, password, watch, code=scene.code)
    finally:
        for step in reversed(undo):
            step()
    got = run.outcome
    if scenario.asked is not None and got == scenario.expected and follower.asked != scenario.asked:
        got += ", though " + ("asked" if follower.asked else "not asked")
    if scenario.counted is not None and got == scenario.expected and (scene.misses(MAN) > 0) != scenario.counted:
        got += ", though " + ("not counted" if scenario.counted else "counted")
    if run.milliseconds > scenario.bound:
        got += f", after more than {scenario.bound} ms"
    if os.environ.get("DEMO_SHOW"):
        print(run.text, scene.run_command("log", "--json", "--limit", "1")[1])
    return got, run


def main():
    """Sets the scene, enrols, plays the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("prefix")
    parser.add_argument("clips")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    scene = Scene(options.prefix, options.clips)
    scene.set_up()
    scene.show("man-enrol")
    scene.prepare()
    began = time.monotonic()
    code, _, error = scene.run_command("enroll", MAN, "--quick")
    report("enrol the man from one take", "done", "done" if code == 0 else f"exit {code}: {error.strip()}", began)
    if code != 0:
        print("0 passed, 1 failed, 0 skipped")
        return 1
    scene.keep()
    passed, failed, skipped = 1, 0, 0
    for scenario in table():
        if options.only not in scenario.name:
            continue
        if scenario.needs_network and not scene.has_passive_network():
            print(f"SKIPPED  {scenario.name}: the passive network is not installed")
            skipped += 1
            continue
        began = time.monotonic()
        try:
            got, _ = play(scene, scenario)
        except RuntimeError as error:
            got = str(error)
        report(scenario.name, scenario.expected, got, began)
        passed, failed = (passed + 1, failed) if got == scenario.expected else (passed, failed + 1)
    if scene.has_passive_network():
        began = time.monotonic()
        for name, result in crowd.check(scene, options.only):
            report(name, "done", result, began)
            began = time.monotonic()
            passed, failed = (passed + 1, failed) if result == "done" else (passed, failed + 1)
    if scene.has_passive_network():
        began = time.monotonic()
        for name, result in switching.check(scene, options.only):
            report(f"command: {name}", "done", result, began)
            began = time.monotonic()
            passed, failed = (passed + 1, failed) if result == "done" else (passed, failed + 1)
    began = time.monotonic()
    for kind, trials in (("terminal", terminal), ("command", commands), ("enrolment", enrolment_scenarios)):
        for name, result in trials.check(scene, options.only):
            report(f"{kind}: {name}", "done", result, began)
            began = time.monotonic()
            passed, failed = (passed + 1, failed) if result == "done" else (passed, failed + 1)
    if not options.only:
        for path, number, complaint in documents.check(scene):
            report(f"the {number} commands of {path}", "done", complaint or "done", time.monotonic())
            passed, failed = (passed, failed + 1) if complaint else (passed + 1, failed)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


def report(name, expected, got, began):
    """One line."""
    word = "ok" if expected == got else "FAILED"
    print(f"{word:7}  {name:50}  expected {expected:12}  got {got:12}  {(time.monotonic() - began) * 1000:6.0f} ms",
          flush=True)


if __name__ == "__main__":
    sys.exit(main())
