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


def row_of(kind: str, sources: list[Source], seed: int, surround: bool) -> np.ndarray:
    """One row: the same kind on different sources."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    fitting = [i for i, source in enumerate(sources) if kind in PLAN[source.kind] and not source.held_out]
    tiles = []
    for number in rng.choice(fitting, COLUMNS):
        near, far = make(Sample(int(number), kind, int(rng.integers(2**62))), sources, sources)
        tiles.append(cv2.copyMakeBorder(far if surround else near, 2, 2, 2, 2, cv2.BORDER_CONSTANT))
    return np.concatenate(tiles, axis=1)


def main() -> None:
    """Write sheet.png (crops) and sheet-surround.png."""
    parser = argparse.ArgumentParser(description="contact sheet of the attack synthesis")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--lfw", type=Path, action="append", default=[])
    parser.add_argument("--detector", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sources = load_sources(options.data, options.lfw, options.detector, options.out)
    for name, surround in (("sheet.png", False), ("sheet-surround.png", True)):
        rows = [row_of(kind, sources, options.seed + extra, surround) for kind in KINDS for extra in (0, 1)]
        cv2.imwrite(str(options.out / name), cv2.cvtColor(np.concatenate(rows), cv2.COLOR_RGB2BGR))
        print(options.out / name, f"rows: {', '.join(KINDS)}, two each; side {SURROUND_SIDE if surround else 128}")


if __name__ == "__main__":
    main()
