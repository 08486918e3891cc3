# SPDX-License-Identifier: Apache-2.0
"""Which samples are made of which source, and how one sample is rendered. A sample depends on its seed alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from . import camera
from .attacks import ATTACKS
from .camera import Rng, chance
from .canvas import Canvas, cut_canvas
from .geometry import BORDER, CROP_SIDE, CROP_SPAN, Box, face_crop
from .sources import Source

SURROUND_SPAN = 2.7
SURROUND_SIDE = 96
KINDS = ("plain", "camera", "print", "screen", "phone", "real-print")
LIVE_KINDS = ("plain", "camera")
PLAN: dict[str, dict[str, float]] = {
    "lfw": {"plain": 0.75, "camera": 1.5, "print": 0.75, "screen": 0.75, "phone": 0.75},
    "nuaa-live": {"plain": 2, "camera": 5, "print": 1, "screen": 1, "phone": 2},
    "nuaa-print": {"real-print": 8},
    "clip": {"plain": 2, "camera": 3, "print": 1, "screen": 2, "phone": 2},
}
"""Samples of each kind a source; a broken number is met on the average."""
POOR_SHARE = {"lfw": 0.35, "nuaa-live": 2.0, "nuaa-print": 0.5, "clip": 2.0}
"""Samples through a poor webcam a source: as many of it live as attacks, so that poor does not mean live."""
CLOSE_CHANCE = 0.18
"""Share of the samples whose face fills the picture, so that the network's square reaches beyond it."""
SELFIE_CHANCE = 0.12
"""Share of the other photographed samples that went through a phone's or a video call's software."""
CLOSE_SHARE = {"lfw": 0.3, "nuaa-live": 1.5, "nuaa-print": 1.5, "clip": 0.8}
"""More faces that fill the picture, for a run that adds them: samples a source, as in POOR_SHARE."""
Reader = Callable[[str], np.ndarray]


@dataclass(frozen=True)
class Sample:
    """One crop to make: the source's number, the kind, and the seed of everything random in it."""

    source: int
    kind: str
    seed: int
    poor: bool = False
    close: bool = False

    @property
    def is_live(self) -> bool:
        """The label."""
        return self.kind in LIVE_KINDS


def read_rgb(path: str) -> np.ndarray:
    """A picture as uint8 RGB."""
    picture = cv2.imread(path)
    if picture is None:
        raise ValueError(f"cannot read '{path}'")
    return cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)


def plan(sources: list[Source], seed: int, share: float = 1.0) -> list[Sample]:
    """Every sample of what is not held out, shuffled; `share` keeps a part of them."""
    rng = np.random.default_rng([seed, 0])
    samples = []
    for number, source in enumerate(sources):
        if source.held_out:
            continue
        for kind, count in PLAN[source.kind].items():
            for _ in range(int(count + rng.random())):
                samples.append(Sample(number, kind, int(rng.integers(2**62)), close=chance(rng, CLOSE_CHANCE)))
    order = rng.permutation(len(samples))[: int(len(samples) * share)]
    return [samples[i] for i in order]


def plan_pairs(sources: list[Source], seed: int, shares: dict[str, float], **view: bool) -> list[Sample]:
    """As many live samples as attacks, half of them phones, all seen in the way that `view` tells."""
    rng = np.random.default_rng([seed, 2])
    samples = []
    for number, source in enumerate(sources):
        if source.held_out:
            continue
        for _ in range(int(shares[source.kind] + rng.random())):
            attack = str(rng.choice(list(ATTACKS), p=[0.25, 0.25, 0.5]))
            kinds = ("real-print",) if source.kind == "nuaa-print" else ("camera", attack)
            samples += [Sample(number, kind, int(rng.integers(2**62)), **view) for kind in kinds]
    return [samples[i] for i in rng.permutation(len(samples))]


def plan_poor(sources: list[Source], seed: int) -> list[Sample]:
    """Samples as poor webcams see them, live and attack alike."""
    return plan_pairs(sources, seed, POOR_SHARE, poor=True)


def plan_close(sources: list[Source], seed: int) -> list[Sample]:
    """Samples of faces too close for the picture to hold the whole square, live and attack alike."""
    return plan_pairs(sources, seed + 1000, CLOSE_SHARE, close=True)


def background_of(sources: list[Source], rng: Rng, side: int, read: Reader = read_rgb) -> np.ndarray:
    """What is behind a medium: a piece of another picture, out of focus as a rule."""
    other = sources[rng.integers(len(sources))]
    picture = read(other.path)
    height, width = picture.shape[:2]
    size = int(min(height, width) * rng.uniform(0.4, 1.0))
    left, top = int(rng.integers(width - size + 1)), int(rng.integers(height - size + 1))
    piece = cv2.resize(picture[top : top + size, left : left + size], (side, side), interpolation=cv2.INTER_AREA)
    return camera.blur(piece.astype(np.float32) / 255, rng.uniform(0.3, 0.02 * side))


