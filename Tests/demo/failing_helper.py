# SPDX-License-Identifier: Apache-2.0
"""Every call of the helper's privileged path fails once, in a login that would succeed: it never does then, and never skips.

Runs inside Tests/demo/private-namespace; plays the module itself, as strictly as the real one: only the byte and the exit code together
are believed.

    failing_helper.py PREFIX [--start N] [--step N] [--seconds N]
"""
import argparse
import collections
import os
import re
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

from scene import PASSWORDS, SERVICE, STATE, Scene

MAN = "demo-man"
# Calls whose failure may still end in acceptance, by who calls (the object's file), what, and on what, with the reason why nothing is left
# out then. That is not only said: after each such acceptance the record has to be whole, and with the same call failing neither a wrong
# password nor another person may get in. Anything else that is accepted is a failure of this test.
OURS, SQLITE = r"secondlook-helper", r"libsqlite3\.so\.0"
DATABASE = re.escape(f"{STATE}/secondlook.db")
TOLERATED = [
    (OURS, "stat", r".*/libexec/secondlook(/libexec/swift.*|/bin.*|/swift-backtrace)?",
     "before main Swift's runtime looks for a program that draws traces of crashes, and does without; none is installed"),
    (OURS, "fstatat", rf"{re.escape(STATE)}(/key|/secondlook\.db|/prepared/.*)?|/run/secondlook|.*/models/liveness\.onnx|.*/libonnxruntime\.so",
     "only whether the name is there; a failure counts as there, and the opening that follows checks the file by its descriptor"),
    (OURS, "readlink", r".*/libonnxruntime\.so", "then it is taken for no link, and a link is refused when it is opened"),
    (OURS, "poll", r"anon_inode:\[pidfd\]", "the judge has decided; a worker that is not waited for any longer is killed"),
    (r"libsodium\.so\.23", "getrandom", "", "a trial whether the call is there; without it the bytes come from /dev/urandom"),
    (SQLITE, "unlock", DATABASE, "a lock kept too long keeps others out; closing the file releases it"),
    (SQLITE, "stat64", rf"{DATABASE}-wal|{DATABASE}-journal", "taken for not there; each transaction looks again"),
    (SQLITE, "f?stat64", rf"{DATABASE}(-journal)?", "a warning only about a file that was moved, or a journal that is then not reused"),
    (SQLITE, "open64|fdatasync", re.escape(STATE),
     "the folder's entry may be lost by a power cut: the last transaction is then undone, as if the power had failed before it"),
    (SQLITE, "open64|read", "/dev/urandom", "numbers that only tell one journal from another; clock and process number stand in"),
]


def tolerated(caller, name, target):
    """Whether an acceptance is foreseen after this call failed."""
    return any(re.fullmatch(one, caller) and re.fullmatch(two, name) and re.fullmatch(three, target)
               for one, two, three, _ in TOLERATED)


def compile_parts(folder):
    """Builds the preloaded library and the invented workers."""
    here = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Helper")
    library = f"{folder}/failures.so"
    flags = ["cc", "-std=gnu11", "-O1", "-Wall", "-Wextra"]
    subprocess.run([*flags, "-shared", "-fPIC", f"{here}/failures.c", "-o", library, "-ldl"], check=True)
    for name, more in (("worker", []), ("stranger", ["-DSTRANGER"])):
        subprocess.run([*flags, *more, f"{here}/worker.c", "-o", f"{folder}/{name}", "-lm"], check=True)
    return library


def frame(kind, payload):
    """A frame of the protocol."""
    return struct.pack(">BBH", 1, kind, len(payload)) + payload


