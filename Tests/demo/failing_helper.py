# SPDX-License-Identifier: Apache-2.0
"""Every call of the helper's privileged path fails once, in a login that would succeed: it never does then, and never skips.

Runs inside Tests/demo/private-namespace; plays the module itself, as strictly as the real one: only the byte and the exit code together
are believed.

    failing_helper.py PREFIX [--step N]
"""
import argparse
import collections
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile

from scene import PASSWORDS, SERVICE, Scene

MAN = "demo-man"
# What may fail without harm, with the reason. Anything else that is accepted is a failure of this test.
HARMLESS = {
    "sigaction": "signals that the C library keeps refuse anyway; SIGPIPE is also kept away call by call",
    "fdatasync": "SQLite does not report a failed sync of a folder",
    "fsync": "the same",
    "open64": "the same: it is for that that SQLite opens the folder",
    "stat": "the loader looks for its cache",
    "stat64": "SQLite looks whether a file is there that it then does without",
    "fstat64": "SQLite only warns of a file that was moved",
    "readlink": "SQLite falls back on the path as it was given",
    "fcntl64": "SQLite tells a broken lock from a held one by asking again",
    "getrandom": "libsodium asks again",
    "poll": "the end of the worker is not waited for any longer",
}


def compile_parts(folder):
    """Builds the preloaded library and the invented worker."""
    here = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Helper")
    library, worker = f"{folder}/failures.so", f"{folder}/worker"
    subprocess.run(["cc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-shared", "-fPIC", f"{here}/failures.c", "-o", library,
                    "-ldl"], check=True)
    subprocess.run(["cc", "-std=gnu11", "-O1", "-Wall", "-Wextra", f"{here}/worker.c", "-o", worker, "-lm"], check=True)
    return library, worker


def frame(kind, payload):
    """A frame of the protocol."""
    return struct.pack(">BBH", 1, kind, len(payload)) + payload


def attempt(helper, environment):
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
                    near.sendall(frame(0x02, PASSWORDS[MAN].encode()))
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


def main():
    """Lets call 1, 2, 3 ... fail until a login has fewer calls than that."""
    parser = argparse.ArgumentParser()
    parser.add_argument("prefix")
    parser.add_argument("--step", type=int, default=1)
    options = parser.parse_args()
    scene = Scene(options.prefix, "/nowhere")
    scene.set_up()
    if not scene.has_passive_network():
        print("SKIPPED: the passive network is not installed, so that no login succeeds without a challenge")
        return 0
    folder = tempfile.mkdtemp()
    library, worker = compile_parts(folder)
    subprocess.run(["install", "-m", "755", worker, f"{scene.libexec}/secondlook-vision"], check=True)
    code, _, error = scene.run_command("enroll", MAN)
    if code != 0:
        print(f"enrolment failed: {error}")
        return 1
    helper, log = f"{scene.libexec}/secondlook-helper", f"{folder}/log"
    scene.keep()
    if (word := attempt(helper, {})) != "A":
        print(f"without a failure the login is {word}, not accepted")
        return 1
    outcomes, wrong, number = collections.Counter(), [], 1
    while number < 5000:
        scene.forget()
        if os.path.exists(log):
            os.unlink(log)
        word = attempt(helper, {"LD_PRELOAD": library, "SECONDLOOK_FAIL": str(number), "SECONDLOOK_FAIL_LOG": log})
        if not os.path.exists(log):
            break
        with open(log, encoding="utf-8") as file:
            name = file.read()
        outcomes[word] += 1
        if word in "AI" and name not in HARMLESS or word == "hangs":
            wrong.append(f"call {number}, {name}: {word}")
        number += options.step
    for line in wrong:
        print(f"FAILED  {line}")
    print(f"{sum(outcomes.values())} of {number - 1} calls failed once each: {dict(outcomes)}; {len(wrong)} wrong")
    return 1 if wrong or number < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
