# SPDX-License-Identifier: Apache-2.0
"""The steps of which attacks are composed: what a file, paper, ink, a panel, glass and a hand do to a picture."""

from __future__ import annotations

import cv2
import numpy as np

from . import camera
from .camera import Rng, chance
from .canvas import Canvas, composite, soft_noise, tilt_matrix, warp_box

Rect = tuple[int, int, int, int]


def attacker_file(image: np.ndarray, rng: Rng) -> np.ndarray:
    """What the shown picture lost before it was shown: another camera, a video codec, a beauty filter."""
    if chance(rng, 0.5):
        image = camera.resample(image, rng, 0.45)
    if chance(rng, 0.25):
        image = cv2.bilateralFilter(image, 5, 0.12, 3)
    if chance(rng, 0.6):
        image = camera.compress(image, int(rng.integers(35, 92)))
    if chance(rng, 0.3):
        image = camera.sharpen(image, rng.uniform(0.3, 1.2))
    return np.clip(image, 0, 1)


def medium_rect(canvas: Canvas, rng: Rng, smallest: float, largest: float, tall: float) -> Rect:
    """Left, top, right, bottom of the shown picture: its width in face units between the bounds, the face inside."""
    side, unit = canvas.side, canvas.unit
    width = rng.uniform(smallest, largest) * unit
    height = max(width * tall * rng.uniform(0.85, 1.15), 1.05 * unit)
    slack_x, slack_y = (width - 0.8 * unit) / 2, (height - 1.0 * unit) / 2
    cx = side / 2 + rng.uniform(-0.7, 0.7) * max(0.0, slack_x)
    cy = side / 2 + rng.uniform(-0.7, 0.7) * max(0.0, slack_y)
    return int(cx - width / 2), int(cy - height / 2), int(cx + width / 2), int(cy + height / 2)


