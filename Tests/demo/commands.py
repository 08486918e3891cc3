# SPDX-License-Identifier: Apache-2.0
"""The admin command against good and bad input: the exit code, one line that names the thing, and nothing lost.

The worker, the store and the models are the real ones; pictures are single frames of the clips.
"""
import json
import os
import pty
import shutil
import signal
import sqlite3
import subprocess
import termios
import time

from scene import STATE

MAN = "demo-man"


class Trial:
    """One row: the words, the exit code, and what the output (or, for a failure, the one error line) must contain."""

    def __init__(self, name, words, code, contains, before=None, clip="man-enrol", unchanged=True, environment=None):
        self.name, self.words, self.code, self.contains = name, words, code, contains
        self.before, self.clip, self.unchanged, self.environment = before, clip, unchanged, environment


def write(path, content):
    """Writes a file for a trial."""
    with open(path, "wb") as file:
        file.write(content)


def change_database(statement):
    """A step that changes the store's file behind its back."""
    def step(_scene):
        database = sqlite3.connect(f"{STATE}/secondlook.db")
        database.execute(statement)
        database.commit()
        database.close()
        return lambda: None
    return step


def settings(text):
    """A step that writes the settings."""
    def step(scene):
        scene.write_settings(text)
        return lambda: scene.write_settings("")
    return step


def mode(path, bits, back):
    """A step that changes permission bits."""
    def step(_scene):
        os.chmod(path, bits)
        return lambda: os.chmod(path, back)
    return step


def owner(path, user):
    """A step that gives a file away."""
    def step(_scene):
        os.chown(path, user, user)
        return lambda: os.chown(path, 0, 0)
    return step


