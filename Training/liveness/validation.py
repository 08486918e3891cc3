# SPDX-License-Identifier: Apache-2.0
"""Held-out sessions of the training side, on which threshold and session rule are fixed.

Real: NUAA sessions of held-out subjects, live and print, and the held-out clips. Made: the held-out clips seen by
other cameras, and shown on paper, screens and phones; one seed a session, so that device, pose and light stay the
same while the person moves.
"""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .progress import Progress
from .recipe import background_of, crops_of, read_rgb, render
from .sources import Source

FRAMES = 24
MADE = {"camera": 8, "print": 6, "screen": 8, "phone": 12}


@dataclass
class Session:
    """One attempt: its frames' crops in order."""

    name: str
    kind: str
    live: bool
    near: np.ndarray
    far: np.ndarray


def spread(sources: list[Source], limit: int = FRAMES) -> list[Source]:
    """At most `limit` evenly spaced frames."""
    if len(sources) <= limit:
        return sources
    return [sources[i] for i in np.linspace(0, len(sources) - 1, limit).astype(int)]


def crops_of_session(frames: list[Source], kind: str, seed: int, backgrounds: list[Source]) -> list[np.ndarray]:
    """The frames' crops; everything but the detector's tremble is the same in each."""
    pairs = []
    for number, source in enumerate(frames):
        rng = np.random.default_rng([seed, 11])
        canvas = render(source, kind, lambda r, s: background_of(backgrounds, r, s), rng, read_rgb)
        pairs.append(crops_of(canvas, np.random.default_rng([seed, number]), exact=kind == "plain"))
    return [np.stack(column) for column in zip(*pairs)]


def plan_sessions(sources: list[Source]) -> list[tuple[str, str, bool, int, list[Source]]]:
    """Name, kind, label, seed and frames of every validation session."""
    groups: dict[tuple[str, str], list[Source]] = defaultdict(list)
    for source in sources:
        if source.held_out and source.kind != "lfw":
            groups[source.kind, source.session].append(source)
    planned = []
    for (kind, name), frames in sorted(groups.items()):
        frames = spread(frames)
        planned.append((name, kind, kind != "nuaa-print", 0, frames))
        if kind == "clip":
            for made, count in MADE.items():
                for seed in range(count):
                    planned.append((f"{name} {made} {seed}", made, made == "camera", 1 + seed, frames))
        if kind == "nuaa-live":
            for seed in range(4):
                planned.append((f"{name} phone {seed}", "phone", False, 100 + seed, frames))
    return planned


def load_sessions(sources: list[Source], out: Path) -> list[Session]:
    """All validation sessions, from the file in `out` when it is there."""
    path = out / "sessions.npz"
    planned = plan_sessions(sources)
    if not path.exists():
        backgrounds = [source for source in sources if source.held_out]
        arrays: dict[str, np.ndarray] = {}
        progress = Progress("validation sessions", len(planned))
        for number, (_, kind, _, seed, frames) in enumerate(planned):
            render_as = kind if kind in MADE else "plain"
            near, far = crops_of_session(frames, render_as, seed, backgrounds)
            arrays[f"near{number}"], arrays[f"far{number}"] = near, far
            progress.advance(1)
        partial = out / "sessions.partial.npz"
        np.savez(partial, **arrays)
        os.replace(partial, path)
    file = np.load(path)
    return [
        Session(name, kind, live, file[f"near{number}"], file[f"far{number}"])
        for number, (name, kind, live, _, _) in enumerate(planned)
    ]
