# SPDX-License-Identifier: Apache-2.0
"""The installed product on this machine: what a package does after its files, the PAM stacks of its examples, settings, and what it recorded."""
import json
import re
import subprocess

from terminal import PASSWORD, USER

SETTINGS = "/etc/secondlook/secondlook.conf"
EXAMPLES = "/usr/share/doc/secondlook/examples"
# The webcam's plug is software, and the product says so: it has to be allowed here.
ALLOWED = "allow_virtual_cameras = yes\n"


def install():
    """A user, the worker's user, and the module in the stacks of sudo and login."""
    tell("sh", "/checks/prepare-machine")
    write("/etc/hosts", "127.0.0.1 localhost camera\n")
    tell("useradd", "--create-home", "--shell", "/bin/sh", USER)
    tell("chpasswd", text=f"{USER}:{PASSWORD}\n")
    write(f"/etc/sudoers.d/{USER}", f"{USER} ALL=(ALL) ALL\nDefaults passwd_tries=1, !lecture\n")
    write("/etc/pam.d/sudo", read(f"{EXAMPLES}/sudo.example"))
    looks = [line for line in read(f"{EXAMPLES}/face-after-unix.example").splitlines() if line.startswith("auth")]
    stack = read("/etc/pam.d/login")
    assert "@include common-auth" in stack
    # Debian's own stack, with the example's lines in the place of the password's; without the pause after a failure.
    stack = stack.replace("@include common-auth", "\n".join(looks))
    write("/etc/pam.d/login", re.sub(r"(?m)^.*pam_faildelay.*$", "", stack))


def settings(text):
    """Writes the settings file."""
    write(SETTINGS, text)


def command(*words, limit=120):
    """Runs the admin command: (exit code, output and error output)."""
    done = subprocess.run(["secondlook", *words], capture_output=True, text=True, check=False, timeout=limit,
                          stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout + done.stderr


def last():
    """The newest attempt's record."""
    code, text = command("log", "--json", "--limit", "1")
    attempts = json.loads(text) if code == 0 else []
    return attempts[0] if attempts else {"outcome": "none", "reason": "none", "detail": text, "milliseconds": 0}


def forget():
    """What earlier checks made count is taken back."""
    command("unlock", USER)


def tell(*words, text=None):
    """Runs a program of the system, which has to succeed."""
    subprocess.run(words, check=True, input=text, text=True, capture_output=True)


def read(path):
    """A file's text."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    """Replaces a file's text."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
