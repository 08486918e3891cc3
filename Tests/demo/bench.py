# SPDX-License-Identifier: Apache-2.0
"""Measures the installed programs: start of the helper, loading of the worker, one login, memory, many users, the module's size.

Prints JSON lines, writes them to a file, and compares them with such a file of an earlier run. It times nothing that a test depends on.
"""
import argparse
import json
import os
import pwd
import re
import socket
import struct
import subprocess
import sys
import threading
import time

import pamtester
from figures import Figures
from scenarios import MAN
from scene import PASSWORDS, SERVICE, STATE, Scene

STARTS, LOADS, LOGINS, COLD = 51, 11, 11, 5
# A fast typist: what a login does meanwhile is not waited for.
TYPING = 0.6


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


def processor_of_all_threads(pid):
    """The same of all threads, also of those that have ended; nanoseconds where the kernel tells them, else ticks of 10 ms."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


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


def worker_loaded(worker, files):
    """Milliseconds of processor time, and of the clock, from starting the worker to its `hello`."""
    ours, theirs = socket.socketpair()
    numbers = {role: 4 + index for index, role in enumerate(files)}
    redirections = " ".join(f"{numbers[role]}<{path}" for role, path in files.items())
    account = pwd.getpwnam("_secondlook")
    words = " ".join(f"{role}={number}" for role, number in numbers.items()) + f" uid={account.pw_uid} gid={account.pw_gid}"
    line = f"exec {worker} {words} 3<&0 {redirections} 0</dev/null"
    began = time.perf_counter()
    child = subprocess.Popen(["/bin/sh", "-c", line], stdin=theirs, env={}, cwd="/")
    theirs.close()
    head = ours.recv(4096)
    took = (time.perf_counter() - began) * 1000
    spent = processor_of_all_threads(child.pid)
    if head[1:2] != b"\x91":
        raise RuntimeError(f"the worker said {head!r}, not hello")
    ours.close()
    child.wait(timeout=10)
    return spent, took


def model_files(libexec, models):
    """Runtime and models as they were installed, by role."""
    files = {"runtime": f"{libexec}/libonnxruntime.so"}
    files.update({role: f"{models}/{role}.onnx" for role in ("detector", "recogniser", "liveness")
                  if os.path.exists(f"{models}/{role}.onnx")})
    return files


def prepared_files(scene):
    """The same as prepared for this processor."""
    with open(f"{STATE}/prepared/prepared.json", encoding="utf-8") as file:
        made = {model["role"]: f"{STATE}/prepared/{model['file']}" for model in json.load(file)["models"]}
    return {"runtime": f"{scene.libexec}/libonnxruntime.so", **made}


def forget(path):
    """Drops a file's pages from the kernel's memory, where nobody uses them."""
    number = os.open(path, os.O_RDONLY)
    os.posix_fadvise(number, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(number)


def loading(scene, release, figures):
    """The worker up to its `hello`: models prepared and as they are, and read from the disk."""
    installed = model_files(scene.libexec, scene.models)
    for name, files, bound in (("", prepared_files(scene), 120), (", models as they are", installed, 250)):
        loads = [worker_loaded(f"{scene.libexec}/secondlook-vision", files) for _ in range(LOADS)]
        figures.say(f"worker, start to models loaded{name}, processor time", [load[0] for load in loads], "ms", bound)
        figures.say(f"worker, start to models loaded{name}, time of the clock", [load[1] for load in loads], "ms", 120 if not name else None)
    # The scene lies in memory; the same files on the disk are those of the build.
    disk = os.path.dirname(release.rstrip("/")) + "/../build"
    files = model_files(f"{disk}/models", f"{disk}/models")
    cold = []
    for _ in range(COLD):
        for path in [*files.values(), f"{release}/secondlook-vision"]:
            forget(path)
        cold.append(worker_loaded(f"{release}/secondlook-vision", files)[1])
    figures.say("worker, start to models loaded, cold, models as they are, time of the clock", cold, "ms")


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
    """Reads the highest resident size of helper and worker while a login runs, and what of it is their own."""

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
                sizes = {line.split(":")[0]: int(line.split()[1]) for line in file if line.startswith(("VmHWM", "RssAnon"))}
            high = sizes.get("VmHWM", 0) - mapped_clip(child)
        except OSError:
            return
        for key, size in ((name, high), (name + " own", sizes.get("RssAnon", 0))):
            self.peaks[key] = max(self.peaks.get(key, 0), size / 1024)


def logins(scene, figures):
    """Accepted logins: processor time of all processes, time of the clock, memory."""
    spent, took, answered = [], [], []
    scene.forget()
    scene.show("man-login")
    # The first of a boot proves the models by their hashes; that it did is remembered.
    first = pamtester.run(SERVICE, MAN, PASSWORDS[MAN])
    for _ in range(LOGINS):
        run = pamtester.run(SERVICE, MAN, PASSWORDS[MAN], typing=TYPING)
        if run.outcome != "accepted":
            raise RuntimeError(f"the login to measure was {run.outcome}: {run.text}")
        spent.append(run.processor_milliseconds)
        took.append(run.milliseconds - TYPING * 1000)
        answered.append(run.answer_milliseconds)
    watch = Peaks(scene)
    watch.start()
    pamtester.run(SERVICE, MAN, PASSWORDS[MAN], watch)
    watch.ended.set()
    peaks = watch.peaks
    figures.say("login, processor time of all processes", spent, "ms", 150)
    figures.say("login, the first after a boot, processor time", first.processor_milliseconds, "ms")
    figures.say("login, time of the clock without typing", took, "ms")
    figures.say("login, password typed to verdict", answered, "ms", 450)
    figures.say("helper, peak memory", peaks.get("secondlook-helper", 0), "MB", 16)
    figures.say("worker, peak memory", peaks.get("secondlook-vision", 0), "MB", 110)
    figures.say("worker, peak memory of its own", peaks.get("secondlook-vision own", 0), "MB")


def stages(words, figures, bounds):
    """What secondlook-evaluate measures, on one core: processor time, so that load does not count."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        one = json.loads(line)
        spread = (one["cpu_p90_ms"] - one["cpu_least_ms"]) / 2 / max(one["cpu_median_ms"], 1e-6)
        more = {key: one[key] for key in ("rows", "users", "same") if key in one}
        figures.say(f"stage {one['stage']}, processor time", one["cpu_median_ms"], "ms", bounds.get(one["stage"]),
                    clock=round(one["median_ms"], 2), runs=one["runs"], spread=round(spread, 3), **more)
    if done.returncode != 0:
        figures.say(f"stages of {words[1]}", 0, "ms", error=done.stderr.strip())