def rounded_mask(side: int, rect: Rect, radius: int) -> np.ndarray:
    """An (H, W) alpha of a rectangle with round corners."""
    mask = np.zeros((side, side), np.float32)
    left, top, right, bottom = rect
    radius = max(0, min(radius, (right - left) // 2 - 1, (bottom - top) // 2 - 1))
    cv2.rectangle(mask, (left + radius, top), (right - radius, bottom), 1.0, -1)
    cv2.rectangle(mask, (left, top + radius), (right, bottom - radius), 1.0, -1)
    for x in (left + radius, right - radius):
        for y in (top + radius, bottom - radius):
            cv2.circle(mask, (x, y), radius, 1.0, -1)
    return cv2.GaussianBlur(mask, (0, 0), 0.7)


def hold(front: np.ndarray, alpha: np.ndarray, canvas: Canvas, back: np.ndarray, rng: Rng, tilt: float) -> Canvas:
    """Tilt the medium and put it in front of the background."""
    side = canvas.side
    matrix = tilt_matrix(side, rng, tilt)
    front = cv2.warpPerspective(front, matrix, (side, side), borderMode=cv2.BORDER_REFLECT_101)
    alpha = cv2.warpPerspective(alpha, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return Canvas(composite(front, alpha, back), warp_box(canvas.box, matrix))


def ink(image: np.ndarray, rng: Rng) -> np.ndarray:
    """Paper and ink: a smaller gamut, a colour cast, halftone grain, a white that is not white."""
    black, white = rng.uniform(0.02, 0.2), rng.uniform(0.7, 1.0)
    grey = image.mean(axis=2, keepdims=True)
    out = grey + (image - grey) * np.float32(rng.uniform(0.0 if chance(rng, 0.1) else 0.45, 1.0))
    out = black + out * (white - black)
    out = out * rng.uniform(0.88, 1.06, 3).astype(np.float32)
    if chance(rng, 0.6):
        dots = rng.standard_normal(image.shape[:2], dtype=np.float32)
        dots = camera.blur(dots, rng.uniform(0.4, 1.0))[..., None]
        out = out + dots * np.float32(rng.uniform(0.01, 0.06))
    if chance(rng, 0.2):
        period, phase = rng.uniform(3, 9), rng.uniform(0, 6.28)
        bands = np.sin(np.arange(image.shape[0], dtype=np.float32) * 6.28 / period + phase)
        out = out * (1 + np.float32(rng.uniform(0.01, 0.04)) * bands[:, None, None])
    return np.clip(out, 0, 1).astype(np.float32)


def bend(front: np.ndarray, alpha: np.ndarray, rng: Rng) -> tuple[np.ndarray, np.ndarray]:
    """A sheet bent about an upright or a level axis, shaded by its slope."""
    side = front.shape[0]
    grid = np.linspace(-1, 1, side, dtype=np.float32)
    depth = rng.uniform(-0.09, 0.09)
    curve = depth * (1 - grid**2)
    xs, ys = np.meshgrid(np.arange(side, dtype=np.float32), np.arange(side, dtype=np.float32))
    shade = 1 + np.float32(rng.uniform(-1.5, 1.5) * depth) * grid * 2
    if chance(rng, 0.6):
        ys = ys + (curve * side)[None, :]
        shaded = front * shade[None, :, None]
    else:
        xs = xs + (curve * side)[:, None]
        shaded = front * shade[:, None, None]
    front = cv2.remap(shaded, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return front, cv2.remap(alpha, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def shine(image: np.ndarray, rng: Rng, strength: float) -> np.ndarray:
    """A lamp mirrored in a glossy surface: a soft spot or a band."""
    side = image.shape[0]
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32) / side
    cx, cy, angle = rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9), rng.uniform(0, np.pi)
    along = (xs - cx) * np.cos(angle) + (ys - cy) * np.sin(angle)
    across = -(xs - cx) * np.sin(angle) + (ys - cy) * np.cos(angle)
    spot = np.exp(-((along / rng.uniform(0.05, 0.6)) ** 2) - (across / rng.uniform(0.03, 0.2)) ** 2)
    tint = rng.uniform(0.85, 1.0, 3).astype(np.float32)
    return np.clip(image + np.float32(strength) * spot[..., None].astype(np.float32) * tint, 0, 1)


def mirror(image: np.ndarray, background: np.ndarray, rng: Rng) -> np.ndarray:
    """The room reflected in the glass."""
    room = cv2.GaussianBlur(background[:, ::-1], (0, 0), rng.uniform(1.5, 6))
    return np.clip(image + room * np.float32(rng.uniform(0.03, 0.18)), 0, 1)


def emit(image: np.ndarray, rng: Rng) -> np.ndarray:
    """A lit panel: its own gamma, saturation, white point and black that glows; brighter than the room or dimmer."""
    out = image ** np.float32(np.exp(rng.normal(0.0, 0.2)))
    grey = out.mean(axis=2, keepdims=True)
    out = grey + (out - grey) * np.float32(rng.uniform(0.75, 1.5))
    white = np.array([1, 1, 1]) + rng.uniform(0, 0.12) * np.array([-1.0, 0.0, 1.0]) * rng.choice([1.0, 1.0, -0.6])
    glow = rng.uniform(0.0, 0.1)
    out = (glow + out * (rng.uniform(0.65, 1.25) - glow)) * white.astype(np.float32)
    if chance(rng, 0.4):
        bright = np.clip(out - 0.6, 0, 1)
        out = out + cv2.GaussianBlur(bright, (0, 0), 0.02 * image.shape[0]) * np.float32(rng.uniform(0.1, 0.6))
    return np.clip(out, 0, 1).astype(np.float32)


def moire(image: np.ndarray, rng: Rng, depth: float) -> np.ndarray:
    """The beat of pixel grid and sensor grid: one or two warped gratings, each colour with its own phase."""
    side = image.shape[0]
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32)
    warp = soft_noise(side, rng, 2) * np.float32(rng.uniform(0, 6))
    out = image
    for _ in range(int(rng.integers(1, 3))):
        period, angle = np.exp(rng.uniform(np.log(3.5), np.log(40))), rng.uniform(0, np.pi)
        base = (xs * np.cos(angle) + ys * np.sin(angle)) * np.float32(6.283 / period) + warp
        spread = rng.uniform(0, 2.1) if chance(rng, 0.6) else 0.0
        gain = np.stack([1 + np.float32(depth) * np.sin(base + np.float32(spread * c)) for c in range(3)], axis=2)
        out = out * gain
    return np.clip(out, 0, 1).astype(np.float32)


def grid_lines(image: np.ndarray, rng: Rng) -> np.ndarray:
    """Scan lines, the visible pixel raster, or the rolling band of a flickering backlight."""
    side = image.shape[0]
    if chance(rng, 0.5):
        period = rng.uniform(2.0, 4.5)
        wave = np.sin(np.arange(side, dtype=np.float32) * np.float32(6.283 / period))
        gain = 1 + np.float32(rng.uniform(0.02, 0.12)) * wave
        if chance(rng, 0.5):
            return np.clip(image * gain[:, None, None] * gain[None, :, None], 0, 1)
        return np.clip(image * gain[:, None, None], 0, 1)
    centre, width = rng.uniform(0, side), rng.uniform(0.1, 0.4) * side
    band = np.exp(-(((np.arange(side, dtype=np.float32) - centre) / width) ** 2))
    return np.clip(image * (1 - np.float32(rng.uniform(0.05, 0.35)) * band)[:, None, None], 0, 1).astype(np.float32)


def interface(image: np.ndarray, rect: Rect, rng: Rng) -> np.ndarray:
    """What an application draws over the picture: bars, buttons, a progress line."""
    out = image.copy()
    left, top, right, bottom = rect
    width, height = right - left, bottom - top
    tint = rng.random(3) if chance(rng, 0.3) else np.full(3, rng.choice([0.05, 0.95]))
    colour = tuple(float(v) for v in tint)
    if chance(rng, 0.5):
        cv2.rectangle(out, (left, top), (right, top + int(height * rng.uniform(0.03, 0.12))), colour, -1)
    if chance(rng, 0.5):
        cv2.rectangle(out, (left, bottom - int(height * rng.uniform(0.05, 0.18))), (right, bottom), colour, -1)
    if chance(rng, 0.6):
        y = bottom - int(height * rng.uniform(0.04, 0.14))
        for k in range(int(rng.integers(1, 5))):
            button = tuple(float(v) for v in np.clip(rng.normal(0.8, 0.3, 3), 0, 1))
            middle = (left + int(width * (0.15 + 0.22 * k)), y)
            cv2.circle(out, middle, max(2, int(width * rng.uniform(0.02, 0.06))), button, -1)
    if chance(rng, 0.3):
        y = bottom - int(height * rng.uniform(0.05, 0.2))
        cv2.line(out, (left + width // 12, y), (right - width // 12, y), (0.9, 0.9, 0.9), 2)
    return composite(out, np.full(image.shape[:2], rng.uniform(0.6, 1.0), np.float32), image)
