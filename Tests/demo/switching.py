# SPDX-License-Identifier: Apache-2.0
"""`secondlook pam`: the look is switched on at a service of its own, logs in and refuses through the real libpam, and is off again.

The stack is the machine's own `common-auth`, so pam_unix asks for the password and Second Look only looks.
"""
import os
import signal

import pamtester
import terminal
from scene import PASSWORDS, STATE

SERVICE = "demo-switch"
FILE = f"/etc/pam.d/{SERVICE}"
BEFORE = "# a service of the demo\n@include common-auth\naccount required pam_permit.so\n"
MAN = "demo-man"


def write(text):
    """The service's file."""
    with open(FILE, "w", encoding="utf-8") as file:
        file.write(text)


def read():
    """The same, read."""
    with open(FILE, encoding="utf-8") as file:
        return file.read()


def answered(scene, *words):
    """What the command printed; a failure is an error."""
    code, output, error = scene.run_command(*words)
    if code != 0:
        raise RuntimeError(f"{' '.join(words)}: exit {code}: {error.strip()}")
    return output


def expect(claim, got, expected):
    """Ends the scenario where something else came."""
    if got != expected:
        raise RuntimeError(f"{claim}: {got}, not {expected}")


def on_and_off(scene):
    """On, a login that is looked at, two that are refused, off, a login by the password alone."""
    write(BEFORE)
    answered(scene, "pam", "enable", SERVICE)
    line = f"auth\trequired\t{scene.module} factor=face\n"
    expect("the file", read(), BEFORE.replace("account", line + "account"))
    answered(scene, "pam", "status", SERVICE)
    scene.show("man-login")
    expect("his login", pamtester.run(SERVICE, MAN, PASSWORDS[MAN]).outcome, "accepted")
    scene.show("woman")
    expect("the login of another", pamtester.run(SERVICE, MAN, PASSWORDS[MAN]).outcome, "refused")
    expect("a wrong password", pamtester.run(SERVICE, MAN, "wrong").outcome, "refused")
    answered(scene, "pam", "disable", SERVICE)
    expect("the file afterwards", read(), BEFORE)
    expect("the password alone", pamtester.run(SERVICE, MAN, PASSWORDS[MAN]).outcome, "accepted")


def without_helper(scene):
    """Where the helper is missing nothing is switched on."""
    write(BEFORE)
    helper = f"{scene.libexec}/secondlook-helper"
    os.rename(helper, helper + ".away")
    try:
        code, _, error = scene.run_command("pam", "enable", SERVICE)
    finally:
        os.rename(helper + ".away", helper)
    expect("the exit code", code, 1)
    expect("the file", read(), BEFORE)
    if "cannot do its work here" not in error:
        raise RuntimeError(error)


def broken_off(scene):
    """A trial that is broken off changes nothing, leaves nothing, and shows again what is typed."""
    for end in (lambda shown: shown.key(b"\x03"), lambda shown: os.kill(shown.pid, signal.SIGTERM)):
        write(BEFORE)
        shown = terminal.Terminal([scene.command, "pam", "enable", SERVICE, "--trial", MAN])
        try:
            shown.await_shown(b"assword")
            end(shown)
            expect("the end", shown.tell(b"ended"), "ended 1")
            expect("what stty says", shown.modes(), shown.before)
        finally:
            shown.close()
        expect("the file", read(), BEFORE)
        expect("a private copy", os.path.exists(f"{STATE}/pam-trial"), False)


def check(scene, only=""):
    """Yields (name, result)."""
    rows = [("the look is switched on at a service, and off again", on_and_off),
            ("nothing is switched on without the helper", without_helper),
            ("a trial at the terminal is broken off", broken_off)]
    for name, step in rows:
        if only not in name:
            continue
        scene.forget()
        scene.write_settings("")
        try:
            step(scene)
            yield name, "done"
        except RuntimeError as error:
            yield name, str(error)
        finally:
            if os.path.exists(FILE):
                os.remove(FILE)