def many_users(scene, evaluate, figures):
    """A gallery of 100,000 templates, and a store of 10,000 users: in steps, and by the installed command."""
    stages([evaluate, "bench-gallery"], figures, {"gallery-nearest": 15})
    folder = f"{scene.root}/many"
    bounds = {"store-list": 50, "store-enrol": 50, "store-login": 50}
    stages([evaluate, "bench-store", "--folder", folder], figures, bounds)
    scene.forget()
    for name in ("secondlook.db", "key"):
        os.remove(f"{STATE}/{name}")
        subprocess.run(["cp", "-a", f"{folder}/{name}", f"{STATE}/{name}"], check=True)
    spent, took, ready = [], [], []
    for _ in range(LOADS):
        before, began = pamtester.children_processor(), time.perf_counter()
        code, output, error = scene.run_command("list")
        took.append((time.perf_counter() - began) * 1000)
        spent.append((pamtester.children_processor() - before) * 1000)
        if code != 0 or len(output.splitlines()) < 10_000:
            raise RuntimeError(f"list: {error.strip() or output[:200]}")
        ready.append(helper_ready(scene)[1])
    figures.say("10,000 users, `secondlook list`, processor time", spent, "ms", 50)
    figures.say("10,000 users, `secondlook list`, time of the clock", took, "ms")
    figures.say("10,000 users, helper, start to ready, processor time", ready, "ms", 50)
    scene.forget()


def main():
    """Everything once."""
    parser = argparse.ArgumentParser()
    for name in ("prefix", "clips", "release", "models", "out"):
        parser.add_argument(name)
    parser.add_argument("base", nargs="?", help="the file of an earlier run")
    options = parser.parse_args()
    figures = Figures()
    scene = Scene(options.prefix, options.clips)
    scene.set_up()
    scene.show("man-enrol")
    scene.prepare()
    code, _, error = scene.run_command("enroll", MAN, "--quick")
    if code != 0:
        sys.exit(f"bench: cannot enrol: {error.strip()}")
    scene.keep()
    # As on every login but the first of a boot, which proves the models by their hashes (`logins` measures that one by itself).
    scene.show("man-login")
    pamtester.run(SERVICE, MAN, PASSWORDS[MAN])
    starts = [helper_ready(scene) for _ in range(STARTS)]
    figures.say("helper, start to ready for the secret", [start[0] for start in starts], "ms", 5)
    figures.say("helper, start to ready for the secret, processor time", [start[1] for start in starts], "ms")
    loading(scene, options.release, figures)
    evaluate = f"{options.release}/secondlook-evaluate"
    stages([evaluate, "bench-stages", "--models", options.models, "--picture", os.path.join(options.clips, "man-login.png")],
           figures, {"detect": 3, "passive": 4, "embed": 20})
    logins(scene, figures)
    many_users(scene, evaluate, figures)
    figures.say("module, size of the file", os.path.getsize(scene.module) / 1024, "KB", 48)
    figures.write(options.out)
    if options.base:
        figures.compare(options.base)


if __name__ == "__main__":
    main()
