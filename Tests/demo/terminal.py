# SPDX-License-Identifier: Apache-2.0
"""`preview` and `snapshot`: the terminal is as it was after every way out, and the picture is one.

The command runs on a terminal of its own under a leader that does what a shell does: it gives the terminal to the
command's process group, takes it back when the command stops, and gives it again with SIGCONT.
"""
import fcntl
import json
import os
import pty
import select
import signal
import stat
import struct
import subprocess
import termios
import threading
import time
import zlib

import pamtester

MAN = "demo-man"
ENTER, LEAVE, HIDE, SHOW = b"\x1b[?1049h", b"\x1b[?1049l", b"\x1b[?25l", b"\x1b[?25h"


def lead(slave, words, environment, told, orders):
    """The leader of the session: starts the command and tells what becomes of it."""
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(slave, os.getpid())
        for number in (signal.SIGTTOU, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        for number in range(3):
            os.dup2(slave, number)
        os.execve(words[0], words, environment)
    os.write(told, f"{pid}\n".encode())
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            os.write(told, f"ended {os.waitstatus_to_exitcode(status)}\n".encode())
            os._exit(0)
        os.tcsetpgrp(slave, os.getpgrp())
        os.write(told, b"stopped\n")
        os.read(orders, 1)
        os.tcsetpgrp(slave, pid)
        os.killpg(pid, signal.SIGCONT)


class Terminal:
    """A command on a terminal of 80 columns and 24 rows."""

    def __init__(self, words, term="xterm", is_read=True):
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = self.modes()
        self.shown = b""
        self.news, told = os.pipe()
        orders, self.orders = os.pipe()
        self.leader = os.fork()
        if self.leader == 0:
            lead(self.slave, words, {**os.environ, "TERM": term}, told, orders)
        os.close(told)
        self.told = b""
        self.pid = int(self.tell(b"\n"))
        if is_read:
            threading.Thread(target=self.listen, daemon=True).start()

    def modes(self):
        """What `stty -g` says."""
        return subprocess.run(["stty", "-g"], stdin=self.slave, capture_output=True, check=True).stdout

    def listen(self):
        """Reads what is shown."""
        while True:
            try:
                self.shown += os.read(self.master, 65536)
            except OSError:
                return

    def tell(self, word, limit=30.0):
        """The leader's next line, when it has `word`."""
        end = time.monotonic() + limit
        while b"\n" not in self.told:
            if not select.select([self.news], [], [], max(0, end - time.monotonic()))[0]:
                raise RuntimeError(f"not '{word.decode().strip()}' within {limit:.0f} s")
            self.told += os.read(self.news, 256)
        line, self.told = self.told.split(b"\n", 1)
        if word.strip() not in line:
            raise RuntimeError(f"'{line.decode()}' and not '{word.decode()}'")
        return line.decode()

    def await_shown(self, wanted, times=1, limit=30.0):
        """Waits until something was shown so many times."""
        end = time.monotonic() + limit
        while self.shown.count(wanted) < times:
            if time.monotonic() > end:
                raise RuntimeError(f"{wanted!r} was not shown; the end: {self.shown[-300:]!r}")
            time.sleep(0.02)

    def key(self, byte):
        """Types."""
        os.write(self.master, byte)

    def complaint(self, times=1):
        """What is wrong with the terminal; None when it is as it was and the screen was taken so many times."""
        time.sleep(0.1)
        if self.modes() != self.before:
            return "stty differs"
        for begin, end in ((ENTER, LEAVE), (HIDE, SHOW)):
            if self.shown.count(begin) != times or self.shown.count(end) != times:
                return f"{begin!r} {self.shown.count(begin)} times, {end!r} {self.shown.count(end)} times"
            if self.shown.rfind(end) < self.shown.rfind(begin):
                return f"{begin!r} is the last"
        return None

    def close(self):
        """Ends whatever is left."""
        for pid in (self.pid, self.leader):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        os.waitpid(self.leader, 0)


def kill_worker(terminal):
    """Kills the worker as a crash would."""
    for pid, path in pamtester.descendants(terminal.pid):
        if path.endswith("secondlook-vision"):
            os.kill(pid, signal.SIGKILL)


# Name, what ends it, and the exit code.
ENDINGS = [
    ("q", lambda terminal: terminal.key(b"q"), 0),
    ("Ctrl-C", lambda terminal: terminal.key(b"\x03"), 0),
    ("SIGINT", lambda terminal: os.kill(terminal.pid, signal.SIGINT), 0),
    ("SIGTERM", lambda terminal: os.kill(terminal.pid, signal.SIGTERM), 0),
    ("SIGHUP", lambda terminal: os.kill(terminal.pid, signal.SIGHUP), 0),
    ("SIGQUIT", lambda terminal: os.kill(terminal.pid, signal.SIGQUIT), 0),
    ("a worker that dies", kill_worker, 1),
    ("a crash", lambda terminal: os.kill(terminal.pid, signal.SIGSEGV), -signal.SIGSEGV),
]


def ending(scene, act, code):
    """One way out."""
    terminal = Terminal([scene.command, "preview", "--plain", "--user", MAN])
    try:
        terminal.await_shown(b"similarity 0.")
        act(terminal)
        said = terminal.tell(b"ended")
        if said != f"ended {code}":
            return f"{said}, expected {code}: {terminal.shown[-200:]!r}"
        return terminal.complaint() or "done"
    finally:
        terminal.close()


def unread(scene):
    """A terminal that nobody reads does not keep it from ending, nor does Ctrl-S."""
    terminal = Terminal([scene.command, "preview", "--plain"], is_read=False)
    try:
        time.sleep(3)  # until nothing more fits into the terminal
        os.kill(terminal.pid, signal.SIGTERM)
        terminal.tell(b"ended", limit=10)
        if terminal.modes() != terminal.before:
            return "stty differs"
    finally:
        terminal.close()
    terminal = Terminal([scene.command, "preview", "--plain"])
    try:
        terminal.await_shown(b"face 1: ")
        terminal.key(b"\x13")
        terminal.await_shown(b"score 0.", terminal.shown.count(b"score 0.") + 3)
        terminal.key(b"q")
        terminal.tell(b"ended 0")
        return terminal.complaint() or "done"
    finally:
        terminal.close()


def in_time(scene):
    """`--seconds` ends it."""
    terminal = Terminal([scene.command, "preview", "--plain", "--seconds", "2"])
    try:
        terminal.tell(b"ended 0")
        return terminal.complaint() or ("done" if b"face 1: " in terminal.shown else "no face was shown")
    finally:
        terminal.close()


def stopped(scene):
    """Ctrl-Z gives terminal and camera back; with `fg` it goes on."""
    terminal = Terminal([scene.command, "preview", "--plain"])
    try:
        terminal.await_shown(b"face 1: ")
        terminal.key(b"\x1a")
        terminal.tell(b"stopped")
        complaint = terminal.complaint()
        if complaint:
            return f"while it is stopped: {complaint}"
        if pamtester.descendants(terminal.pid):
            return "a stopped preview keeps its worker"
        before = terminal.shown.count(b"face 1: ")
        os.write(terminal.orders, b"f")
        terminal.await_shown(b"face 1: ", before + 1)
        terminal.key(b"q")
        terminal.tell(b"ended 0")
        return terminal.complaint(2) or "done"
    finally:
        terminal.close()


def by_chafa(scene):
    """With chafa the picture comes in the terminal's own way; without it, or on a dumb one, in characters."""
    found = os.path.exists("/usr/bin/chafa")
    for term, mark in (("xterm-kitty", b"\x1b_Ga=T"), ("xterm-256color", b"\x1b[38;"), ("dumb", b"\x1b[K")):
        terminal = Terminal([scene.command, "preview"], term)
        try:
            terminal.await_shown(mark if found else b"\x1b[K")
            terminal.key(b"q")
            terminal.tell(b"ended 0")
            if terminal.complaint():
                return f"{term}: {terminal.complaint()}"
        finally:
            terminal.close()
    return "done"


def as_json(scene):
    """One object a frame, no picture, and an end when nobody reads."""
    words = [scene.command, "preview", "--json", "--user", MAN]
    done = subprocess.run([*words, "--seconds", "3"], capture_output=True, text=True, timeout=60, check=False)
    frames = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode != 0 or not frames:
        return f"exit {done.returncode}, {len(frames)} frames: {done.stderr.strip()}"
    if not any(face["similarity"] and face["similarity"] > 0.5 for frame in frames for face in frame["faces"]):
        return "he is not found similar"
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            return "it goes on although nobody reads"
    return "done"


def off_terminal(scene):
    """Without a terminal it says what to do."""
    code, output, error = scene.run_command("preview")
    return "done" if code == 1 and not output and "--json" in error else f"exit {code}: {output}{error}"


def png_size(path):
    """Width and height, once every checksum was right and the rows are all there."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    position, parts = 8, {}
    while position < len(data):
        length, kind = struct.unpack(">I4s", data[position:position + 8])
        body = data[position + 8:position + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[position + 8 + length:position + 12 + length])[0]
        parts[kind] = body
        position += 12 + length
    width, height = struct.unpack(">II", parts[b"IHDR"][:8])
    assert len(zlib.decompress(parts[b"IDAT"])) == height * (width * 3 + 1)
    return width, height


def snapshot(scene):
    """One new file that only root may read; nothing is ever written over."""
    folder = f"{scene.root}/snapshots"
    os.makedirs(folder, exist_ok=True)
    words = [scene.command, "snapshot", "--output"]

    def shoot(name):
        return subprocess.run([*words, name], cwd=folder, capture_output=True, text=True, timeout=60, check=False)

    first = shoot("one.png")
    path = f"{folder}/one.png"
    if first.returncode != 0:
        return f"exit {first.returncode}: {first.stderr.strip()}"
    width, height = png_size(path)
    if width != 640 or height <= 480:
        return f"a picture of {width}x{height}"
    if stat.S_IMODE(os.stat(path).st_mode) != 0o600:
        return "others may read it"
    with open(path, "rb") as file:
        content = file.read()
    os.symlink(f"{folder}/elsewhere.png", f"{folder}/link.png")
    for name in ("one.png", "link.png"):
        again = shoot(name)
        if again.returncode != 1 or "exists" not in again.stderr or again.stderr.count("\n") != 1:
            return f"{name}: exit {again.returncode}: {again.stderr.strip()}"
    if os.path.exists(f"{folder}/elsewhere.png"):
        return "a link was followed"
    with open(path, "rb") as file:
        return "done" if file.read() == content else "the file was changed"


def check(scene, only):
    """Each row's name and what came of it."""
    rows = [(f"preview ended by {name}", lambda act=act, code=code: ending(scene, act, code))
            for name, act, code in ENDINGS]
    rows += [
        ("preview on a terminal that nobody reads", lambda: unread(scene)),
        ("preview for two seconds", lambda: in_time(scene)), ("preview stopped and continued", lambda: stopped(scene)),
        ("preview by chafa", lambda: by_chafa(scene)), ("preview as JSON", lambda: as_json(scene)),
        ("preview without a terminal", lambda: off_terminal(scene)), ("snapshot", lambda: snapshot(scene)),
    ]
    scene.forget()
    scene.write_settings("")
    scene.show("man-login")
    for name, row in rows:
        if only in name:
            try:
                result = row()
            except (RuntimeError, AssertionError) as error:
                result = f"{error}"
            yield name, result
