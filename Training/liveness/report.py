# SPDX-License-Identifier: Apache-2.0
"""Tables of frame and session rates for one or more scorers over the same sessions; the fusions of two of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .metrics import aggregate, auc, equal_error, probability, rate
from .validation import Session

Margins = list[np.ndarray]
"""One array of margins (live logit minus attack logit) a session."""
LIMIT = 6.0


def logit(p: np.ndarray) -> np.ndarray:
    """The margin that has this probability."""
    p = np.clip(p, 1e-9, 1 - 1e-9)
    return np.log(p / (1 - p))


FUSIONS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "minimum": np.minimum,
    "mean-logit": lambda a, b: (np.clip(a, -LIMIT, LIMIT) + np.clip(b, -LIMIT, LIMIT)) / 2,
    "mean-probability": lambda a, b: logit((probability(a) + probability(b)) / 2),
    "maximum": np.maximum,
}


def margins_of_sessions(sessions: list[Session], score: Callable[[np.ndarray], np.ndarray]) -> Margins:
    """Each session's margins by one scorer."""
    return [score(session.near) for session in sessions]


def fused(student: Margins, teacher: Margins, rule: str) -> Margins:
    """Frame by frame fusion of two scorers."""
    return [FUSIONS[rule](a, b) for a, b in zip(student, teacher)]


def split_by_label(values: list, sessions: list[Session]) -> tuple[list, list]:
    """Values of the live and of the attack sessions."""
    live = [value for value, session in zip(values, sessions) if session.live]
    return live, [value for value, session in zip(values, sessions) if not session.live]


def frame_rates(margins: Margins, sessions: list[Session], threshold: float) -> dict[str, object]:
    """AUC, EER and the rates at a threshold over single frames (frames of a session are not independent)."""
    live, attack = (np.concatenate(part) for part in split_by_label(margins, sessions))
    eer, at = equal_error(live, attack)
    cut = float(logit(np.array(threshold)))
    return {
        "auc": round(auc(live, attack), 5),
        "eer": round(eer, 5),
        "eer_threshold": round(float(probability(np.array(at))), 5),
        "live_refused": rate(int((live < cut).sum()), len(live)),
        "attack_accepted": rate(int((attack >= cut).sum()), len(attack)),
    }


def session_rates(margins: Margins, sessions: list[Session], rule: str, threshold: float) -> dict[str, object]:
    """Session scores under a rule and what they lead to at a threshold."""
    scores = [aggregate(m, rule) for m in margins]
    live, attack = split_by_label(scores, sessions)
    return {
        "rule": rule,
        "auc": round(auc(np.array(live), np.array(attack)), 5),
        "lowest_live": round(min(live), 5),
        "highest_attack": round(max(attack), 5),
        "gap": round(min(live) - max(attack), 5),
        "live_refused": rate(sum(s < threshold for s in live), len(live)),
        "attack_accepted": rate(sum(s >= threshold for s in attack), len(attack)),
        "sessions": {
            f"{session.kind}/{session.name}": round(score, 4) for session, score in zip(sessions, scores)
        },
    }


def of_kind(margins: Margins, sessions: list[Session], prefix: str) -> tuple[Margins, list[Session]]:
    """The sessions whose kind begins with a prefix."""
    chosen = [i for i, session in enumerate(sessions) if session.kind.startswith(prefix)]
    return [margins[i] for i in chosen], [sessions[i] for i in chosen]
