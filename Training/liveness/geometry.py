# SPDX-License-Identifier: Apache-2.0
"""Face boxes and the crop contract. What the network is fed at login must be cut exactly as it is here."""

from __future__ import annotations

import os
from dataclasses import dataclass

import cv2
import numpy as np

CROP_SIDE = 128
CROP_SPAN = 1.5
BORDERS = {"mirrored": cv2.BORDER_REFLECT_101, "repeated": cv2.BORDER_REPLICATE}
BORDER_NAME = os.environ.get("LIVENESS_BORDER") or "repeated"
"""What is beyond the picture: its mirror image, or its last pixel again. In the environment, so that every process of
a run has the same; only an experiment sets it."""
BORDER = BORDERS[BORDER_NAME]


@dataclass(frozen=True)
class Box:
    """A face box in pixels: top left corner, width, height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        """The box's centre in pixels."""
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def longer(self) -> float:
        """The longer side in pixels."""
        return max(self.width, self.height)

    def jittered(self, rng: np.random.Generator, shift: float = 0.04, scale: float = 0.06) -> "Box":
        """The box as a less steady detector would have found it (normal noise, in units of the longer side)."""
        cx, cy = self.centre
        cx += rng.normal(0, shift) * self.longer
        cy += rng.normal(0, shift) * self.longer
        factor = float(np.exp(rng.normal(0, scale)))
        width, height = self.width * factor, self.height * factor
        return Box(cx - width / 2, cy - height / 2, width, height)


def crop_square(image: np.ndarray, box: Box, span: float = CROP_SPAN) -> np.ndarray:
    """The square of `span` times the longer box side about the box centre; beyond the picture: BORDER."""
    side = max(2, int(box.longer * span))
    cx, cy = box.centre
    left, top = int(cx - box.longer * span / 2), int(cy - box.longer * span / 2)
    height, width = image.shape[:2]
    before_x, before_y = max(0, -left), max(0, -top)
    after_x, after_y = max(0, left + side - width), max(0, top + side - height)
    if before_x or before_y or after_x or after_y:
        # a mirror is repeated as often as it takes
        image = cv2.copyMakeBorder(image, before_y, after_y, before_x, after_x, BORDER)
    return image[top + before_y : top + before_y + side, left + before_x : left + before_x + side]


def face_crop(
    image: np.ndarray, box: Box, span: float = CROP_SPAN, side: int = CROP_SIDE, interpolation: int | None = None
) -> np.ndarray:
    """The network's input as uint8 RGB, side x side: area average when shrinking, bilinear when enlarging."""
    square = crop_square(image, box, span)
    if interpolation is None:
        interpolation = cv2.INTER_AREA if square.shape[0] > side else cv2.INTER_LINEAR
    return cv2.resize(square, (side, side), interpolation=interpolation)


def to_input(crops: np.ndarray) -> np.ndarray:
    """uint8 crops (N, H, W, 3) as the float32 tensor (N, 3, H, W) in 0..1 that teacher and student read."""
    return np.ascontiguousarray(crops.transpose(0, 3, 1, 2), dtype=np.float32) / np.float32(255)
