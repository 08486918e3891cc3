# SPDX-License-Identifier: Apache-2.0
"""The crop contract and the detector's decoding on made-up pictures."""

from __future__ import annotations

import unittest

try:
    import cv2  # noqa: F401
    import numpy as np
    from liveness.detector import decode, suppress
    from liveness.geometry import Box, crop_square, face_crop, to_input
except ImportError as error:  # Debian's own Python has no OpenCV
    raise unittest.SkipTest(str(error)) from error


class CropTest(unittest.TestCase):
    def test_side_is_one_and_a_half_longer_sides(self) -> None:
        square = crop_square(np.zeros((200, 200, 3), np.uint8), Box(80, 70, 40, 60))
        self.assertEqual(square.shape, (90, 90, 3))

    def test_inside_the_picture_it_is_a_slice(self) -> None:
        picture = np.arange(100 * 100, dtype=np.uint16).reshape(100, 100)
        square = crop_square(picture, Box(40, 40, 20, 20))
        self.assertTrue((square == picture[35:65, 35:65]).all())

    def test_beyond_the_border_the_last_pixel_is_repeated(self) -> None:
        picture = np.tile(np.arange(7, 57, dtype=np.uint8), (50, 1))
        self.assertEqual(crop_square(picture, Box(0, 15, 20, 20))[0, :7].tolist(), [7, 7, 7, 7, 7, 7, 8])
        self.assertEqual(crop_square(picture, Box(30, 15, 20, 20))[0, -7:].tolist(), [55, 56, 56, 56, 56, 56, 56])

    def test_a_face_larger_than_the_picture_still_fills_the_crop(self) -> None:
        self.assertEqual(face_crop(np.full((40, 40, 3), 9, np.uint8), Box(-60, -60, 150, 150)).shape, (128, 128, 3))

    def test_tensor_is_planar_and_in_unit_range(self) -> None:
        crops = np.zeros((2, 128, 128, 3), np.uint8)
        crops[0, 0, 0] = [255, 51, 0]
        tensor = to_input(crops)
        self.assertEqual(tensor.shape, (2, 3, 128, 128))
        self.assertAlmostEqual(float(tensor[0, 1, 0, 0]), 0.2, places=6)


class DecodeTest(unittest.TestCase):
    def outputs(self) -> dict[str, np.ndarray]:
        made = {}
        for stride in (8, 16, 32):
            cells = (64 // stride) ** 2
            for name, width in (("cls", 1), ("obj", 1), ("bbox", 4)):
                made[f"{name}_{stride}"] = np.zeros((1, cells, width), np.float32)
        return made

    def test_cell_offset_and_size(self) -> None:
        outputs = self.outputs()
        outputs["cls_16"][0, 6], outputs["obj_16"][0, 6] = 0.81, 1.0
        outputs["bbox_16"][0, 6] = [0.5, 0.25, np.log(2), 0]
        rows = decode(outputs, 64, 0.5)
        np.testing.assert_allclose(rows, [[40 - 16, 20 - 8, 32, 16, 0.9]], rtol=1e-6)

    def test_overlapping_rows_are_suppressed(self) -> None:
        rows = np.array([[0, 0, 10, 10, 0.9], [1, 0, 10, 10, 0.8], [30, 30, 10, 10, 0.7]])
        self.assertEqual([row[4] for row in suppress(rows)], [0.9, 0.7])
