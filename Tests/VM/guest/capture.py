# SPDX-License-Identifier: Apache-2.0
"""The product's capture, behind the worker's walls, against devices that the kernel drives: every picture against the one that is played."""
import fcntl
import re
import struct
import subprocess

from camera import Webcam, load, nodes, unload
from report import check, wait_for

PROBE = "/checks/capture-probe"
# Mean absolute difference, of 255.
MOST = 12.0
COLOUR = ("YUYV", "UYVY", "NV12")
LUMINANCE = ("GREY", "Y10", "Y12", "Y16", "Y16-BE")
# Eight bars of full colour, as test pictures have had them since there is colour.
BARS = ((255, 255, 255), (255, 255, 0), (0, 255, 255), (0, 255, 0), (255, 0, 255), (255, 0, 0), (0, 0, 255), (0, 0, 0))
# By libv4lconvert.
CONVERTED = ("RGB3",)


def probe(*words):
    """What the probe says."""
    return subprocess.run([PROBE, *words], capture_output=True, text=True, check=False).stdout


def compare(node, code, reference, seconds=20):
    """One format of a node against a picture: (whether it is near enough, what the probe says)."""
    text = probe("compare", node, code, reference, str(seconds))
    found = re.search(r"^(.{4}(?:-BE)?) \d+x\d+ .*error ([\d.]+)", text, re.MULTILINE)
    near = found and (code == "any" or found[1].replace(" ", "") == code) and float(found[2]) < MOST
    return bool(near), (found[0] if found else text)


def webcam_formats(codes=("MJPG", "YUYV", "GREY", "NV12")):
    """The formats that uvcvideo passes through from the webcam's plug."""
    load("vhci-hcd", "uvcvideo")
    webcam = Webcam()
    node = webcam.plug_in("picture")
    listed = [line.split("|") for line in probe("list").splitlines() if line.startswith("/")]
    here = [line for line in listed if line[0] == node]
    check("the webcam is a colour camera of uvcvideo", bool(here) and here[0][3] == "colour", here)
    check("its plug of software is told", bool(here) and here[0][4] == "virtual", here)
    check("its node of metadata is no camera", any("not a camera" in line[5] for line in listed), listed)
    for code in codes:
        near, measured = compare(node, code, "/checks/picture.rgb")
        check(f"capture {code} of the webcam", near, measured)
    near, measured = compare(node, "any", "/checks/picture.rgb")
    check("capture chooses MJPG by itself", near and measured.startswith("MJPG"), measured)
    webcam.pull_out()


def drawn_formats():
    """Raw formats of the kernel's own test driver, which draws bars of known colours."""
    load("vivid n_devs=1 node_types=0x1 num_inputs=1 input_types=0")
    node = wait_for(lambda: nodes() and f"/dev/{nodes()[0]}")
    with open(node, "rb") as device:
        # Full bars, no text over them.
        control(device, 0x00F0F000, 1)
        control(device, 0x00F0F001, 2)
    for codes, height, colours in ((COLOUR, 360, BARS), (LUMINANCE, 360, luminance()), (CONVERTED, 480, BARS)):
        with open("/run/bars.rgb", "wb") as file:
            file.write(bytes(part for x in range(640) for part in colours[x // 80]) * height)
        for code in codes:
            near, measured = compare(node, code, "/run/bars.rgb")
            check(f"capture {code} of the kernel's test driver", near, measured)
    unload("vivid")


def luminance():
    """What the driver draws where there is no colour: it weighs the parts as high-definition television does."""
    return [(round(0.2126 * red + 0.7152 * green + 0.0722 * blue),) * 3 for red, green, blue in BARS]


def control(device, number, value):
    """VIDIOC_S_CTRL."""
    fcntl.ioctl(device, 0xC008561C, struct.pack("=Ii", number, value))
