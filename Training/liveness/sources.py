# SPDX-License-Identifier: Apache-2.0
"""What is trained on and what is held out: pictures, their faces and their splits. The split is by person or clip."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

import cv2

from .detector import Detector
from .geometry import Box
from .progress import Progress

HELD_OUT_SUBJECTS = ("0002", "0005", "0009")
HELD_OUT_CLIPS = ("driving_d3", "source_s20", "source_s32")
HELD_OUT_PERCENT = 8
CLIP_FRAMES = 150
SAVE_EVERY = 500
Picture = tuple[Path, str, str, bool]
"""Path, kind, session, and whether it is held out."""


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


def lfw_pictures(folders: list[Path]) -> list[Picture]:
    """LFW pictures below the folders, flat or one folder a person."""
    found = []
    for path in sorted(path for folder in folders for path in folder.rglob("*.jpg")):
        person = path.stem.rsplit("_", 1)[0]
        found.append((path, "lfw", person, person_is_held_out(person)))
    return found


def nuaa_pictures(folder: Path) -> list[Picture]:
    """The webcam frames; the file name begins with subject and session."""
    found = []
    for label in ("live", "print"):
        for path in sorted((folder / label).glob("*.jpg")):
            session = path.stem.rsplit("_", 1)[0]
            found.append((path, f"nuaa-{label}", session, session[:4] in HELD_OUT_SUBJECTS))
    return found


def clip_pictures(folder: Path, frames: Path, limit: int = CLIP_FRAMES) -> list[Picture]:
    """Evenly spaced frames of each clip, written once as JPEG below `frames`."""
    found = []
    for clip in sorted(folder.glob("*.mp4")):
        target = frames / clip.stem
        if not (target / "complete").exists():
            extract_frames(clip, target, limit)
        for path in sorted(target.glob("*.jpg")):
            found.append((path, "clip", clip.stem, clip.stem in HELD_OUT_CLIPS))
    return found


def extract_frames(clip: Path, target: Path, limit: int) -> None:
    """Write at most `limit` evenly spaced frames of a clip, the longer side at most 960."""
    target.mkdir(parents=True, exist_ok=True)
    video = cv2.VideoCapture(str(clip))
    count = max(1, int(video.get(cv2.CAP_PROP_FRAME_COUNT)))
    step = max(1.0, count / limit)
    index, wanted = 0, 0.0
    while video.grab():
        if index >= wanted:
            good, frame = video.retrieve()
            if not good:
                break
            scale = min(1.0, 960 / max(frame.shape[:2]))
            if scale < 1.0:
                frame = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            cv2.imwrite(str(target / f"{index:05d}.jpg"), frame, [cv2.IMWRITE_JPEG_QUALITY, 96])
            wanted += step
        index += 1
    (target / "complete").touch()


def save_index(index: Path, faces: dict[str, list[float] | None]) -> None:
    """Write the index in one step."""
    partial = index.with_suffix(".partial")
    partial.write_text(json.dumps(faces))
    os.replace(partial, index)


def find_faces(pictures: list[Picture], detector: Path, index: Path) -> dict[str, list[float] | None]:
    """The box of every picture's largest face, by path; what the index has already is not looked at again."""
    faces: dict[str, list[float] | None] = json.loads(index.read_text()) if index.exists() else {}
    missing = [str(path) for path, *_ in pictures if str(path) not in faces]
    if not missing:
        return faces
    finder = Detector(detector)
    progress = Progress("faces", len(missing))
    for number, path in enumerate(missing, start=1):
        picture = cv2.imread(path)
        box = None if picture is None else finder.largest(picture)
        faces[path] = None if box is None else [box.x, box.y, box.width, box.height]
        if number % SAVE_EVERY == 0:
            save_index(index, faces)
        progress.advance(1)
    save_index(index, faces)
    return faces


def thinned(pictures: list[Picture], limit: int) -> list[Picture]:
    """At most `limit` evenly spaced pictures of each kind on each side of the split; all when it is 0."""
    groups: dict[tuple[str, bool], list[Picture]] = {}
    for picture in pictures:
        groups.setdefault((picture[1], picture[3]), []).append(picture)
    if limit == 0:
        return pictures
    return [part[i * len(part) // min(limit, len(part))] for part in groups.values() for i in range(min(limit, len(part)))]


def load_sources(data: Path, more_lfw: list[Path], detector: Path, out: Path, limit: int = 0) -> list[Source]:
    """All sources of a data folder (lfw, nuaa, clips-live); pictures without a face are left out.

    Faces found and frames cut are kept in `out`. `limit` thins every kind, for a quick run.
    """
    out.mkdir(parents=True, exist_ok=True)
    pictures = lfw_pictures([data / "lfw", *more_lfw])
    pictures += nuaa_pictures(data / "nuaa")
    pictures += clip_pictures(data / "clips-live", out / (f"frames-{limit}" if limit else "frames"), limit or CLIP_FRAMES)
    if not pictures:
        raise ValueError(f"no pictures below '{data}': it needs lfw, nuaa or clips-live")
    pictures = thinned(pictures, limit)
    faces = find_faces(pictures, detector, out / "faces.json")
    boxes = [faces[str(path)] for path, *_ in pictures]
    return [
        Source(str(path), kind, session, held_out, tuple(box))
        for (path, kind, session, held_out), box in zip(pictures, boxes)
        if box is not None
    ]
