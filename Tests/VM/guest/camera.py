# SPDX-License-Identifier: Apache-2.0
"""Webcams that are plugged in, shown scenes, stopped and pulled out (see Tests/VM/camera)."""
import glob
import os
import subprocess

from report import wait_for

REELS = "/checks/reels"


class Webcam:
    """A USB webcam at one port of the machine; uvcvideo drives it."""

    def __init__(self, port=0, kind="1d6b:0104", serial="A1", formats=("mjpeg", "yuyv", "grey", "nv12"), rate=10):
        self.port, self.kind, self.serial, self.formats, self.rate = port, kind, serial, formats, rate
        self.scene = f"/run/scene-{port}"
        self.process = None

    def plug_in(self, scene):
        """Plugs it in and waits for its node."""
        self.show(scene)
        before = nodes()
        words = [self.port, self.kind, self.serial, self.rate, self.scene, *self.formats]
        self.process = subprocess.Popen(["/checks/usb-camera", *map(str, words)])
        # The picture's node and the one for what the driver adds about it.
        wait_for(lambda: len(nodes()) >= len(before) + 2)
        return self.node()

    def pull_out(self):
        """Pulls the plug; the node vanishes."""
        self.process.kill()
        self.process.wait()
        return wait_for(lambda: self.node() is None)

    def show(self, scene):
        """Shows a folder of REELS from the next frame on; one without reels makes the camera hang."""
        os.makedirs(f"{REELS}/{scene}", exist_ok=True)
        os.symlink(f"{REELS}/{scene}", self.scene + ".new")
        os.replace(self.scene + ".new", self.scene)

    def node(self):
        """The node that gives its pictures, or None."""
        for name in nodes():
            place = os.path.realpath(f"/sys/class/video4linux/{name}/device/..")
            if read(f"{place}/serial") == self.serial and read(f"/sys/class/video4linux/{name}/index") == "0":
                return f"/dev/{name}"
        return None


def nodes():
    """Names of all video nodes."""
    return sorted(os.path.basename(path) for path in glob.glob("/sys/class/video4linux/video*"))


def read(path):
    """The first line of a file of the kernel; empty where there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.readline().strip()
    except OSError:
        return ""


def load(*drivers):
    """Loads drivers."""
    for driver in drivers:
        subprocess.run(["modprobe", *driver.split()], check=True)


def unload(driver):
    """Takes a driver away."""
    subprocess.run(["modprobe", "-r", driver], check=True)
