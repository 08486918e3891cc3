# SPDX-License-Identifier: Apache-2.0
"""The folders that are measured and never trained on: sessions of frames and clips, each cut once and cached."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from .detector import Detector
from .geometry import BORDER_NAME, face_crop
from .progress import Progress
from .recipe import SURROUND_SIDE, SURROUND_SPAN
from .validation import Session

FOLDERS = {
    "print-attack-dev/live": True,
    "print-attack-dev/spoof": False,
    "clips-dev/live": True,
    "clips-dev/replay": False,
}
FRAMES_A_SECOND = 10.0


def frames_of(path: Path) -> Iterator[np.ndarray]:
    """BGR frames: every picture of a folder, or a clip thinned to about ten frames a second."""
    if path.is_dir():
        for picture in sorted(p for p in path.iterdir() if p.suffix.lower() in (".jpg", ".jpeg", ".png", ".bmp")):
            yield cv2.imread(str(picture))
        return
    video = cv2.VideoCapture(str(path))
    step = max(1.0, (video.get(cv2.CAP_PROP_FPS) or 30.0) / FRAMES_A_SECOND)
    index, wanted = 0, 0.0
    while True:
        good, frame = video.read()
        if not good:
            return
        if index >= wanted:
            yield frame
            wanted += step
        index += 1


def cut_session(path: Path, detector: Detector) -> tuple[list[np.ndarray], list[np.ndarray], int]:
    """Crops, surrounds and the number of frames without a face."""
    near, far, missed = [], [], 0
    for frame in frames_of(path):
        box = detector.largest(frame)
        if box is None:
            missed += 1
            continue
        rgb = cv2.cvtColor(frame, cv2.COLOR_BGR2RGB)
        near.append(face_crop(rgb, box))
        far.append(face_crop(rgb, box, SURROUND_SPAN, SURROUND_SIDE))
    return near, far, missed


def load_measured(folder: Path, detector: Path, cache: Path) -> list[Session]:
    """Every session below the known folders that has a face, cut once into `cache`."""
    cache.mkdir(parents=True, exist_ok=True)
    found = [(name, live, path) for name, live in FOLDERS.items() for path in sorted((folder / name).glob("*"))]
    progress = Progress("measured sessions", len(found))
    finder = Detector(detector)
    sessions = []
    for name, live, path in found:
        file = cache / f"{name.replace('/', '-')}-{path.stem}-{BORDER_NAME}.npz"
        if not file.exists():
            near, far, missed = cut_session(path, finder)
            partial = file.with_suffix(".partial.npz")
            np.savez(partial, near=np.array(near), far=np.array(far), missed=missed)
            os.replace(partial, file)
        data = np.load(file)
        if len(data["near"]):
            sessions.append(Session(path.stem, name, live, data["near"], data["far"]))
        progress.advance(1)
    return sessions
