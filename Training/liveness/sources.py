# SPDX-License-Identifier: Apache-2.0
"""What is trained on and what is held out: pictures, their faces and their splits. The split is by person or clip."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2

from .detector import Detector
from .geometry import Box

HELD_OUT_SUBJECTS = ("0002", "0005", "0009")
HELD_OUT_CLIPS = ("driving_d3", "source_s20", "source_s32")
HELD_OUT_PERCENT = 8
CLIP_FRAMES = 150


@dataclass(frozen=True)
class Source:
    """One picture with one face. kind: lfw, nuaa-live, nuaa-print or clip; session groups frames in time order."""

    path: str
    kind: str
    session: str
    held_out: bool
    box: tuple[float, float, float, float]

    def face(self) -> Box:
        """The face's box."""
        return Box(*self.box)


def person_is_held_out(name: str) -> bool:
    """A fixed pseudo-random share of the LFW people, decided by the name alone."""
    digest = hashlib.sha256(name.encode()).digest()
    return digest[0] * 256 + digest[1] < 65536 * HELD_OUT_PERCENT // 100


def lfw_pictures(folders: list[Path]) -> list[tuple[Path, str, str, bool]]:
    """LFW pictures below the folders, flat or one folder a person."""
    found = []
    for path in sorted(path for folder in folders for path in folder.rglob("*.jpg")):
        person = path.stem.rsplit("_", 1)[0]
        found.append((path, "lfw", person, person_is_held_out(person)))
    return found


def nuaa_pictures(folder: Path) -> list[tuple[Path, str, str, bool]]:
    """The webcam frames; the file name begins with subject and session."""
    found = []
    for label in ("live", "print"):
        for path in sorted((folder / label).glob("*.jpg")):
            session = path.stem.rsplit("_", 1)[0]
            found.append((path, f"nuaa-{label}", session, session[:4] in HELD_OUT_SUBJECTS))
    return found


def clip_pictures(folder: Path, frames: Path) -> list[tuple[Path, str, str, bool]]:
    """Evenly spaced frames of each clip, written once as JPEG below `frames`."""
    found = []
    for clip in sorted(folder.glob("*.mp4")):
        target = frames / clip.stem
        if not (target / "complete").exists():
            extract_frames(clip, target)
        for path in sorted(target.glob("*.jpg")):
            found.append((path, "clip", clip.stem, clip.stem in HELD_OUT_CLIPS))
    return found


def extract_frames(clip: Path, target: Path, limit: int = CLIP_FRAMES) -> None:
    """Write at most `limit` evenly spaced frames of a clip, the longer side at most 960."""
    target.mkdir(parents=True, exist_ok=True)
    video = cv2.VideoCapture(str(clip))
    count = max(1, int(video.get(cv2.CAP_PROP_FRAME_COUNT)))
    step = max(1.0, count / limit)
    index, wanted = 0, 0.0
    while True:
        good, frame = video.read()
        if not good:
            break
        if index >= wanted:
            scale = min(1.0, 960 / max(frame.shape[:2]))
            if scale < 1.0:
                frame = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            cv2.imwrite(str(target / f"{index:05d}.jpg"), frame, [cv2.IMWRITE_JPEG_QUALITY, 96])
            wanted += step
        index += 1
    (target / "complete").touch()


def find_faces(pictures: list[tuple[Path, str, str, bool]], detector: Detector) -> list[Source]:
    """Detect the face of every picture; pictures without one are left out."""
    sources = []
    for number, (path, kind, session, held_out) in enumerate(pictures):
        box = detector.largest(cv2.imread(str(path)))
        if box is not None:
            sources.append(Source(str(path), kind, session, held_out, (box.x, box.y, box.width, box.height)))
        if number % 500 == 0:
            print(f"\rfaces: {number}/{len(pictures)}", end="", file=sys.stderr, flush=True)
    print(f"\rfaces: {len(sources)} in {len(pictures)} pictures", file=sys.stderr)
    return sources


def load_sources(data: Path, more_lfw: list[Path], detector: Path, out: Path) -> list[Source]:
    """All sources of a data folder (lfw, nuaa, clips-live), from the index in `out` when it is there."""
    index = out / "faces.json"
    if index.exists():
        return [Source(**{**row, "box": tuple(row["box"])}) for row in json.loads(index.read_text())]
    out.mkdir(parents=True, exist_ok=True)
    pictures = lfw_pictures([data / "lfw", *more_lfw])
    pictures += nuaa_pictures(data / "nuaa")
    pictures += clip_pictures(data / "clips-live", out / "frames")
    sources = find_faces(pictures, Detector(detector))
    partial = index.with_suffix(".partial")
    partial.write_text(json.dumps([asdict(source) for source in sources]))
    os.replace(partial, index)
    return sources
