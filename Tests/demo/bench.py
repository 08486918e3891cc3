# SPDX-License-Identifier: Apache-2.0
"""Measures the installed programs: start of the helper, loading of the worker, one login, memory, the module's size.

Prints JSON lines. It times nothing that a test depends on.
"""
import json
import os
import pwd
import re
import socket
import statistics
import struct
import subprocess
import sys
import threading
import time

import pamtester
from scenarios import MAN
from scene import PASSWORDS, SERVICE, Scene

STARTS, LOGINS = 51, 7


def say(name, value, unit, bound=None, **more):
    """One JSON line."""
    line = {"name": name, "value": round(value, 2), "unit": unit}
    if bound is not None:
        line.update(bound=bound, met=value <= bound)
    line.update(more)
    print(json.dumps(line), flush=True)


def frame(kind, payload):
    """A frame of either protocol (docs/protocol.md)."""
    return bytes([1, kind]) + struct.pack(">H", len(payload)) + payload


def text(value):
    """A text field."""
    return struct.pack(">H", len(value)) + value.encode()


def begin(user):
    """The module's first message."""
    fields = b"".join(text(field) for field in (user, SERVICE, "", "", ""))
    return frame(0x01, b"\0" + struct.pack(">I", 30_000) + fields)


def processor(pid):
    """Milliseconds that a process of one thread has spent on a processor."""
    with open(f"/proc/{pid}/schedstat", encoding="utf-8") as file:
        return int(file.read().split()[0]) / 1e6


def helper_ready(scene):
    """Milliseconds of the clock, and of processor time, from starting the helper to its `ready`."""
    ours, theirs = socket.socketpair()
    began = time.perf_counter()
    child = subprocess.Popen([f"{scene.libexec}/secondlook-helper"], stdin=theirs, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, env={})
    theirs.close()
    ours.sendall(begin(MAN))
    head = ours.recv(2)
    took = (time.perf_counter() - began) * 1000
    spent = processor(child.pid)
    if head[1:2] != b"\x81":
        raise RuntimeError(f"the helper said {head!r}, not ready")
    ours.close()
    child.wait(timeout=10)
    return took, spent


def worker_loaded(scene):
    """Milliseconds of processor time, and of the clock, from starting the worker to its `hello`."""
    ours, theirs = socket.socketpair()
    files = {"runtime": f"{scene.libexec}/libonnxruntime.so"}
    for role in ("detector", "recogniser", "liveness"):
        if os.path.exists(f"{scene.models}/{role}.onnx"):
            files[role] = f"{scene.models}/{role}.onnx"
    numbers = {role: 4 + index for index, role in enumerate(files)}
    redirections = " ".join(f"{numbers[role]}<{path}" for role, path in files.items())
    account = pwd.getpwnam("_secondlook")
    words = " ".join(f"{role}={number}" for role, number in numbers.items()) + f" uid={account.pw_uid} gid={account.pw_gid}"
    line = f"exec {scene.libexec}/secondlook-vision {words} 3<&0 {redirections} 0</dev/null"
    began = time.perf_counter()
    child = subprocess.Popen(["/bin/sh", "-c", line], stdin=theirs, env={}, cwd="/")
    theirs.close()
    head = ours.recv(4096)
    took = (time.perf_counter() - began) * 1000
    # Of all threads, those that have ended as well; in ticks of 10 ms.
    with open(f"/proc/{child.pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    spent = (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")
    if head[1:2] != b"\x91":
        raise RuntimeError(f"the worker said {head!r}, not hello")
    ours.close()
    child.wait(timeout=10)
    return spent, took


def mapped_clip(pid):
    """Kilobytes of a clip that are mapped and present."""
    inside = False
    with open(f"/proc/{pid}/smaps", encoding="utf-8") as file:
        for line in file:
            if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
                inside = line.rstrip().endswith(".rgb")
            elif inside and line.startswith("Rss:"):
                return int(line.split()[1])
    return 0


