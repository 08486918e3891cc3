# SPDX-License-Identifier: Apache-2.0
"""Callers that are not root, through the socket that the service manager would hold: a user passes as himself only.

Runs inside Tests/demo/private-namespace and prints lines like scenarios.py.
"""
import os
import socket
import struct
import subprocess
import sys
import time

import pamtester
from scene import PASSWORDS, SERVICE, Scene
from scenarios import report, without

MAN, GUEST = "demo-man", "demo-guest"
SOCKET = "/run/secondlook/secondlook.sock"


def as_user(number, action):
    """Runs `action` in a child that has become this user; returns the word it came to."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        word = "the test failed"
        try:
            os.setgroups([])
            os.setgid(number)
            os.setuid(number)
            word = action()
        finally:
            os.write(write, word.encode())
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        word = pipe.read().decode()
    os.waitpid(pid, 0)
    return word


def field(text):
    """A text of the protocol."""
    return struct.pack(">H", len(text)) + text.encode()


def raw(payloads):
    """Sends frames over the socket by hand; returns the outcome's letter, or what happened instead."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(20)
        connection.connect(SOCKET)
        for kind, payload in payloads:
            connection.sendall(struct.pack(">BBH", 1, kind, len(payload)) + payload)
        received = b""
        try:
            while part := connection.recv(4096):
                received += part
        except ConnectionError:
            pass
    return chr(received[-1]) if received[-5:-1] == b"\x01\x84\x00\x01" else "no verdict"


def begin(user):
    """A `begin` of factor=face for this user."""
    fields = b"".join(field(text) for text in (user, SERVICE, "", "", ""))
    return 0x01, struct.pack(">BI", 1, 20000) + fields


def table(man):
    """(name, expected, user that calls, what it does, and perhaps what is missing)."""
    def ask(user, password):
        return lambda: pamtester.run(SERVICE, user, password).outcome
    return [
        ("a user as himself", "accepted", man, ask(MAN, PASSWORDS[MAN])),
        ("a user as himself, wrong password", "refused", man, ask(MAN, "wrong")),
        ("a user as himself, worker missing", "not judged", man, ask(MAN, PASSWORDS[MAN]), "secondlook-vision"),
        ("a user as another user", "fault", man, ask(GUEST, PASSWORDS[GUEST])),
        ("a user as root", "fault", man, ask("root", "x")),
        ("another user as the enrolled one", "fault", man + 1, ask(MAN, PASSWORDS[MAN])),
        ("raw bytes: another user", "F", man, lambda: raw([begin(GUEST)])),
        ("raw bytes: root", "F", man, lambda: raw([begin("root")])),
        ("raw bytes: no such user", "F", man, lambda: raw([begin("nobody-here")])),
        ("raw bytes: a secret first", "F", man, lambda: raw([(0x02, b"x")])),
        ("raw bytes: an unknown type", "F", man, lambda: raw([(0x77, b"")])),
        ("root through the socket", "accepted", 0, lambda: raw([begin(MAN)])),
    ]


def main():
    """Plays the table."""
    prefix, clips = sys.argv[1:]
    scene = Scene(prefix, clips)
    scene.set_up()
    scene.show("man-enrol")
    code, _, error = scene.run_command("enroll", MAN, "--quick")
    if code != 0:
        print(f"enrolment failed: {error}\n0 passed, 1 failed, 0 skipped")
        return 1
    scene.keep()
    here = os.path.dirname(os.path.abspath(__file__))
    service = subprocess.Popen(
        [f"{here}/socket-service", f"{scene.libexec}/secondlook-helper", SOCKET], stdout=subprocess.PIPE)
    service.stdout.readline()
    passed = failed = 0
    try:
        with open("/etc/passwd", encoding="utf-8") as file:
            man = next(int(line.split(":")[2]) for line in file if line.startswith(MAN + ":"))
        for name, expected, number, action, *missing in table(man):
            scene.forget()
            if scene.has_passive_network():
                scene.show("man-login")
            else:
                scene.show("man-login", mode="clip")
                expected = {"accepted": "refused", "A": "R"}.get(expected, expected)
            began = time.monotonic()
            undo = [without(file)(scene) for file in missing]
            got = as_user(number, action)
            for step in undo:
                step()
            got = {"A": "accepted", "R": "refused"}.get(got, got)
            report(name, expected, got, began)
            passed, failed = (passed + 1, failed) if got == expected else (passed, failed + 1)
    finally:
        service.kill()
        service.wait()
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