def end_picture(canvas: Canvas, rng: Rng) -> Canvas:
    """Let the picture end at a square about the face, as small ones do, so that its border tells no label."""
    inner = int(canvas.unit * rng.uniform(1.55, 2.2))
    left, top = (int(c - inner / 2) for c in canvas.box.centre)
    left, top = max(0, left), max(0, top)
    piece = canvas.image[top : top + inner, left : left + inner]
    bottom, right = canvas.side - top - piece.shape[0], canvas.side - left - piece.shape[1]
    image = cv2.copyMakeBorder(piece, top, max(0, bottom), left, max(0, right), BORDER)
    return Canvas(image[: canvas.side, : canvas.side], canvas.box)


def frame_close(canvas: Canvas, rng: Rng) -> Canvas:
    """End the picture within the network's square, so that the rest is border, as a close face makes `face_crop` do.

    An upright picture ends at the left and right, a level one above and below; a small one on all sides.
    """
    side, unit = canvas.side, canvas.unit
    tight, loose = rng.uniform(0.95, 1.45) * unit, rng.uniform(1.3, 2.6) * unit
    if chance(rng, 0.15):
        loose = rng.uniform(1.1, 1.4) * unit
    width, height = (tight, loose) if chance(rng, 0.6) else (loose, max(tight, 1.05 * unit))
    cx, cy = canvas.box.centre
    cx += rng.normal(0, 0.08) * unit
    cy += rng.normal(0, 0.08) * unit
    left, right = max(0, int(cx - width / 2)), min(side, int(cx + width / 2))
    top, bottom = max(0, int(cy - height / 2)), min(side, int(cy + height / 2))
    piece = canvas.image[top:bottom, left:right]
    image = cv2.copyMakeBorder(piece, top, side - bottom, left, side - right, BORDER)
    return Canvas(image, canvas.box)


def seen(scene: Canvas, poor: bool, close: bool, strength: float, rng: Rng) -> Canvas:
    """The scene through one of the cameras: an ordinary one, a poor one, or a close one of any kind."""
    if not close:
        if poor:
            frame = camera.poor_webcam(scene.image, rng)
        elif chance(rng, SELFIE_CHANCE):
            frame = camera.selfie(scene.image, rng)
        else:
            frame = camera.photograph(scene.image, rng, strength)
        return Canvas(frame, scene.box)
    which = rng.random()
    if which < 0.5:
        frame = camera.selfie(scene.image, rng)
    elif which < 0.7:
        frame = camera.poor_webcam(scene.image, rng)
    else:
        frame = camera.photograph(scene.image, rng, strength)
    return frame_close(Canvas(frame, scene.box), rng)


def render(
    source: Source,
    kind: str,
    background: Callable[[Rng, int], np.ndarray],
    rng: Rng,
    read: Reader = read_rgb,
    poor: bool = False,
    close: bool = False,
) -> Canvas:
    """The scene of one sample, photographed; by a poor webcam or from too close when told so."""
    picture = read(source.path)
    box = source.face()
    natural = box.longer * 2.8
    side = int(np.clip(natural * rng.uniform(0.6, 1.1), 230, 380))
    turn = rng.normal(0, 0.06)
    if kind == "plain":
        whole = cut_canvas(picture, box, int(np.clip(natural, 230, 480)), 0.0)
        return frame_close(whole, rng) if close else whole
    canvas = cut_canvas(picture, box, side, turn)
    if kind in ATTACKS:
        scene = ATTACKS[kind](canvas, background(rng, side), rng)
        if chance(rng, 0.5):
            scene = end_picture(scene, rng)
        return seen(scene, poor, close, rng.uniform(0.2, 0.9), rng)
    gentle = kind == "real-print" or source.kind == "nuaa-live"
    strength = 0.0 if poor else rng.uniform(0.1, 0.6) if gentle else rng.uniform(0.3, 1.0)
    return seen(canvas, poor, close, strength, rng)


def crops_of(canvas: Canvas, rng: Rng, exact: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """The network's crop and its surround, through a detector that trembles (not when `exact`)."""
    box: Box = canvas.box if exact else canvas.box.jittered(rng)
    image = (np.clip(canvas.image, 0, 1) * 255 + 0.5).astype(np.uint8)
    interpolation = cv2.INTER_LINEAR if not exact and chance(rng, 0.2) else None
    near = face_crop(image, box, CROP_SPAN, CROP_SIDE, interpolation)
    return near, face_crop(image, box, SURROUND_SPAN, SURROUND_SIDE)


def make(
    sample: Sample, sources: list[Source], backgrounds: list[Source], read: Reader = read_rgb
) -> tuple[np.ndarray, np.ndarray]:
    """The two crops of one sample."""
    rng = np.random.default_rng(sample.seed)
    source = sources[sample.source]
    canvas = render(
        source, sample.kind, lambda r, s: background_of(backgrounds, r, s, read), rng, read, sample.poor, sample.close
    )
    return crops_of(canvas, rng)
