# SPDX-License-Identifier: Apache-2.0
"""The cached training set: crops with the teacher's outputs, in shards. A finished shard is never made again."""

from __future__ import annotations

import multiprocessing
import os
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from .progress import Progress
from .recipe import KINDS, Sample, make, plan
from .sources import Source
from .teacher import Teacher

SHARD = 1024
BATCH = 32


@dataclass
class Crops:
    """Samples in memory; row i of every array belongs to the same sample. `far` is there when it was asked for."""

    near: np.ndarray
    far: np.ndarray | None
    logits: np.ndarray
    features: np.ndarray
    kind: np.ndarray

    @property
    def is_live(self) -> np.ndarray:
        """The labels."""
        return self.kind < 2


class ShardMaker:
    """Renders one shard and asks the teacher; made once in each process."""

    def __init__(self, sources: list[Source], teacher: Path, folder: Path) -> None:
        cv2.setNumThreads(1)
        self.sources, self.folder = sources, folder
        self.backgrounds = [source for source in sources if not source.held_out]
        self.teacher = Teacher(teacher)

    def __call__(self, number: int, samples: list[Sample]) -> int:
        """Write shard `number`; returns how many samples it has."""
        pairs = [make(sample, self.sources, self.backgrounds) for sample in samples]
        near = np.stack([pair[0] for pair in pairs])
        outputs = [self.teacher(near[start : start + BATCH]) for start in range(0, len(near), BATCH)]
        path = shard_path(self.folder, number)
        partial = path.with_suffix(".partial.npz")
        np.savez(
            partial,
            near=near,
            far=np.stack([pair[1] for pair in pairs]),
            logits=np.concatenate([logits for logits, _ in outputs]),
            features=np.concatenate([features for _, features in outputs]).astype(np.float16),
            kind=np.array([KINDS.index(sample.kind) for sample in samples], np.uint8),
        )
        os.replace(partial, path)
        return len(samples)


def shard_path(folder: Path, number: int) -> Path:
    """Where a shard is."""
    return folder / f"training-{number:04d}.npz"


_maker: ShardMaker | None = None


def _start(sources: list[Source], teacher: Path, folder: Path) -> None:
    global _maker
    _maker = ShardMaker(sources, teacher, folder)


def _run(job: tuple[int, list[Sample]]) -> int:
    if _maker is None:
        raise RuntimeError("the process was not started by build_cache")
    return _maker(*job)


def build_cache(
    sources: list[Source], teacher: Path, folder: Path, seed: int, share: float = 1.0, processes: int = 2
) -> int:
    """Make the missing shards of everything that is not held out; returns the number of shards."""
    folder.mkdir(parents=True, exist_ok=True)
    samples = plan(sources, seed, share)
    jobs = [(start // SHARD, samples[start : start + SHARD]) for start in range(0, len(samples), SHARD)]
    missing = [job for job in jobs if not shard_path(folder, job[0]).exists()]
    progress = Progress("crops", sum(len(job[1]) for job in missing))
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, _start, (sources, teacher, folder)) as pool:
        for count in pool.imap_unordered(_run, missing):
            progress.advance(count)
    return len(jobs)


def load_cache(folder: Path, shards: int, surround: bool = False) -> Crops:
    """All shards; the surrounds, a third of the memory, only when asked for."""
    files = [np.load(shard_path(folder, number)) for number in range(shards)]

    def column(name: str) -> np.ndarray:
        return np.concatenate([file[name] for file in files])

    far = column("far") if surround else None
    return Crops(column("near"), far, column("logits"), column("features"), column("kind"))
