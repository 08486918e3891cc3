# SPDX-License-Identifier: Apache-2.0
"""What the scenarios play on: throw-away accounts, a PAM service, settings, state, and the frames before the camera.

It runs inside Tests/demo/private-namespace, so /etc, /run, /var/lib and the installation are private copies.
"""
import os
import shutil
import sqlite3
import subprocess

SERVICE = "secondlook-demo"
PASSWORDS = {"demo-man": "correct horse", "demo-guest": "battery staple", "alice": "wonder land"}
STATE = "/var/lib/secondlook"
# The number of the worker's user where the machine has none yet.
WORKER = 4499


class Scene:
    """The folders of one run."""

    def __init__(self, prefix, clips):
        self.clips = clips
        self.code = None
        self.root = os.environ["SCENE"]
        self.libexec = f"{prefix}/libexec/secondlook"
        self.models = f"{self.libexec}/models"
        self.command = f"{prefix}/bin/secondlook"
        self.module = f"{prefix}/lib/security/pam_secondlook.so"
        self.control = f"{self.libexec}/replay.control"
        self.enrolled = f"{self.root}/enrolled"

    def has_passive_network(self):
        """Whether the passive network is installed."""
        return os.path.exists(f"{self.models}/liveness.onnx")

    def set_up(self):
        """Accounts, service and folders; nobody is enrolled yet."""
        make_accounts()
        os.makedirs(STATE, mode=0o700, exist_ok=True)
        os.makedirs("/etc/secondlook", mode=0o755, exist_ok=True)
        os.makedirs("/run/secondlook", mode=0o755, exist_ok=True)
        self.write_service("")
        self.write_settings("")
        # The documents switch the look on for sudo, which a bare machine has not.
        if not os.path.exists("/etc/pam.d/sudo"):
            with open("/etc/pam.d/sudo", "w", encoding="utf-8") as file:
                file.write("@include common-auth\n@include common-account\n")

    def prepare(self):
        """Makes the models ready for this processor, as an installation does."""
        code, _, error = self.run_command("models", "prepare")
        if code != 0:
            raise RuntimeError(f"models prepare: {error.strip()}")

    def write_service(self, arguments):
        """The PAM service that pamtester asks; nothing but the module decides."""
        with open(f"/etc/pam.d/{SERVICE}", "w", encoding="utf-8") as file:
            file.write(f"auth required {self.module} {arguments}\naccount required pam_permit.so\n")

    def write_settings(self, text):
        """The settings file; empty means the defaults."""
        with open("/etc/secondlook/secondlook.conf", "w", encoding="utf-8") as file:
            file.write(text)

    def show(self, clip, mode="clip", repeat=True, infrared="none"):
        """What the camera will see: `clip` as it is, or a head or a photograph drawn from it."""
        with open(self.control, "wb") as file:
            file.write(bytes(64))
        self.show_next(clip, mode, repeat, infrared)

    def show_next(self, clip, mode="clip", repeat=True, infrared="none"):
        """What the next worker will see; one that runs already is not disturbed."""
        with open(f"{self.libexec}/replay.conf", "w", encoding="utf-8") as file:
            file.write(f"frames={self.clips}/{clip}.rgb\nwidth=640\nheight=480\nrate=30\nmode={mode}\n")
            file.write(f"repeat={'yes' if repeat else 'no'}\ncontrol={self.control}\n")
            file.write(f"infrared={infrared}\n")

    def turn(self, direction):
        """Tells the drawn head where to turn."""
        with open(self.control, "r+b") as file:
            file.write(direction.encode().ljust(16, b"\0"))

    def keep(self):
        """Remembers the state as it is now, for `forget`; the prepared models stay where they are."""
        subprocess.run(["cp", "-a", STATE, self.enrolled], check=True)
        shutil.rmtree(f"{self.enrolled}/prepared", ignore_errors=True)

    def forget(self):
        """Puts the state back to what it was after the enrolment."""
        subprocess.run(["find", STATE, "-mindepth", "1", "-maxdepth", "1", "!", "-name", "prepared", "-exec", "rm", "-rf",
                        "{}", "+"], check=True)
        subprocess.run(["cp", "-a", f"{self.enrolled}/.", STATE], check=True)

    def misses(self, user):
        """How many refusals are counted against a user."""
        database = sqlite3.connect(f"file:{STATE}/secondlook.db?mode=ro", uri=True)
        try:
            row = database.execute("SELECT misses FROM tallies WHERE user=?", (user,)).fetchone()
        finally:
            database.close()
        return row[0] if row else 0

    def run_command(self, *words, environment=None):
        """Runs the admin command; returns (exit code, output, error output)."""
        done = subprocess.run([self.command, *words], capture_output=True, text=True, timeout=120, check=False,
                              stdin=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
        return done.returncode, done.stdout, done.stderr


def hashed(password):
    """The password's SHA-512 hash; perl-base is part of every Debian."""
    script = 'print crypt($ARGV[0], q($6$secondlook$))'
    return subprocess.run(["perl", "-e", script, password], check=True, capture_output=True, text=True).stdout


def make_accounts():
    """Adds the throw-away users and the worker's own to the copies of the account files."""
    lines = {"/etc/passwd": [], "/etc/group": [], "/etc/shadow": []}
    users = [(name, 4500 + index, hashed(password)) for index, (name, password) in enumerate(PASSWORDS.items())]
    with open("/etc/passwd", encoding="utf-8", errors="replace") as file:
        if not any(line.startswith("_secondlook:") for line in file):
            users.append(("_secondlook", WORKER, "!"))
    for name, number, secret in users:
        lines["/etc/passwd"].append(f"{name}:x:{number}:{number}::/nonexistent:/usr/sbin/nologin\n")
        lines["/etc/group"].append(f"{name}:x:{number}:\n")
        lines["/etc/shadow"].append(f"{name}:{secret}:19000:0:99999:7:::\n")
    for path, more in lines.items():
        with open(path, "a", encoding="utf-8") as file:
            file.writelines(more)
