# SPDX-License-Identifier: Apache-2.0
"""Rates and their exact intervals. Scores are greater for live; pure functions."""

from __future__ import annotations

import math

import numpy as np


def auc(live: np.ndarray, attack: np.ndarray) -> float:
    """The chance that a live score is above an attack score, ties counted half (Mann-Whitney)."""
    scores = np.concatenate([live, attack]).astype(np.float64)
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    n, m = len(live), len(attack)
    return float((ranks[:n].sum() - n * (n + 1) / 2) / (n * m))


def equal_error(live: np.ndarray, attack: np.ndarray) -> tuple[float, float]:
    """Equal error rate and its threshold: live below or attack at and above, whichever is worse, at its least."""
    candidates = np.unique(np.concatenate([live, attack]))
    refused = np.searchsorted(np.sort(live), candidates, side="left") / len(live)
    accepted = 1 - np.searchsorted(np.sort(attack), candidates, side="left") / len(attack)
    best = int(np.argmin(np.maximum(refused, accepted)))
    return float((refused[best] + accepted[best]) / 2), float(candidates[best])


def binomial_tail(k: int, n: int, p: float) -> float:
    """P(X >= k) of a binomial, summed in logarithms."""
    if k <= 0:
        return 1.0
    if p <= 0.0 or p >= 1.0:
        return float(p >= 1.0)
    counts = np.arange(k, n + 1)
    logs = [math.lgamma(n + 1) - math.lgamma(c + 1) - math.lgamma(n - c + 1) for c in counts]
    terms = np.array(logs) + counts * math.log(p) + (n - counts) * math.log1p(-p)
    return float(min(1.0, np.exp(terms).sum()))


def clopper_pearson(k: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact interval of k in n, by bisection on the binomial tails."""
    if n == 0:
        return 0.0, 1.0
    tail = (1 - confidence) / 2
    low = 0.0 if k == 0 else bisect(lambda p: binomial_tail(k, n, p) < tail)
    high = 1.0 if k == n else bisect(lambda p: 1 - binomial_tail(k + 1, n, p) > tail)
    return low, high


def bisect(below: object, steps: int = 50) -> float:
    """Where a monotone predicate of (0, 1) turns from true to false."""
    low, high = 0.0, 1.0
    for _ in range(steps):
        middle = (low + high) / 2
        if below(middle):  # type: ignore[operator]
            low = middle
        else:
            high = middle
    return (low + high) / 2


def rate(k: int, n: int) -> dict[str, object]:
    """A rate with its exact 95 % interval, for reports."""
    low, high = clopper_pearson(k, n)
    return {"count": k, "of": n, "rate": round(k / n, 5) if n else None, "interval95": [round(low, 5), round(high, 5)]}


def probability(margin: np.ndarray) -> np.ndarray:
    """The softmax probability of live from the difference of the two logits."""
    return 1 / (1 + np.exp(-np.asarray(margin, np.float64)))


def aggregate(margins: np.ndarray, rule: str, limit: float = 6.0) -> float:
    """A session's score from its frames' margins, as a probability; `limit` clips a frame's margin in logit rules."""
    clipped = np.clip(np.asarray(margins, np.float64), -limit, limit)
    if rule == "mean-probability":
        return float(probability(margins).mean())
    if rule == "mean-logit":
        return float(probability(clipped.mean()))
    if rule == "median":
        return float(probability(np.median(margins)))
    if rule == "lower-quartile":
        return float(probability(np.quantile(margins, 0.25)))
    if rule == "minimum":
        return float(probability(np.min(margins)))
    raise ValueError(f"unknown rule '{rule}'")


RULES = ("mean-probability", "mean-logit", "median", "lower-quartile", "minimum")