def full_disk(scene):
    """The store's file system has no room left."""
    saved = f"{scene.root}/state-before-full"
    subprocess.run(["cp", "-a", STATE, saved], check=True)
    # Too large for the small disk; the models are used as they are then.
    shutil.rmtree(f"{saved}/prepared", ignore_errors=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=700,size=128k", "full", STATE], check=True)
    subprocess.run(["cp", "-a", f"{saved}/.", STATE], check=True)
    with open(f"{STATE}/filler", "wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            pass

    def undo():
        subprocess.run(["umount", STATE], check=True)
        shutil.rmtree(saved)
    return undo


def altered_model(name, change):
    """A step that changes a model's file: `change` takes its bytes and gives others, or None to remove it."""
    def step(scene):
        path = f"{scene.models}/{name}"
        with open(path, "rb") as file:
            content = file.read()
        other = change(content)
        os.remove(path)
        if other is not None:
            write(path, other)

        def undo():
            write(path, content)
        return undo
    return step


def no_network(_scene):
    """The machine's curl fails, as it does without a network."""
    subprocess.run(["mount", "--bind", "/bin/false", "/usr/bin/curl"], check=True)
    return lambda: subprocess.run(["umount", "/usr/bin/curl"], check=True)


def swapped(scene):
    """The recogniser's file is another valid model."""
    with open(f"{scene.models}/detector.onnx", "rb") as file:
        detector = file.read()
    return altered_model("recogniser.onnx", lambda _: detector)(scene)


def table(scene):
    """All trials, in their order; what is enrolled before each is one template of demo-man."""
    pictures = scene.clips
    write(f"{scene.root}/empty.jpg", b"")
    write(f"{scene.root}/words.png", b"this is no picture\n" * 20)
    with open(f"{pictures}/man-enrol.png", "rb") as file:
        write(f"{scene.root}/half.png", file.read()[:20_000])
    enrol = ["enroll", MAN, "--label", "trial"]
    return [
        Trial("enrol from a picture", [*enrol, "--image", f"{pictures}/man-enrol.png"], 0, "with 1 samples",
              unchanged=False),
        Trial("enrol from two pictures, JSON", [*enrol, "--json", "--image", f"{pictures}/man-enrol.png",
              f"{pictures}/man-login.png"], 0, '"samples": 2', unchanged=False),
        Trial("enrol again under the same label", ["enroll", MAN], 1, "already has a template 'default'"),
        Trial("enrol and replace", ["enroll", MAN, "--replace", "--quick"], 0, "with 8 samples", unchanged=False),
        Trial("enrol the one who called sudo", ["enroll", "--quick"], 0, "enrolled 'demo-guest'", unchanged=False,
              environment={"SUDO_USER": "demo-guest"}),
        Trial("an empty picture", [*enrol, "--image", f"{scene.root}/empty.jpg"], 1, "empty.jpg"),
        Trial("a picture that is none", [*enrol, "--image", f"{scene.root}/words.png"], 1, "words.png"),
        Trial("half a picture", [*enrol, "--image", f"{scene.root}/half.png"], 1, "half.png"),
        Trial("a picture that is not there", [*enrol, "--image", f"{scene.root}/none.png"], 1, "none.png"),
        Trial("a folder as a picture", [*enrol, "--image", scene.root], 1, scene.root),
        Trial("a picture without a face", [*enrol, "--image", f"{pictures}/room.png"], 1, "no face in '"),
        Trial("a picture of two people", [*enrol, "--image", f"{pictures}/two.png"], 1, "more than one face in '"),
        Trial("pictures of different people", [*enrol, "--image", f"{pictures}/man-enrol.png",
              f"{pictures}/woman.png"], 1, "shows somebody else"),
        Trial("two people before the camera", enrol, 1, "more than one person", clip="two"),
        Trial("a user who does not exist", ["enroll", "demo-nobody"], 1, "there is no user 'demo-nobody'"),
        Trial("a user name like a path", ["enroll", "../etc"], 1, "'../etc' is not a user name"),
        Trial("a user name of two dots", ["remove", ".."], 1, "'..' is not a user name"),
        Trial("an unknown option", ["enroll", MAN, "--lable", "x"], 2, "unknown option '--lable'"),
        Trial("an unknown setting", ["config", "check"], 1, "line 2: unknown key 'livenes'",
              before=settings("match = strict\nlivenes = auto\n")),
        Trial("a setting out of range", ["enroll", MAN], 1, "line 1: lockout_misses = '99'",
              before=settings("lockout_misses = 99\n")),
        Trial("a store that others may enter", ["list"], 1, STATE, before=mode(STATE, 0o755, 0o700)),
        Trial("a store of another owner", ["list"], 1, "not owned by root",
              before=owner(f"{STATE}/secondlook.db", 4500)),
        Trial("a store of a newer schema", ["list"], 1, "install the newer version again",
              before=change_database("PRAGMA user_version=99"), unchanged=False),
        Trial("a full disk while enrolling", [*enrol, "--image", f"{pictures}/man-enrol.png"], 1,
              "free some space", before=full_disk),
        Trial("a model that is missing", ["models"], 1, "recogniser.onnx",
              before=altered_model("recogniser.onnx", lambda _: None)),
        Trial("a model that was altered", ["models"], 1, "detector.onnx",
              before=altered_model("detector.onnx", lambda content: content[:-1] + bytes([content[-1] ^ 1]))),
        Trial("a model swapped for another", ["enroll", MAN, "--label", "x"], 1, "recogniser.onnx", before=swapped),
        Trial("the models", ["models"], 0, "recogniser: SFace"),
        Trial("the models, JSON", ["models", "--json"], 0, '"role": "liveness"'),
        Trial("make the models ready for this processor", ["models", "prepare"], 0, "prepared: recogniser"),
        Trial("install a model from a folder without it", ["models", "install", "--from", f"{scene.root}/prefix"], 1,
              "is MiniFASNetV2-SE"),
        Trial("install a model without a network", ["models", "install"], 1, "use --from DIR",
              before=no_network),
        Trial("list", ["list"], 0, MAN),
        Trial("a report without names", ["support-report"], 0, "attempts:"),
        Trial("the record is whole", ["log", "--verify"], 0, "none changed or missing"),
    ]


def enrolled(scene):
    """What `list` says."""
    return scene.run_command("list", "--json")[1]


def play(scene, trial):
    """Runs one trial; returns "done" or what was wrong."""
    scene.forget()
    scene.show(trial.clip)
    before = enrolled(scene)
    undo = trial.before(scene) if trial.before else None
    try:
        code, output, error = scene.run_command(*trial.words, environment=trial.environment)
    finally:
        if undo:
            undo()
    said = output if trial.code == 0 else error.strip().split("\n")[-1]
    if code != trial.code:
        return f"exit {code}: {error.strip()}"
    if trial.contains not in said:
        return f"said: {said.strip()}"
    if trial.code != 0 and not said.startswith("secondlook: "):
        return f"said: {said.strip()}"
    if trial.unchanged and enrolled(scene) != before:
        return "what is enrolled has changed"
    return "done"


def at_terminal(scene, words, lines):
    """Runs the command at a terminal of its own and types a line at each prompt; None for a line is Ctrl-C.

    Returns (exit code, everything the terminal showed, whether it echoes at the end).
    """
    child, terminal = pty.fork()
    if child == 0:
        os.execv(scene.command, [scene.command, *words])
    shown = b""
    for line in lines:
        while not shown.rstrip(b" ").endswith(b":"):
            shown += os.read(terminal, 1024)
        while termios.tcgetattr(terminal)[3] & termios.ECHO:
            time.sleep(0.01)
        os.write(terminal, b"\x03" if line is None else line + b"\n")
        shown += b"|"
    while True:
        try:
            some = os.read(terminal, 1024)
        except OSError:
            break
        if not some:
            break
        shown += some
    echoes = bool(termios.tcgetattr(terminal)[3] & termios.ECHO)
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), shown, echoes


def backup(scene):
    """Out of the store into a file and back, the passphrase typed and not shown; Ctrl-C puts the terminal right."""
    scene.forget()
    before = enrolled(scene)
    file = f"{scene.root}/backup"
    secret = b"correct horse battery"
    code, shown, echoes = at_terminal(scene, ["export", file], [secret, secret])
    if code != 0 or secret in shown or not echoes or b"exported" not in shown:
        return f"export: {code}, {shown!r}, echo {echoes}"
    if at_terminal(scene, ["export", f"{file}-2"], [secret, b"something else"])[0] != 1 or os.path.exists(f"{file}-2"):
        return "two passphrases that differ were taken"
    code, shown, echoes = at_terminal(scene, ["export", f"{file}-3"], [None])
    if code != -signal.SIGINT or not echoes or os.path.exists(f"{file}-3"):
        return f"Ctrl-C: {code}, {shown!r}, echo {echoes}"
    scene.run_command("remove", MAN)
    if at_terminal(scene, ["import", file], [b"correct horse"])[0] != 1 or MAN in enrolled(scene):
        return "a wrong passphrase was taken"
    code, shown, echoes = at_terminal(scene, ["import", file], [secret])
    if code != 0 or secret in shown or not echoes or enrolled(scene) != before:
        return f"import: {code}, {shown!r}, echo {echoes}"
    return "done"


def identified(scene):
    """The enrolled man by his other take, nobody for a woman or an empty room; `test` reads his face out."""
    scene.forget()
    for clip, name, reason in (("man-login", MAN, "matched"), ("woman", None, "other-person"), ("room", None, "no-face")):
        scene.show(clip)
        code, output, error = scene.run_command("identify", "--json")
        found = json.loads(output)
        if (code, found["name"], found["reason"]) != (0 if name else 1, name, reason):
            return f"{clip}: {code}, {output}{error}"
    scene.show("man-login")
    code, output, _ = scene.run_command("test", MAN, "--json")
    found = json.loads(output)
    if code != 0 or found["label"] != "default" or not 40 < found["box"]["width"] < 640 or found["roll"] is None:
        return output
    return "done"


def unwritable(scene):
    """Every answer that cannot be written is a failure; the codes of before stay good, and nothing else is lost."""
    scene.forget()
    scene.run_command("recovery", "new", MAN)
    before = scene.run_command("recovery", "list", MAN, "--json")[1]
    for words in [("recovery", "new", MAN), ("list",), ("log", "--verify"), ("config", "show"), ("--version",)]:
        with open("/dev/full", "w", encoding="utf-8") as full:
            code = subprocess.run([scene.command, *words], stdout=full, stderr=subprocess.DEVNULL, check=False).returncode
        if code != 1:
            return f"'{' '.join(words)}' ended with {code}"
    with open("/dev/full", "w", encoding="utf-8") as full:
        if subprocess.run([scene.command, "is-enrolled", MAN], stdout=full, check=False).returncode != 0:
            return "is-enrolled does not answer by its exit code"
    after = scene.run_command("recovery", "list", MAN, "--json")[1]
    return "done" if before == after else "the codes have changed"


def interrupted(scene):
    """Ctrl-C while somebody is being enrolled; nothing half-written stays, and the worker goes as well."""
    scene.forget()
    scene.show("room")
    before = enrolled(scene)
    child = subprocess.Popen([scene.command, "enroll", MAN, "--label", "half"], stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True)
    child.stderr.readline()  # "Look at the camera."
    child.send_signal(signal.SIGINT)
    child.wait(timeout=10)
    if enrolled(scene) != before:
        return "what is enrolled has changed"
    for _ in range(100):
        if not any(is_worker(scene, name) for name in os.listdir("/proc")):
            return "done"
        time.sleep(0.02)
    return "the worker still runs"


def is_worker(scene, name):
    """Whether the process of that number is a worker of this scene."""
    try:
        return name.isdigit() and os.readlink(f"/proc/{name}/exe") == f"{scene.libexec}/secondlook-vision"
    except OSError:
        return False


def check(scene, only=""):
    """Yields (name, result) of each trial whose name has `only` in it."""
    for trial in table(scene):
        if only in f"command: {trial.name}":
            yield trial.name, play(scene, trial)
    name = "who it is among all"
    if only in f"command: {name}" and scene.has_passive_network():
        yield name, identified(scene)
    name = "a backup and its return"
    if only in f"command: {name}":
        yield name, backup(scene)
    name = "recovery codes that cannot be written"
    if only in f"command: {name}":
        yield name, unwritable(scene)
    name = "an enrolment that is interrupted"
    if only in f"command: {name}":
        yield name, interrupted(scene)
