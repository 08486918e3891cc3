# SPDX-License-Identifier: Apache-2.0
"""Presentation attacks, synthesised: a printed photo, a monitor or tablet, a hand-held phone.

Each takes a canvas (the picture the attacker shows), a background (what is behind the medium) and a generator, and
returns the scene as the eye would see it; `camera.photograph` then takes the frame. The order is the physical one:
what the attacker's file lost, what the medium does to it, what is around it, how it is held, what it reflects. The
steps are in `surfaces`.
"""

from __future__ import annotations

import cv2
import numpy as np

from . import camera
from .camera import Rng, chance
from .canvas import Canvas, composite, soft_noise
from .surfaces import (
    Rect,
    attacker_file,
    bend,
    emit,
    grid_lines,
    hold,
    ink,
    interface,
    medium_rect,
    mirror,
    moire,
    rounded_mask,
    shine,
)

SKIN_TONES = np.array(
    [[0.93, 0.76, 0.66], [0.82, 0.62, 0.50], [0.66, 0.46, 0.35], [0.45, 0.30, 0.22], [0.30, 0.20, 0.15]]
)



def in_device(front: np.ndarray, rect: Rect, canvas: Canvas, rng: Rng) -> tuple[np.ndarray, np.ndarray]:
    """The lit picture inside its letterbox, bezel and frame; the alpha is the whole device."""
    side, unit = canvas.side, canvas.unit
    left, top, right, bottom = rect
    lit = rect
    if chance(rng, 0.35):
        bar = int(rng.uniform(0.05, 0.5) * unit)
        rect = (left, top - bar, right, bottom + bar) if chance(rng, 0.7) else (left - bar, top, right + bar, bottom)
    panel = np.full_like(front, rng.choice([0.0, 0.02, 0.05, 0.9], p=[0.5, 0.25, 0.15, 0.1]))
    front = composite(front, rounded_mask(side, lit, 0), panel)
    if chance(rng, 0.45):
        front = interface(front, rect, rng)
    bezel = max(1, int(unit * (rng.uniform(0.01, 0.05) if chance(rng, 0.6) else rng.uniform(0.05, 0.25))))
    chin = bezel + (int(unit * rng.uniform(0.0, 0.3)) if chance(rng, 0.3) else 0)
    body = (rect[0] - bezel, rect[1] - chin, rect[2] + bezel, rect[3] + chin)
    shade = rng.uniform(0.0, 0.12, 3) if chance(rng, 0.75) else rng.uniform(0.6, 0.95, 3)
    sheen = shade.astype(np.float32) * soft_noise(side, rng, 3)[..., None] * 0.4 + shade * 0.6
    case = np.full_like(front, 1.0) * sheen
    radius = int(unit * rng.uniform(0.0, 0.15))
    front = composite(front, rounded_mask(side, rect, radius), case.astype(np.float32))
    return front, rounded_mask(side, body, radius + bezel)


def fingers(scene: np.ndarray, alpha: np.ndarray, rng: Rng) -> np.ndarray:
    """A hand at the device's edges: finger tips over the rim, lit like the room and not like the screen."""
    side = scene.shape[0]
    tone = SKIN_TONES[rng.integers(len(SKIN_TONES))] * rng.uniform(0.5, 1.1)
    edges = np.argwhere((alpha > 0.4) & (alpha < 0.6))
    if len(edges) == 0:
        return scene
    mask = np.zeros((side, side), np.float32)
    centre = np.array([side / 2, side / 2])
    for _ in range(int(rng.integers(1, 6))):
        at = edges[rng.integers(len(edges))]
        outward = at - centre
        angle = np.degrees(np.arctan2(outward[0], outward[1])) + rng.normal(0, 20)
        axes = (int(side * rng.uniform(0.05, 0.16)), int(side * rng.uniform(0.025, 0.055)))
        middle = at + outward / max(1.0, np.linalg.norm(outward)) * axes[0] * rng.uniform(0.2, 0.8)
        cv2.ellipse(mask, (int(middle[1]), int(middle[0])), axes, float(angle), 0, 360, 1.0, -1)
    mask = cv2.GaussianBlur(mask, (0, 0), side * 0.006)
    relief = cv2.GaussianBlur(mask, (0, 0), side * 0.02)[..., None] * 0.5 + 0.5
    return composite((tone.astype(np.float32) * relief).astype(np.float32), mask, scene)


