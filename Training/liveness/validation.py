# SPDX-License-Identifier: Apache-2.0
"""Held-out sessions of the training side, on which threshold and session rule are fixed.

Real: NUAA sessions of held-out subjects, live and print, and the held-out clips. Made: the held-out clips seen by
other cameras, and shown on paper, screens and phones; one seed a session, so that device, pose and light stay the
same while the person moves. The hard sessions are all made: the same people and prints through poor cameras, and so
close that the network's square reaches beyond the picture. The people are the held-out pictures of LFW, one frame a
session, each live and as one attack, from an ordinary distance and too close: many people, to compare networks by.
"""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .attacks import ATTACKS
from .cache import fingerprint, is_made_of
from .progress import Progress
from .recipe import background_of, crops_of, read_rgb, render
from .sources import Source

FRAMES = 24
MADE = {"camera": 8, "print": 6, "screen": 8, "phone": 12}
HARD = {
    "clip": {"camera": 4, "print": 2, "screen": 3, "phone": 4},
    "nuaa-live": {"camera": 1, "screen": 1, "phone": 1},
    "nuaa-print": {"real-print": 1},
}
"""Hard sessions of each held-out clip or session, in each view."""
VIEWS = ("close", "poor")
HARD_STRETCH = 6
"""Frames of a hard session after which camera and framing are drawn anew: poor cameras change while one looks."""


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


Plan = tuple[str, str, bool, int, list[Source]]
"""Name, kind, label, seed and frames of a session."""


def crops_of_session(frames: list[Source], kind: str, seed: int, backgrounds: list[Source]) -> list[np.ndarray]:
    """The frames' crops; everything but the detector's tremble is the same in each, or in each stretch if it is hard."""
    view, made = kind.split("-", 1) if kind.startswith(VIEWS) else ("", kind)
    pairs = []
    for number, source in enumerate(frames):
        stretch = [number // HARD_STRETCH] if view else []
        rng = np.random.default_rng([seed, 11, *stretch])
        canvas = render(
            source,
            made,
            lambda r, s: background_of(backgrounds, r, s),
            rng,
            read_rgb,
            poor=view == "poor",
            close=view == "close",
        )
        pairs.append(crops_of(canvas, np.random.default_rng([seed, number]), exact=made == "plain"))
    return [np.stack(column) for column in zip(*pairs)]


def groups_of(sources: list[Source]) -> dict[tuple[str, str], list[Source]]:
    """The held-out frames by kind and session, LFW's single pictures left out."""
    groups: dict[tuple[str, str], list[Source]] = defaultdict(list)
    for source in sources:
        if source.held_out and source.kind != "lfw":
            groups[source.kind, source.session].append(source)
    return dict(sorted(groups.items()))


def plan_sessions(sources: list[Source]) -> list[Plan]:
    """Name, kind, label, seed and frames of every validation session."""
    planned = []
    for (kind, name), frames in groups_of(sources).items():
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


def plan_hard(sources: list[Source]) -> list[Plan]:
    """The same of every hard session; a kind is the view and what is shown, as in close-phone."""
    planned = []
    for number, ((kind, name), frames) in enumerate(groups_of(sources).items()):
        counts = HARD[kind]
        for view in VIEWS:
            for made, count in counts.items():
                for again in range(count):
                    seed = 1000 * (number + 1) + 100 * VIEWS.index(view) + again
                    row = (f"{name} {view} {made} {again}", f"{view}-{made}", made == "camera", seed)
                    planned.append((*row, spread(frames, 3 * HARD_STRETCH)))
    return planned


def plan_people(sources: list[Source]) -> list[Plan]:
    """The same of every held-out LFW picture."""
    planned = []
    for number, source in enumerate(source for source in sources if source.held_out and source.kind == "lfw"):
        attack = str(np.random.default_rng([number, 12]).choice(list(ATTACKS), p=[0.25, 0.25, 0.5]))
        for made in ("camera", attack, "close-camera", f"close-{attack}"):
            planned.append((f"{source.session} {made}", made, made.endswith("camera"), 10_000 + number, [source]))
    return planned


SORTS = {"ordinary": plan_sessions, "hard": plan_hard, "people": plan_people}


def load_sessions(sources: list[Source], out: Path, sort: str = "ordinary") -> list[Session]:
    """All validation sessions of a sort, from the file in `out` when it was made of the same."""
    path = out / ("sessions.npz" if sort == "ordinary" else f"sessions-{sort}.npz")
    planned = SORTS[sort](sources)
    backgrounds = [source for source in sources if source.held_out]
    made_of = fingerprint(planned, backgrounds)
    if not is_made_of(path, made_of):
        arrays: dict[str, np.ndarray] = {"plan": np.array(made_of)}
        progress = Progress(f"{sort} validation sessions", len(planned))
        for number, (_, kind, _, seed, frames) in enumerate(planned):
            render_as = kind if sort != "ordinary" or kind in MADE else "plain"
            near, far = crops_of_session(frames, render_as, seed, backgrounds)
            arrays[f"near{number}"], arrays[f"far{number}"] = near, far
            progress.advance(1)
        partial = path.with_suffix(".partial.npz")
        np.savez(partial, **arrays)
        os.replace(partial, path)
    file = np.load(path)
    return [
        Session(name, kind, live, file[f"near{number}"], file[f"far{number}"])
        for number, (name, kind, live, _, _) in enumerate(planned)
    ]
