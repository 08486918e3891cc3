# SPDX-License-Identifier: Apache-2.0
"""The cameras: bright edges do not wrap to black, and a close face has a border where the picture ends."""

from __future__ import annotations

import unittest

try:
    import numpy as np
    from liveness import camera
    from liveness.canvas import Canvas
    from liveness.geometry import Box
    from liveness.recipe import CLOSE_CHANCE, CLOSE_SHARE, PLAN, frame_close, plan, plan_close
    from liveness.sources import Source
    from liveness.validation import VIEWS, plan_hard
except ImportError as error:
    raise unittest.SkipTest(str(error)) from error


def sources() -> list[Source]:
    """Frames of every kind on both sides of the split, without pictures behind them."""
    return [
        Source(f"{kind}-{held}-{number}", kind, f"{kind}-{held}", held, (0, 0, 50, 60))
        for kind in PLAN
        for held in (False, True)
        for number in range(20)
    ]


class CompressTest(unittest.TestCase):
    def test_overshoot_stays_white(self) -> None:
        self.assertGreater(float(camera.compress(np.full((32, 32, 3), 1.02, np.float32), 90).min()), 0.95)


class CloseTest(unittest.TestCase):
    def canvas(self) -> Canvas:
        noise = np.random.default_rng(2).random((280, 280, 3), dtype=np.float32)
        return Canvas(noise, Box(90, 90, 80, 100))

    def test_face_stays_and_the_border_begins_within_the_square(self) -> None:
        for seed in range(8):
            with self.subTest(seed=seed):
                before = self.canvas()
                after = frame_close(before, np.random.default_rng(seed))
                self.assertEqual((after.image.shape, after.box), (before.image.shape, before.box))
                changed = (after.image != before.image).any(axis=2)
                self.assertFalse(changed[120:160, 110:150].any())
                self.assertTrue(changed[65:215, 55:205].any())

    def test_same_seed_ends_the_picture_at_the_same_place(self) -> None:
        images = [frame_close(self.canvas(), np.random.default_rng(4)).image for _ in range(2)]
        self.assertTrue((images[0] == images[1]).all())


class BeautyTest(unittest.TestCase):
    def test_grain_goes_and_an_edge_stays(self) -> None:
        image = np.full((64, 64, 3), 0.2, np.float32)
        image[:, 32:] = 0.8
        image += np.random.default_rng(3).normal(0, 0.02, image.shape).astype(np.float32)
        smooth = camera.beautify(image, np.random.default_rng(4))
        self.assertLess(float(smooth[:, :28].std()), 0.6 * float(image[:, :28].std()))
        self.assertGreater(float((smooth[:, 32] - smooth[:, 31]).mean()), 0.5)


class PlanTest(unittest.TestCase):
    def test_an_ordinary_run_has_its_share_of_close_faces_of_every_kind(self) -> None:
        samples = plan(sources(), 1)
        for live in (False, True):
            close = [sample.close for sample in samples if sample.is_live == live]
            self.assertLess(abs(sum(close) / len(close) - CLOSE_CHANCE), 0.08)

    def test_close_samples_are_of_what_is_trained_on_and_as_often_live_as_attack(self) -> None:
        known = [source for source in sources() if source.kind != "nuaa-print"]
        samples = plan_close(known, 1)
        self.assertTrue(samples and all(sample.close and not known[sample.source].held_out for sample in samples))
        self.assertEqual(sum(sample.is_live for sample in samples) * 2, len(samples))
        self.assertEqual(set(CLOSE_SHARE), set(PLAN))

    def test_hard_sessions_are_of_held_out_people_in_each_view_with_names_of_their_own(self) -> None:
        planned = plan_hard(sources())
        self.assertEqual(len({(name, kind) for name, kind, *_ in planned}), len(planned))
        for name, kind, live, _, frames in planned:
            self.assertTrue(kind.startswith(VIEWS) and all(frame.held_out for frame in frames), name)
            self.assertEqual(live, kind.endswith("camera"))