def attempt(helper, environment, password=PASSWORDS[MAN]):
    """One login; returns (what a module would believe, notices)."""
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    process = subprocess.Popen([helper], stdin=far, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    far.close()
    near.settimeout(30)
    texts = b"".join(struct.pack(">H", len(text)) + text for text in (MAN.encode(), SERVICE.encode(), b"", b"", b""))
    buffer, byte = b"", None
    try:
        near.sendall(frame(0x01, struct.pack(">BI", 0, 20000) + texts))
        while byte is None:
            part = near.recv(4096)
            if not part:
                break
            buffer += part
            while len(buffer) >= 4 and len(buffer) >= 4 + int.from_bytes(buffer[2:4], "big"):
                size = 4 + int.from_bytes(buffer[2:4], "big")
                kind, payload, buffer = buffer[1], buffer[4:size], buffer[size:]
                if kind == 0x81 and payload[0] == 1:
                    near.sendall(frame(0x02, password.encode()))
                if kind == 0x84:
                    byte = payload[0]
    except OSError:
        pass
    near.close()
    try:
        code = process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return "hangs"
    return chr(byte) if byte is not None and byte == code else "fault"


class Trial:
    """Logins with one failing call each."""

    def __init__(self, scene, folder):
        self.scene = scene
        self.folder = folder
        self.library = compile_parts(folder)
        self.helper = f"{scene.libexec}/secondlook-helper"
        self.log = f"{folder}/log"

    def use(self, worker):
        """Which of the invented workers the helper starts."""
        subprocess.run(["install", "-m", "755", f"{self.folder}/{worker}", f"{self.scene.libexec}/secondlook-vision"], check=True)

    def fail(self, number, password=PASSWORDS[MAN]):
        """One login in which call `number` fails; (what a module would believe, who called what on what or nothing)."""
        self.scene.forget()
        if os.path.exists(self.log):
            os.unlink(self.log)
        environment = {"LD_PRELOAD": self.library, "SECONDLOOK_FAIL": str(number), "SECONDLOOK_FAIL_LOG": self.log}
        word = attempt(self.helper, environment, password)
        if not os.path.exists(self.log):
            return word, None
        with open(self.log, encoding="utf-8") as file:
            return word, tuple(file.read().split("\t"))

    def is_recorded(self):
        """Whether the acceptance is the one row of a whole record, and nothing is left charged."""
        database = sqlite3.connect(f"file:{STATE}/secondlook.db?mode=ro", uri=True)
        try:
            rows = database.execute("SELECT user, outcome FROM attempts").fetchall()
            pending = database.execute("SELECT count(*) FROM pending").fetchone()[0]
        finally:
            database.close()
        return rows == [(MAN, ord("A"))] and pending == 0 and self.scene.run_command("log", "--verify")[0] == 0

    def lets_anybody_else_in(self, number):
        """Whether the same failure lets a wrong password or another person in."""
        if self.fail(number, "wrong")[0] in "AI":
            return True
        self.use("stranger")
        word, _ = self.fail(number)
        self.use("worker")
        return word in "AI"

    def judge(self, number, word, call):
        """What is wrong with this outcome; nothing when all is well."""
        if word == "hangs":
            return "hangs"
        if word not in "AI":
            return None
        if word == "I" or not tolerated(*call):
            return word
        if not self.is_recorded():
            return "accepted without a whole record"
        return "lets somebody else in" if self.lets_anybody_else_in(number) else None


def main():
    """Lets call 1, 2, 3 ... fail until a login has fewer calls than that, or until the time is over."""
    parser = argparse.ArgumentParser()
    parser.add_argument("prefix")
    parser.add_argument("--start", type=int, default=1)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3600)
    options = parser.parse_args()
    scene = Scene(options.prefix, "/nowhere")
    scene.set_up()
    if not scene.has_passive_network():
        print("SKIPPED: the passive network is not installed, so that no login succeeds without a challenge")
        return 0
    trial = Trial(scene, tempfile.mkdtemp())
    trial.use("worker")
    code, _, error = scene.run_command("enroll", MAN, "--quick")
    if code != 0:
        print(f"enrolment failed: {error}")
        return 1
    scene.keep()
    if (word := attempt(trial.helper, {})) != "A" or not trial.is_recorded():
        print(f"without a failure the login is {word}, not accepted and recorded")
        return 1
    outcomes, wrong, accepted, number = collections.Counter(), [], collections.Counter(), options.start
    end = time.monotonic() + options.seconds
    while number < 5000 and time.monotonic() < end:
        word, call = trial.fail(number)
        if call is None:
            break
        outcomes[word] += 1
        if word == "A":
            accepted[" ".join(call)] += 1
        if problem := trial.judge(number, word, call):
            wrong.append(f"call {number}, {' '.join(call)}: {problem}")
        number += options.step
    for line in wrong:
        print(f"FAILED  {line}")
    for line, count in sorted(accepted.items()):
        print(f"accepted {count} times although failed: {line}")
    print(f"{sum(outcomes.values())} of {number - 1} calls failed once each: {dict(outcomes)}; {len(wrong)} wrong")
    return 1 if wrong or outcomes["F"] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
