# SPDX-License-Identifier: Apache-2.0
"""An interrupted run continues where it was, and what belongs to another run is not taken for its own."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

try:
    import cv2
    import numpy as np
    from liveness import sources as finding
    from liveness.cache import fingerprint, is_made_of
    from liveness.geometry import Box
    from liveness.sources import load_sources
except ImportError as error:
    raise unittest.SkipTest(str(error)) from error


class Finder:
    """A detector that counts what it is shown, finds nothing in black and gives up after a number of pictures."""

    shown, patience = 0, 10**6

    def __init__(self, path: Path) -> None:
        self.path = path

    def largest(self, picture: np.ndarray) -> Box | None:
        Finder.shown += 1
        if Finder.shown > Finder.patience:
            raise KeyboardInterrupt
        return Box(1, 2, 3, 4) if picture.any() else None


class FacesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data, self.out = Path(folder.name) / "data", Path(folder.name) / "out"
        self.write("lfw", 6)
        Finder.shown, Finder.patience = 0, 10**6
        self.addCleanup(setattr, finding, "Detector", finding.Detector)
        self.addCleanup(setattr, finding, "SAVE_EVERY", finding.SAVE_EVERY)
        finding.Detector, finding.SAVE_EVERY = Finder, 2

    def write(self, name: str, count: int) -> Path:
        folder = self.data / name
        folder.mkdir(parents=True)
        for number in range(count):
            shade = 0 if number == 0 else 200
            cv2.imwrite(str(folder / f"{name.title()}_{number:04d}.jpg"), np.full((8, 8, 3), shade, np.uint8))
        return folder

    def load(self, *more: Path, limit: int = 0) -> int:
        return len(load_sources(self.data, list(more), Path("detector"), self.out, limit))

    def test_second_call_looks_at_nothing_again(self) -> None:
        self.assertEqual((self.load(), Finder.shown), (5, 6))
        self.assertEqual((self.load(), Finder.shown), (5, 6))

    def test_interrupted_search_continues(self) -> None:
        Finder.patience = 5
        self.assertRaises(KeyboardInterrupt, self.load)
        Finder.shown, Finder.patience = 0, 10**6
        self.assertEqual((self.load(), Finder.shown), (5, 2))

    def test_folder_that_is_named_later_is_not_forgotten(self) -> None:
        self.load()
        self.assertEqual((self.load(self.write("more", 3)), Finder.shown), (7, 9))

    def test_quick_run_is_thinned(self) -> None:
        self.load(limit=3)
        self.assertEqual(Finder.shown, 3)

    def test_folder_without_pictures_is_an_error(self) -> None:
        with self.assertRaisesRegex(ValueError, "no pictures"):
            load_sources(self.out, [], Path("detector"), self.out)


class CachedFileTest(unittest.TestCase):
    def test_file_of_another_plan_is_made_again(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "crops.npz"
            self.assertFalse(is_made_of(path, fingerprint([1])))
            np.savez(path, plan=np.array(fingerprint([1])))
            self.assertTrue(is_made_of(path, fingerprint([1])))
            self.assertFalse(is_made_of(path, fingerprint([2])))


class TrainerTest(unittest.TestCase):
    def setUp(self) -> None:
        try:
            import torch  # noqa: F401
        except ImportError as error:
            raise unittest.SkipTest(str(error)) from error
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def trainer(self, name: str, count: int = 16, **settings: object):
        from liveness.cache import Crops
        from liveness.train import Settings, Trainer

        rng = np.random.default_rng(1)
        crops = Crops(
            rng.integers(0, 256, (count, 128, 128, 3), dtype=np.uint8),
            None,
            rng.normal(size=(count, 2)).astype(np.float32),
            rng.normal(size=(count, 128)).astype(np.float16),
            rng.integers(0, 5, count).astype(np.uint8),
        )
        return Trainer(crops, Settings(batch=4, epochs=1.0, **settings), self.folder / name)

    def test_run_in_two_parts_equals_one_run(self) -> None:
        from liveness.export import export

        whole = export(self.trainer("whole").run())
        first = self.trainer("parts")
        first.advance()
        first.advance()
        first.save()
        first.advance()  # lost with the interruption, and made again
        second = self.trainer("parts")
        self.assertEqual(second.step, 2)
        self.assertEqual(export(second.run()), whole)

    def test_other_settings_or_crops_are_refused(self) -> None:
        self.trainer("run").save()
        with self.assertRaisesRegex(ValueError, "other settings"):
            self.trainer("run", seed=2)
        with self.assertRaisesRegex(ValueError, "other crops"):
            self.trainer("run", count=12)

    def test_too_few_samples_are_an_error(self) -> None:
        with self.assertRaisesRegex(ValueError, "too few"):
            self.trainer("few", count=3)
