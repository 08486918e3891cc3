# SPDX-License-Identifier: Apache-2.0
"""Short runs that differ in one thing, like with like: trained one after the other, then measured on the same sessions.

    python -m liveness.compare train   --out OUT      train every variant that is not finished
    python -m liveness.compare measure --out OUT --data DIR --detector FILE [--eval DIR] [--also RUN ...]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import torch

from .cache import load_cache
from .evaldata import load_measured
from .metrics import RULES, aggregate, auc
from .report import Margins
from .sources import load_sources
from .train import Settings, Trainer, load_network, margins_of
from .validation import Session, load_sessions

VARIANTS = {
    "short-control": Settings(epochs=1.0),
    "short-without-phone": Settings(epochs=1.0, without=("phone",)),
    "short-surround": Settings(epochs=1.0, surround=True),
    "short-ungated": Settings(epochs=1.0, gated=False),
}


def train_all(out: Path) -> None:
    """Train the variants on the cached crops."""
    torch.set_num_threads(1)
    crops = load_cache(sorted((out / "cache").glob("training-????.npz")), surround=True)
    for name, settings in VARIANTS.items():
        Trainer(crops, settings, out / "runs" / name).run()


def by_kind(margins: Margins, sessions: list[Session], rule: str) -> dict[str, object]:
    """AUC of each kind of attack session against all live sessions, and the extremes."""
    scores = np.array([aggregate(m, rule) for m in margins])
    live = np.array([session.live for session in sessions])
    kinds = np.array([session.kind for session in sessions])
    table: dict[str, object] = {
        kind: {
            "auc": round(auc(scores[live], scores[kinds == kind]), 4),
            "mean": round(float(scores[kinds == kind].mean()), 4),
            "highest": round(float(scores[kinds == kind].max()), 4),
        }
        for kind in sorted(set(kinds[~live]))
    }
    table["live"] = {
        "mean": round(float(scores[live].mean()), 4),
        "lowest": [round(float(s), 4) for s in np.sort(scores[live])[:3]],
    }
    frames = [np.concatenate([m for m, s in zip(margins, sessions) if s.live == wanted]) for wanted in (True, False)]
    table["frames"] = round(auc(*frames), 4)
    return table


def run_margins(folder: Path, sessions: list[Session]) -> Margins:
    """A run's margins on sessions."""
    net = load_network(folder / "checkpoint.pt")
    surround = json.loads((folder / "settings.json").read_text())["surround"]
    return [margins_of(net, s.near, s.far if surround else None) for s in sessions]


def measure(options: argparse.Namespace) -> None:
    """Print one JSON table of all finished variants."""
    torch.set_num_threads(1)
    sets = {"validation": load_sessions(load_sources(options.data, [], options.detector, options.out), options.out)}
    if options.eval:
        sessions = load_measured(options.eval, options.detector, options.out / "measured")
        for name in ("print-attack-dev", "clips-dev"):
            sets[name] = [session for session in sessions if session.kind.startswith(name)]
    report: dict[str, object] = {}
    for name in [*options.also, *VARIANTS]:
        folder = options.out / "runs" / name
        if (folder / "settings.json").exists():
            report[name] = {key: by_kind(run_margins(folder, part), part, options.rule) for key, part in sets.items()}
    print(json.dumps(report, indent=1))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="compare short runs")
    parser.add_argument("verb", choices=("train", "measure"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--detector", type=Path)
    parser.add_argument("--eval", type=Path)
    parser.add_argument("--also", action="append", default=[], help="a further finished run")
    parser.add_argument("--rule", choices=RULES, default="mean-logit")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.verb == "train":
        train_all(options.out)
    else:
        measure(options)


if __name__ == "__main__":
    main()
