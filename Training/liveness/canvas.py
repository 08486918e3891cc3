# SPDX-License-Identifier: Apache-2.0
"""The square piece of a picture around a face on which live scenes and attacks are rendered, and how it is warped."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .geometry import BORDER, Box

SPAN = 2.8
"""A canvas's side in units of the longer box side: the surround crop (2.7) and some room to jitter."""


@dataclass
class Canvas:
    """A rendered scene with its face: float32 RGB in 0..1, square."""

    image: np.ndarray
    box: Box

    @property
    def side(self) -> int:
        """The canvas's side in pixels."""
        return int(self.image.shape[0])

    @property
    def unit(self) -> float:
        """The longer box side in pixels."""
        return self.box.longer


def cut_canvas(picture: np.ndarray, box: Box, side: int, turn: float = 0.0) -> Canvas:
    """The canvas around a face of a uint8 RGB picture, turned by `turn` radians; beyond the picture: BORDER."""
    scale = side / (box.longer * SPAN)
    cosine, sine = np.cos(turn) * scale, np.sin(turn) * scale
    cx, cy = box.centre
    matrix = np.array(
        [
            [cosine, -sine, side / 2 - cosine * cx + sine * cy],
            [sine, cosine, side / 2 - sine * cx - cosine * cy],
        ]
    )
    shrink = scale < 0.7
    if shrink:
        picture = cv2.GaussianBlur(picture, (0, 0), 0.45 / scale)
    image = cv2.warpAffine(picture, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=BORDER)
    width, height = box.width * scale, box.height * scale
    return Canvas(image.astype(np.float32) / 255, Box((side - width) / 2, (side - height) / 2, width, height))


def tilt_matrix(side: int, rng: np.random.Generator, strength: float) -> np.ndarray:
    """A homography that moves the canvas's corners by up to `strength` of its side, as a hand tilts a thing."""
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * side
    moved = corners + rng.uniform(-strength, strength, (4, 2)).astype(np.float32) * side
    angle = rng.normal(0, 0.09)
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], np.float32)
    moved = (moved - side / 2) @ rotation.T + side / 2
    return cv2.getPerspectiveTransform(corners, moved.astype(np.float32))


def warp_box(box: Box, matrix: np.ndarray) -> Box:
    """The upright box about the warped box's corners, shrunk to the original's aspect by the mean side."""
    xs, ys = (box.x, box.x + box.width), (box.y, box.y + box.height)
    corners = np.array([[[xs[0], ys[0]], [xs[1], ys[0]], [xs[1], ys[1]], [xs[0], ys[1]]]], np.float32)
    warped = cv2.perspectiveTransform(corners, matrix)[0]
    centre = warped.mean(axis=0)
    area = abs(float(cv2.contourArea(warped)))
    factor = np.sqrt(area / (box.width * box.height))
    width, height = box.width * factor, box.height * factor
    return Box(float(centre[0] - width / 2), float(centre[1] - height / 2), float(width), float(height))


def composite(front: np.ndarray, alpha: np.ndarray, back: np.ndarray) -> np.ndarray:
    """Front over back by an (H, W) alpha."""
    alpha = alpha[..., None]
    return front * alpha + back * (1 - alpha)


def soft_noise(side: int, rng: np.random.Generator, cells: int) -> np.ndarray:
    """A smooth random field in 0..1, (side, side), with about `cells` bumps across."""
    coarse = rng.random((cells + 2, cells + 2), dtype=np.float32)
    return np.clip(cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC), 0, 1)
