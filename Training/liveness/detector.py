# SPDX-License-Identifier: Apache-2.0
"""The face detector in training: YuNet over ONNX Runtime, decoded in NumPy."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from .geometry import Box

STRIDES = (8, 16, 32)


def decode(outputs: dict[str, np.ndarray], width: int, threshold: float) -> np.ndarray:
    """Rows of (x, y, width, height, score) in input pixels, best first, before suppression."""
    rows = []
    for stride in STRIDES:
        score = np.sqrt(np.clip(outputs[f"cls_{stride}"], 0, 1) * np.clip(outputs[f"obj_{stride}"], 0, 1))[0, :, 0]
        keep = np.flatnonzero(score >= threshold)
        bbox = outputs[f"bbox_{stride}"][0, keep]
        columns = width // stride
        centre = (np.stack([keep % columns, keep // columns], axis=1) + bbox[:, :2]) * stride
        size = np.exp(bbox[:, 2:]) * stride
        rows.append(np.concatenate([centre - size / 2, size, score[keep, None]], axis=1))
    found = np.concatenate(rows)
    return found[np.argsort(-found[:, 4], kind="stable")]


def overlap(a: np.ndarray, b: np.ndarray) -> float:
    """Intersection over union of two rows."""
    left, top = np.maximum(a[:2], b[:2])
    right, bottom = np.minimum(a[:2] + a[2:4], b[:2] + b[2:4])
    shared = max(0.0, right - left) * max(0.0, bottom - top)
    return float(shared / (a[2] * a[3] + b[2] * b[3] - shared))


def suppress(rows: np.ndarray, limit: float = 0.3) -> list[np.ndarray]:
    """Greedy non-maximum suppression."""
    kept: list[np.ndarray] = []
    for row in rows:
        if all(overlap(row, other) <= limit for other in kept):
            kept.append(row)
    return kept


class Detector:
    """Faces of a BGR picture; `longest` bounds the picture's longer side before detection."""

    def __init__(self, path: Path, longest: int = 640, threshold: float = 0.6) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.names = [output.name for output in self.session.get_outputs()]
        self.longest, self.threshold = longest, threshold

    def faces(self, picture: np.ndarray) -> list[tuple[Box, float]]:
        """Boxes in the picture's own pixels with their scores, best first."""
        scale = min(1.0, self.longest / max(picture.shape[:2]))
        small = picture if scale == 1.0 else cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        height, width = (-(-size // 32) * 32 for size in small.shape[:2])
        padded = np.zeros((height, width, 3), np.float32)
        padded[: small.shape[0], : small.shape[1]] = small
        outputs = self.session.run(None, {"input": padded.transpose(2, 0, 1)[None]})
        rows = suppress(decode(dict(zip(self.names, outputs)), width, self.threshold))
        return [(Box(*(float(v) / scale for v in row[:4])), float(row[4])) for row in rows]

    def largest(self, picture: np.ndarray) -> Box | None:
        """The biggest face, or None."""
        boxes = [box for box, _ in self.faces(picture)]
        return max(boxes, key=lambda box: box.longer, default=None)
