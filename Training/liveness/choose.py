# SPDX-License-Identifier: Apache-2.0
"""Fix session rule and threshold on the held-out sessions of the training side, before anything else is measured."""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path

import numpy as np

from .metrics import RULES, aggregate, auc, rate
from .report import FUSIONS, Margins, frame_rates, fused, margins_of_sessions
from .sources import load_sources
from .teacher import Scorer
from .validation import Session, load_sessions

LIVE_REFUSED = 0.05
"""What a person may be asked to bear: one live session in twenty is left undecided or refused."""


def operating_point(live: np.ndarray, refused: float = LIVE_REFUSED) -> float:
    """The threshold that refuses at most this share of live sessions: half way between the last refused and the next."""
    ordered = np.sort(live)
    count = int(refused * len(ordered))
    below = ordered[count - 1] if count else 0.0
    return float((below + ordered[count]) / 2)


def summary(margins: Margins, sessions: list[Session], rule: str) -> dict[str, object]:
    """One scorer under one rule, with the scores' spread by kind."""
    scores = np.array([aggregate(m, rule) for m in margins])
    live = np.array([session.live for session in sessions])
    threshold = operating_point(scores[live])
    kinds: dict[str, list[float]] = defaultdict(list)
    for score, session in zip(scores, sessions):
        kinds[session.kind].append(float(score))
    return {
        "auc": round(auc(scores[live], scores[~live]), 5),
        "threshold": round(threshold, 4),
        "live_refused": rate(int((scores[live] < threshold).sum()), int(live.sum())),
        "attack_accepted": rate(int((scores[~live] >= threshold).sum()), int((~live).sum())),
        "kinds": {k: [round(float(np.quantile(v, q)), 3) for q in (0, 0.1, 0.5, 0.9, 1)] for k, v in kinds.items()},
    }


def main() -> None:
    """Print the table as JSON."""
    parser = argparse.ArgumentParser(description="fix threshold and session rule on validation data")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--detector", type=Path, required=True)
    parser.add_argument("--lfw", type=Path, action="append", default=[], help="a further folder of LFW pictures")
    parser.add_argument("--hard", action="store_true", help="judge by the hard sessions as well: poor and close cameras")
    parser.add_argument("--people", action="store_true", help="frame rates on the held-out LFW people as well")
    parser.add_argument("--student", type=Path, required=True)
    parser.add_argument("--teacher", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    sources = load_sources(options.data, options.lfw, options.detector, options.out)
    sessions = load_sessions(sources, options.out)
    if options.hard:
        sessions += load_sessions(sources, options.out, "hard")
    people = load_sessions(sources, options.out, "people") if options.people else []
    scorers = {"student": margins_of_sessions(sessions, Scorer(options.student).margins)}
    if options.teacher:
        scorers["teacher"] = margins_of_sessions(sessions, Scorer(options.teacher).margins)
        for rule in FUSIONS:
            scorers[f"fusion {rule}"] = fused(scorers["student"], scorers["teacher"], rule)
    table = {}
    for name, margins in scorers.items():
        by_rule = {rule: summary(margins, sessions, rule) for rule in RULES}
        table[name] = {"frames": frame_rates(margins, sessions, 0.5), **by_rule}
    if people:
        margins = margins_of_sessions(people, Scorer(options.student).margins)
        table["people"] = frame_rates(margins, people, 0.5)
    print(json.dumps(table, indent=1))


if __name__ == "__main__":
    main()