class Peaks(threading.Thread):
    """Reads the highest resident size of helper and worker while a login runs."""

    def __init__(self, scene):
        super().__init__(daemon=True)
        self.scene, self.peaks, self.pid, self.ended = scene, {}, None, threading.Event()

    def __call__(self, _text, pid):
        self.pid = pid

    def run(self):
        while not self.ended.wait(0.004):
            for child, path in pamtester.descendants(self.pid) if self.pid else []:
                if path.startswith(self.scene.libexec):
                    self.note(child, os.path.basename(path))

    def note(self, child, name):
        """Keeps the highest value seen; the clip that a replaying worker maps is not the product's memory."""
        try:
            with open(f"/proc/{child}/status", encoding="utf-8") as file:
                high = next((int(line.split()[1]) for line in file if line.startswith("VmHWM")), 0)
            high -= mapped_clip(child)
        except OSError:
            return
        self.peaks[name] = max(self.peaks.get(name, 0), high / 1024)


def logins(scene):
    """Accepted logins: processor time of all processes, time of the clock, memory."""
    spent, took = [], []
    scene.forget()
    scene.show("man-login")
    # The first of a boot proves the models by their hashes; that it did is remembered.
    first = pamtester.run(SERVICE, MAN, PASSWORDS[MAN])
    for _ in range(LOGINS):
        run = pamtester.run(SERVICE, MAN, PASSWORDS[MAN])
        if run.outcome != "accepted":
            raise RuntimeError(f"the login to measure was {run.outcome}: {run.text}")
        spent.append(run.processor_milliseconds)
        took.append(run.milliseconds)
    watch = Peaks(scene)
    watch.start()
    pamtester.run(SERVICE, MAN, PASSWORDS[MAN], watch)
    watch.ended.set()
    peaks = watch.peaks
    say("login, processor time of all processes", statistics.median(spent), "ms", 400)
    say("login, the first after a boot, processor time", first.processor_milliseconds, "ms")
    say("login, time of the clock", statistics.median(took), "ms")
    say("helper, peak memory", peaks.get("secondlook-helper", 0), "MB", 24)
    say("worker, peak memory", peaks.get("secondlook-vision", 0), "MB", 140)


def stages(models, release, picture):
    """One frame at 640x480 on one core, as secondlook-evaluate measures it: processor time, so that load does not count."""
    bounds = {"detect": 6, "passive": 8, "embed": 45}
    done = subprocess.run([f"{release}/secondlook-evaluate", "bench-stages", "--models", models,
                           "--picture", picture], capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        measured = json.loads(line)
        say(f"stage {measured['stage']}, processor time", measured["cpu_median_ms"], "ms",
            bounds.get(measured["stage"]), clock=round(measured["median_ms"], 2), runs=measured["runs"])
    if done.returncode != 0:
        say("stages", 0, "ms", error=done.stderr.strip())


def main():
    """Everything once."""
    scene = Scene(sys.argv[1], sys.argv[2])
    scene.set_up()
    scene.show("man-enrol")
    code, _, error = scene.run_command("enroll", MAN, "--quick")
    if code != 0:
        sys.exit(f"bench: cannot enrol: {error.strip()}")
    scene.keep()
    starts = [helper_ready(scene) for _ in range(STARTS)]
    say("helper, start to ready for the secret", statistics.median(start[0] for start in starts), "ms", 10,
        least=round(min(start[0] for start in starts), 2),
        processor=round(statistics.median(start[1] for start in starts), 2))
    loads = [worker_loaded(scene) for _ in range(11)]
    say("worker, start to models loaded, processor time", statistics.median(load[0] for load in loads), "ms", 250)
    say("worker, start to models loaded, time of the clock", statistics.median(load[1] for load in loads), "ms")
    stages(sys.argv[4], sys.argv[3], os.path.join(sys.argv[2], "man-login.png"))
    logins(scene)
    say("module, size of the file", os.path.getsize(scene.module) / 1024, "KB", 48)


if __name__ == "__main__":
    main()
