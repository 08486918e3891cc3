# SPDX-License-Identifier: Apache-2.0
"""A contact sheet of the synthesis to look at. It shows people, so it goes to the build folder and nowhere else."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from .recipe import KINDS, PLAN, SURROUND_SIDE, Sample, make
from .sources import Source, load_sources

COLUMNS = 12
SHEETS = (("sheet.png", False, False), ("sheet-surround.png", True, False), ("sheet-close.png", False, True))
"""Name, whether of the surrounds, whether from too close."""


def row_of(kind: str, sources: list[Source], seed: int, surround: bool, close: bool = False) -> np.ndarray:
    """One row: the same kind on different sources."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    fitting = [i for i, source in enumerate(sources) if kind in PLAN[source.kind] and not source.held_out]
    tiles = []
    for number in rng.choice(fitting, COLUMNS):
        near, far = make(Sample(int(number), kind, int(rng.integers(2**62)), close=close), sources, sources)
        tiles.append(cv2.copyMakeBorder(far if surround else near, 2, 2, 2, 2, cv2.BORDER_CONSTANT))
    return np.concatenate(tiles, axis=1)


def main() -> None:
    """Write sheet.png (crops), sheet-surround.png and sheet-close.png (faces that reach beyond the picture)."""
    parser = argparse.ArgumentParser(description="contact sheet of the attack synthesis")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--lfw", type=Path, action="append", default=[])
    parser.add_argument("--detector", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pictures", type=int, default=0, help="at most this many pictures of each kind, for a quick look")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sources = load_sources(options.data, options.lfw, options.detector, options.out, options.pictures)
    for name, surround, close in SHEETS:
        kinds = [kind for kind in KINDS if not (close and kind == "plain")]
        rows = [row_of(kind, sources, options.seed + extra, surround, close) for kind in kinds for extra in (0, 1)]
        cv2.imwrite(str(options.out / name), cv2.cvtColor(np.concatenate(rows), cv2.COLOR_RGB2BGR))
        print(options.out / name, f"rows: {', '.join(kinds)}, two each; side {SURROUND_SIDE if surround else 128}")


if __name__ == "__main__":
    main()
