# SPDX-License-Identifier: Apache-2.0
"""Runs the commands that the documents show, in the private namespace, so that no document can promise what does not work.

Commands stand in fenced blocks marked `sh`. `secondlook ...` is run for the throw-away user alice and must end with 0, or
with N where the line ends in `# exit N`. Of `make TARGET` the target must exist. Anything else fails, unless the fence says
`sh not-run`.
"""
import glob
import os
import re
import shlex
import subprocess

from follower import Follower


def commands(path):
    """(line number, command, expected exit code) of each command in a document that is to be run."""
    fence = None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("```"):
                fence = line.strip("`\n ") if fence is None else None
            elif fence == "sh":
                command, _, comment = line.strip().partition("#")
                expected = re.search(r"exit (\d)", comment)
                if command.strip():
                    yield number, command.strip(), int(expected.group(1)) if expected else 0


def run(scene, command):
    """The exit code of one command, and what it wrote to its error stream."""
    words = shlex.split(command)
    if words[0] == "sudo":
        words = words[1:]
    if words[0] == "make":
        done = subprocess.run(["make", "-n", *words[1:]], capture_output=True, text=True, check=False)
        return (0 if done.returncode == 0 else 1), done.stderr
    if words[0] == "secondlook":
        return run_secondlook(scene, words[1:])
    return -1, f"no rule for running '{words[0]}'"


def run_secondlook(scene, words):
    """The exit code of the command; before the camera sits somebody who does what is asked."""
    enrols = words[0] == "enroll" and not {"--quick", "--image"} & set(words)
    asks = enrols or (words[0] in ("verify", "test", "identify") and not scene.has_passive_network())
    scene.show("man-enrol" if words[0] == "enroll" else "man-login", "head" if asks else "clip")
    follower = Follower(scene, "rightly")
    child = subprocess.Popen([scene.command, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True)
    text = ""
    for line in child.stderr:
        text += line
        follower(text, child.pid)
    return child.wait(), text.strip().split("\n")[-1]


def check(scene):
    """Yields (document, number of commands, complaint or None)."""
    scene.forget()
    for path in sorted([*glob.glob("*.md"), *glob.glob("docs/*.md"), *glob.glob("Models/*.md")]):
        found = list(commands(path))
        if not found:
            continue
        complaint = None
        for number, command, expected in found:
            code, error = run(scene, command)
            if code != expected and complaint is None:
                complaint = f"{os.path.basename(path)}:{number}: '{command}' ended with {code}: {error.strip()[:200]}"
        yield path, len(found), complaint
