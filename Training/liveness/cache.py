# SPDX-License-Identifier: Apache-2.0
"""The cached training set: crops with the teacher's outputs, in shards.

A finished shard is not made again unless its plan has changed: other pictures, another share, another seed.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from .geometry import BORDER_NAME
from .progress import Progress
from .recipe import KINDS, Sample, make
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

    def __init__(self, sources: list[Source], teacher: Path, folder: Path, name: str) -> None:
        cv2.setNumThreads(1)
        self.sources, self.folder, self.name = sources, folder, name
        self.backgrounds = [source for source in sources if not source.held_out]
        self.teacher = Teacher(teacher)

    def __call__(self, number: int, samples: list[Sample]) -> int:
        """Write shard `number`; returns how many samples it has."""
        pairs = [make(sample, self.sources, self.backgrounds) for sample in samples]
        near = np.stack([pair[0] for pair in pairs])
        outputs = [self.teacher(near[start : start + BATCH]) for start in range(0, len(near), BATCH)]
        path = shard_path(self.folder, self.name, number)
        # Named by the process: one that outlives its interrupted parent must not write into its successor's file.
        partial = path.with_suffix(f".{os.getpid()}.partial.npz")
        np.savez(
            partial,
            near=near,
            far=np.stack([pair[1] for pair in pairs]),
            logits=np.concatenate([logits for logits, _ in outputs]),
            features=np.concatenate([features for _, features in outputs]).astype(np.float16),
            kind=np.array([KINDS.index(sample.kind) for sample in samples], np.uint8),
            plan=np.array(fingerprint(self.sources, samples)),
        )
        os.replace(partial, path)
        return len(samples)


def fingerprint(*parts: object) -> str:
    """A hash of what a cached file is made of."""
    digest = hashlib.sha256(BORDER_NAME.encode())
    for part in parts:
        digest.update(repr(part).encode())
    return digest.hexdigest()


def is_made_of(path: Path, plan: str) -> bool:
    """Whether the file is there and was made of this plan."""
    if not path.exists():
        return False
    with np.load(path) as file:
        return "plan" in file and str(file["plan"]) == plan


def shard_path(folder: Path, name: str, number: int) -> Path:
    """Where a shard is."""
    return folder / f"{name}-{number:04d}.npz"


_maker: ShardMaker | None = None


def _start(sources: list[Source], teacher: Path, folder: Path, name: str) -> None:
    global _maker
    _maker = ShardMaker(sources, teacher, folder, name)


def _run(job: tuple[int, list[Sample]]) -> int:
    if _maker is None:
        raise RuntimeError("the process was not started by build_cache")
    return _maker(*job)


def build_cache(
    sources: list[Source],
    samples: list[Sample],
    teacher: Path,
    folder: Path,
    name: str,
    processes: int = 2,
    size: int = SHARD,
) -> list[Path]:
    """Make the missing shards of the samples; returns the paths of all."""
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [(start // size, samples[start : start + size]) for start in range(0, len(samples), size)]
    missing = [job for job in jobs if not is_made_of(shard_path(folder, name, job[0]), fingerprint(sources, job[1]))]
    if not missing:
        return [shard_path(folder, name, number) for number, _ in jobs]
    progress = Progress(f"{name} crops", sum(len(job[1]) for job in missing))
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, _start, (sources, teacher, folder, name)) as pool:
        for count in pool.imap_unordered(_run, missing):
            progress.advance(count)
    return [shard_path(folder, name, number) for number, _ in jobs]


def load_cache(shards: list[Path], surround: bool = False) -> Crops:
    """All shards; the surrounds, a third of the memory, only when asked for."""
    files = [np.load(path) for path in shards]

    def column(name: str) -> np.ndarray:
        return np.concatenate([file[name] for file in files])

    far = column("far") if surround else None
    return Crops(column("near"), far, column("logits"), column("features"), column("kind"))
