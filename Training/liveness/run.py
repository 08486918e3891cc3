# SPDX-License-Identifier: Apache-2.0
"""From folders to ONNX: faces, cached crops, training, export. Interrupt it at will; it continues where it was."""

from __future__ import annotations

import argparse
import hashlib
import os
import signal
import sys
from pathlib import Path

import cv2
import torch

from .cache import SHARD, build_cache, load_cache
from .export import write
from .recipe import KINDS, plan, plan_close, plan_poor
from .sources import load_sources
from .train import Settings, Trainer


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="train the passive liveness network")
    parser.add_argument("--data", type=Path, required=True, help="folder with lfw, nuaa and clips-live")
    parser.add_argument("--lfw", type=Path, action="append", default=[], help="a further folder of LFW pictures")
    parser.add_argument("--teacher", type=Path, required=True)
    parser.add_argument("--detector", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="base", help="the run's folder below OUT/runs")
    parser.add_argument("--epochs", type=float, default=Settings.epochs)
    parser.add_argument("--start", default="", help="begin with the averaged weights of this run, or with an ONNX file")
    parser.add_argument("--rate", type=float, default=Settings.rate, help="highest learning rate")
    parser.add_argument("--seed", type=int, default=Settings.seed)
    parser.add_argument("--share", type=float, default=1.0, help="part of the planned samples to make")
    parser.add_argument("--take", type=int, help="at most this many samples of each plan")
    parser.add_argument("--label-weight", type=float, default=Settings.label_weight)
    parser.add_argument("--ungated", action="store_true", help="hear a teacher that contradicts the label in full")
    parser.add_argument("--gate-live-only", action="store_true", help="doubt the teacher on live samples only")
    parser.add_argument("--surround", action="store_true", help="experiment: the surround as a second input")
    parser.add_argument("--without", action="append", default=[], choices=KINDS, help="leave a kind out")
    parser.add_argument("--poor", action="store_true", help="add samples as poor webcams see them")
    parser.add_argument("--close", action="store_true", help="add samples of faces that reach beyond the picture")
    parser.add_argument("--quick", action="store_true", help="a few pictures and steps, to see every stage work")
    parser.add_argument("--processes", type=int, default=2, help="for the crops; training takes one thread")
    return parser.parse_args()


QUICK_PICTURES, QUICK_SHARD, QUICK_BATCH = 20, 128, 32
"""Pictures of each kind on each side of the split, and the sizes that give a quick run several shards and steps."""


def main() -> None:
    """Run every stage that is not finished."""
    options = arguments()
    # As if interrupted by a key: the pool then ends its processes instead of leaving them behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    os.environ["OMP_NUM_THREADS"] = "1"
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    limit, shard = (QUICK_PICTURES, QUICK_SHARD) if options.quick else (0, SHARD)
    sources = load_sources(options.data, options.lfw, options.detector, options.out, limit)
    cache = options.out / "cache"
    samples = {"training": plan(sources, 1, options.share)}
    if options.poor:
        samples["poor"] = plan_poor(sources, 1)
    if options.close:
        samples["close"] = plan_close(sources, 1)
    shards = [
        path
        for name, part in samples.items()
        for path in build_cache(sources, part[: options.take], options.teacher, cache, name, options.processes, shard)
    ]
    settings = Settings(
        epochs=1.0 if options.quick else options.epochs,
        batch=QUICK_BATCH if options.quick else Settings.batch,
        start=options.start,
        rate=options.rate,
        label_weight=options.label_weight,
        gated=not options.ungated,
        gate_attacks=not options.gate_live_only,
        surround=options.surround,
        without=tuple(options.without),
        seed=options.seed,
    )
    folder = options.out / "runs" / options.name
    net = Trainer(load_cache(shards, options.surround), settings, folder).run()
    if options.surround:
        print(f"{folder}: trained; the surround experiment is measured, not exported")
        return
    data = write(net, folder / "liveness.onnx")
    print(f"{folder / 'liveness.onnx'}  {len(data)} bytes  SHA-256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main()
