# SPDX-License-Identifier: Apache-2.0
"""The attack synthesis on made-up pictures: fixed by its seed, in range, and the face stays in view."""

from __future__ import annotations

import unittest

try:
    import numpy as np
    from liveness.attacks import ATTACKS
    from liveness.canvas import cut_canvas, tilt_matrix, warp_box
    from liveness.geometry import Box
    from liveness.sources import person_is_held_out
except ImportError as error:
    raise unittest.SkipTest(str(error)) from error


def picture() -> np.ndarray:
    """A smooth coloured picture."""
    ys, xs = np.mgrid[0:250, 0:250]
    return np.stack([xs, ys, (xs + ys) // 2], axis=2).astype(np.uint8)


class AttackTest(unittest.TestCase):
    def test_every_attack_is_fixed_by_its_seed(self) -> None:
        for name, attack in ATTACKS.items():
            with self.subTest(attack=name):
                scenes = []
                for _ in range(2):
                    canvas = cut_canvas(picture(), Box(80, 60, 90, 130), 240)
                    background = np.full((240, 240, 3), 0.4, np.float32)
                    scenes.append(attack(canvas, background, np.random.default_rng(9)))
                self.assertTrue((scenes[0].image == scenes[1].image).all())
                self.assertEqual(scenes[0].box, scenes[1].box)

    def test_every_attack_is_finite_light_with_the_face_in_view(self) -> None:
        for name, attack in ATTACKS.items():
            for seed in range(6):
                with self.subTest(attack=name, seed=seed):
                    canvas = cut_canvas(picture(), Box(80, 60, 90, 130), 240)
                    scene = attack(canvas, np.zeros((240, 240, 3), np.float32), np.random.default_rng(seed))
                    self.assertTrue(np.isfinite(scene.image).all())
                    self.assertGreaterEqual(float(scene.image.min()), 0.0)
                    # a bent sheet may be brighter than white; the camera clips
                    self.assertLess(float(scene.image.max()), 1.5)
                    self.assertTrue(all(60 < value < 180 for value in scene.box.centre))


class CanvasTest(unittest.TestCase):
    def test_face_is_centred_at_its_span(self) -> None:
        canvas = cut_canvas(picture(), Box(80, 60, 90, 130), 280)
        self.assertAlmostEqual(canvas.unit, 100.0)
        self.assertEqual(canvas.box.centre, (140.0, 140.0))

    def test_box_follows_a_pure_shift(self) -> None:
        matrix = np.array([[1, 0, 5], [0, 1, -3], [0, 0, 1]], np.float64)
        box = warp_box(Box(10, 20, 30, 40), matrix)
        self.assertAlmostEqual(box.x, 15.0, places=4)
        self.assertAlmostEqual(box.height, 40.0, places=4)

    def test_no_tilt_keeps_the_centre(self) -> None:
        matrix = tilt_matrix(200, np.random.default_rng(1), 0.0)
        centre = warp_box(Box(80, 80, 40, 40), matrix).centre
        self.assertAlmostEqual(centre[0], 100.0, places=2)


class SplitTest(unittest.TestCase):
    def test_share_of_people_is_about_eight_percent(self) -> None:
        held_out = sum(person_is_held_out(f"Person_{number}") for number in range(5000))
        self.assertTrue(330 < held_out < 470)