def printed(canvas: Canvas, background: np.ndarray, rng: Rng) -> Canvas:
    """A photo on paper held in front of the camera."""
    side = canvas.side
    front = ink(attacker_file(canvas.image, rng), rng)
    front = camera.blur(front, rng.uniform(0.0, 1.0))
    alpha = np.ones((side, side), np.float32)
    if chance(rng, 0.6):
        rect = medium_rect(canvas, rng, 1.0, 2.6, rng.uniform(0.8, 1.5))
        border = int(rng.uniform(0, 0.2) * canvas.unit)
        paper = np.full_like(front, 1.0) * rng.uniform(0.75, 1.0, 3).astype(np.float32)
        front = composite(front, rounded_mask(side, rect, 0), paper)
        alpha = rounded_mask(side, (rect[0] - border, rect[1] - border, rect[2] + border, rect[3] + border), 0)
    if chance(rng, 0.6):
        front, alpha = bend(front, alpha, rng)
    if chance(rng, 0.35):
        front = shine(front, rng, rng.uniform(0.1, 0.5))
    return hold(front, alpha, canvas, background, rng, rng.uniform(0.0, 0.08))


def screen(canvas: Canvas, background: np.ndarray, rng: Rng) -> Canvas:
    """A monitor, laptop or tablet that fills most of the view, with moire and raster as a rule."""
    side = canvas.side
    front = emit(attacker_file(canvas.image, rng), rng)
    alpha = np.ones((side, side), np.float32)
    if chance(rng, 0.35):
        rect = medium_rect(canvas, rng, 1.6, 3.0, rng.uniform(0.6, 1.3))
        front, alpha = in_device(front, rect, canvas, rng)
    if chance(rng, 0.75):
        front = moire(front, rng, rng.uniform(0.015, 0.12))
    if chance(rng, 0.4):
        front = grid_lines(front, rng)
    if chance(rng, 0.4):
        front = shine(front, rng, rng.uniform(0.1, 0.6))
    if chance(rng, 0.3):
        front = mirror(front, background, rng)
    return hold(front, alpha, canvas, background, rng, rng.uniform(0.0, 0.05))


def phone(canvas: Canvas, background: np.ndarray, rng: Rng) -> Canvas:
    """A phone in a hand: seldom moire, often edges and fingers, sometimes nothing but the light of the panel."""
    front = emit(attacker_file(canvas.image, rng), rng)
    tall = rng.uniform(1.2, 2.1) if chance(rng, 0.75) else rng.uniform(0.5, 0.9)
    narrow = chance(rng, 0.6)
    rect = medium_rect(canvas, rng, 0.95 if narrow else 1.7, 1.7 if narrow else 2.6, tall)
    front, alpha = in_device(front, rect, canvas, rng)
    if chance(rng, 0.15):
        front = moire(front, rng, rng.uniform(0.01, 0.06))
    if chance(rng, 0.1):
        front = grid_lines(front, rng)
    if chance(rng, 0.45):
        front = shine(front, rng, rng.uniform(0.05, 0.5))
    if chance(rng, 0.35):
        front = mirror(front, background, rng)
    dim = background * np.float32(rng.uniform(0.25, 1.0))
    nothing = np.zeros(dim.shape[:2], np.float32)
    held = hold(np.dstack([front, alpha]), alpha, canvas, np.dstack([dim, nothing]), rng, rng.uniform(0.0, 0.07))
    scene, shape = held.image[..., :3], held.image[..., 3]
    if chance(rng, 0.5):
        scene = fingers(scene, shape, rng)
    return Canvas(np.clip(scene, 0, 1).astype(np.float32), held.box)


ATTACKS = {"print": printed, "screen": screen, "phone": phone}
