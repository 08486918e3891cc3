#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measure a liveness network on the evaluation folders and print JSON with exact (Clopper-Pearson) 95 % intervals.

    evaluate.py --eval DIR --detector FILE --student FILE [--teacher FILE] --rule RULE --threshold T --cache DIR

Threshold and rule are arguments, fixed beforehand on validation data (liveness.choose); nothing is tuned here.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from liveness.evaldata import load_measured
from liveness.metrics import RULES
from liveness.report import FUSIONS, Margins, frame_rates, fused, margins_of_sessions, of_kind, session_rates
from liveness.teacher import Scorer
from liveness.validation import Session

SETS = ("print-attack-dev", "clips-dev")


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="measure passive liveness")
    parser.add_argument("--eval", type=Path, required=True)
    parser.add_argument("--detector", type=Path, required=True)
    parser.add_argument("--student", type=Path, required=True)
    parser.add_argument("--teacher", type=Path)
    parser.add_argument("--rule", choices=RULES, required=True)
    parser.add_argument("--threshold", type=float, required=True)
    parser.add_argument("--fusion-threshold", type=float, help="for the fusions; the student's when not given")
    parser.add_argument("--frames", type=int, default=0, help="judge a session by its first N frames only")
    parser.add_argument("--cache", type=Path, required=True)
    return parser.parse_args()


def milliseconds(scorer: Scorer, rounds: int = 200) -> float:
    """Median time of one crop on one thread."""
    crop = np.zeros((1, 128, 128, 3), np.uint8)
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        scorer.margins(crop)
        times.append(time.perf_counter() - start)
    return round(float(np.median(times)) * 1000, 3)


def floors(clips: dict[str, object], prints: dict[str, object]) -> dict[str, bool]:
    """What issue 3 asks for at least."""
    return {
        "frame_auc_0.99": prints["auc"] >= 0.99,  # type: ignore[operator]
        "every_replay_below_every_live": clips["gap"] > 0,  # type: ignore[operator]
        "every_live_clip_accepted": clips["live_refused"]["count"] == 0,  # type: ignore[index]
    }


def measure(margins: Margins, sessions: list[Session], rule: str, threshold: float) -> dict[str, object]:
    """Both sets, frames and sessions."""
    table: dict[str, dict[str, object]] = {}
    for name in SETS:
        part = of_kind(margins, sessions, name)
        table[name] = {"frames": frame_rates(*part, threshold), "session": session_rates(*part, rule, threshold)}
    clips, prints = table["clips-dev"]["session"], table["print-attack-dev"]["frames"]
    table["floors"] = floors(clips, prints)  # type: ignore[arg-type]
    return {"threshold": threshold, **table}


def main() -> None:
    """Print the report."""
    options = arguments()
    sessions = load_measured(options.eval, options.detector, options.cache)
    if options.frames:
        first = slice(options.frames)
        sessions = [Session(s.name, s.kind, s.live, s.near[first], s.far[first]) for s in sessions]
    student = Scorer(options.student)
    margins = margins_of_sessions(sessions, student.margins)
    judged = measure(margins, sessions, options.rule, options.threshold)
    report = {"student": {"ms_per_crop": milliseconds(student), **judged}}
    if options.teacher:
        teacher = Scorer(options.teacher)
        taught = margins_of_sessions(sessions, teacher.margins)
        report["teacher"] = {
            "ms_per_crop": milliseconds(teacher),
            **measure(taught, sessions, options.rule, options.threshold),
        }
        for rule in FUSIONS:
            threshold = options.threshold if options.fusion_threshold is None else options.fusion_threshold
            report[f"fusion {rule}"] = measure(fused(margins, taught, rule), sessions, options.rule, threshold)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
