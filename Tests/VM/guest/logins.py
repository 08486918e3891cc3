# SPDX-License-Identifier: Apache-2.0
"""People before the camera, at sudo and at login; and cameras that are in use, pulled out, moved, or silent."""
import subprocess
import time

import product
from camera import Webcam, load, nodes, unload
from capture import PROBE
from report import check, wait_for
from terminal import USER, login, sudo

PROGRAMS = {"sudo": sudo, "login": login}
LOOK = "Look at the camera"


def record(attempt):
    """What was shown and what was written down."""
    last = product.last()
    figures = " ".join(f"{key}={last[key]}" for key in ("outcome", "reason", "similarity", "liveness", "detail")
                       if key in last)
    return last, f"{attempt}; {figures}"


def expect(name, attempt, entered, reasons, more=True):
    """One attempt against what has to come of it."""
    last, measured = record(attempt)
    check(name, attempt.entered == entered and last["reason"] in reasons and more, measured)


class Scenes:
    """The machine with the product on it and a webcam in it."""

    def __init__(self):
        load("vhci-hcd", "uvcvideo")
        product.install()
        self.webcam = Webcam()

    def refused_as_virtual(self):
        """With the settings as they come."""
        product.settings("")
        self.webcam.plug_in("man-enrol")
        code, text = product.command("enroll", "--quick", USER)
        check("a plug of software is refused to enrol by default", code != 0 and "virtual" in text, text)

    def listed_as_virtual(self):
        """The same, at a glance."""
        product.settings("")
        self.webcam.plug_in("man-enrol")
        _, text = product.command("devices")
        check("a plug of software is listed as not allowed", "allow_virtual_cameras is no" in text, text)

    def enrol(self):
        """Through the camera, as a person does it."""
        product.settings(product.ALLOWED)
        self.webcam.show("man-enrol")
        began = time.monotonic()
        code, text = product.command("enroll", "--quick", USER)
        check("enrolled through the webcam", code == 0, f"{time.monotonic() - began:.1f} s: {text}")

    def person(self, scene, what, entered, reasons, programs=("sudo", "login"), more=""):
        """One scene before each program, with more settings where it needs them."""
        for name in programs:
            product.forget()
            product.settings(product.ALLOWED + more)
            self.webcam.show(scene)
            expect(f"{name}: {what}", PROGRAMS[name](), entered, reasons)

    def unplugged(self):
        """In the middle of an attempt; and in again."""
        product.forget()
        self.webcam.show("room")
        pulled = []

        def pull(text):
            if LOOK in text and not pulled:
                time.sleep(0.7)
                pulled.append(time.monotonic())
                self.webcam.pull_out()

        attempt = sudo(on_text=pull)
        took = (time.monotonic() - pulled[0]) * 1000 if pulled else -1
        last, measured = record(attempt)
        check("unplugged in the middle ends at once", not attempt.entered and last["reason"] == "camera-missing"
              and 0 < took < 2000, f"{took:.0f} ms after the pull: {measured}")
        self.webcam.plug_in("man-login")
        expect("plugged in again he is let in", sudo(), True, {"matched"})

    def renumbered(self):
        """Another camera takes its number; the settings name it by what it is."""
        product.settings(product.ALLOWED + f"camera = {self.webcam.kind}/{self.webcam.serial}\n")
        product.forget()
        before = self.webcam.node()
        self.webcam.pull_out()
        other = Webcam(port=1, kind="1d6b:0105", serial="B2")
        other.plug_in("woman")
        after = self.webcam.plug_in("man-login")
        attempt = sudo()
        last, measured = record(attempt)
        check("found again under another number", attempt.entered and last["reason"] == "matched" and before != after
              and other.node() == before, f"was {before}, is {after}, {other.node()} is another camera: {measured}")
        other.pull_out()
        product.settings(product.ALLOWED)

    def busy(self):
        """Another program streams from it."""
        product.forget()
        with subprocess.Popen([PROBE, "watch", self.webcam.node(), "600"], stdout=subprocess.PIPE, text=True) as other:
            while "streaming" not in (other.stdout.readline() or "streaming"):
                pass
            # Nothing but an attempt's own work may be in its time.
            attempt = sudo()
            other.kill()
        last, measured = record(attempt)
        check("in use by another program is told within 300 ms", not attempt.entered and attempt.milliseconds < 300
              and last["reason"] == "camera-busy", measured)
        self.webcam.show("man-login")
        expect("and afterwards he is let in", sudo(), True, {"matched"})

    def silent(self):
        """It is there and never delivers."""
        product.forget()
        self.webcam.show("nothing")
        attempt = sudo()
        last, measured = record(attempt)
        # camera_timeout is 3 s.
        check("a camera that never delivers ends by its deadline", not attempt.entered
              and last["reason"] == "camera-failed" and 2_000 < attempt.milliseconds < 6_000, measured)
        self.webcam.show("man-login")
        expect("and afterwards he is let in too", sudo(), True, {"matched"})

    def virtual(self):
        """The only camera there is draws its own pictures."""
        self.webcam.pull_out()
        load("vivid n_devs=1 node_types=0x1 num_inputs=1 input_types=0")
        wait_for(nodes)
        product.settings("")
        product.forget()
        expect("a virtual driver is refused", sudo(), False, {"camera-virtual"})
        unload("vivid")


def people(scenes):
    """The demo's scenarios, on the real path."""
    scenes.person("man-login", "the enrolled man is let in", True, {"matched"})
    scenes.person("woman", "another person is kept out", False, {"other-person"})
    # Nobody answers for a photo; the shortest time that may be given for it spares the emulated processor minutes.
    scenes.person("photo", "a photo of him is kept out", False, {"not-live", "challenge-failed", "challenge-timeout"},
                  more="challenge_timeout = 3 s\n")


def whole():
    """Everything."""
    scenes = Scenes()
    scenes.refused_as_virtual()
    scenes.enrol()
    people(scenes)
    scenes.unplugged()
    scenes.renumbered()
    scenes.busy()
    scenes.silent()
    scenes.virtual()


def short():
    """The least that shows that the path works."""
    scenes = Scenes()
    scenes.listed_as_virtual()
    scenes.enrol()
    scenes.person("man-login", "the enrolled man is let in", True, {"matched"}, ("sudo",))
    scenes.person("woman", "another person is kept out", False, {"other-person"}, ("login",))
    scenes.unplugged()
