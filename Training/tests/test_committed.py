# SPDX-License-Identifier: Apache-2.0
"""What is committed belongs together: weights, manifest, model card and operating point. Needs no other package."""

from __future__ import annotations

import hashlib
import json
import re
import unittest
from pathlib import Path

from liveness.progress import clock_text

TOP = Path(__file__).resolve().parents[2]


class WeightsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.weights = (TOP / "Models/liveness.onnx").read_bytes()
        self.digest = hashlib.sha256(self.weights).hexdigest()

    def test_manifest_names_these_weights(self) -> None:
        models = json.loads((TOP / "Models/sources.json").read_text())["models"]
        entry = next(model for model in models if model["role"] == "liveness")
        self.assertEqual((entry["sha256"], entry["bytes"]), (self.digest, len(self.weights)))

    def test_card_and_operating_point_are_of_these_weights(self) -> None:
        self.assertIn(self.digest, (TOP / "Models/liveness.md").read_text())
        point = json.loads((TOP / "Training/operating-point.json").read_text())
        self.assertEqual(point["network_sha256"], self.digest)

    def test_weights_are_small_enough(self) -> None:
        self.assertLessEqual(len(self.weights), 600_000)


class EnvironmentTest(unittest.TestCase):
    def test_every_requirement_is_pinned_by_version_and_hash(self) -> None:
        lines = (TOP / "Training/requirements.txt").read_text().replace("\\\n", " ").splitlines()
        for line in (line for line in lines if line and not line.startswith("#")):
            self.assertRegex(line, r"^\w[\w-]*==[\d.]+\s+--hash=sha256:[0-9a-f]{64}$")

    def test_documented_targets_exist(self) -> None:
        rules = (TOP / "Training/training.mk").read_text()
        for target in set(re.findall(r"make (train-\w+)", rules + (TOP / "Training/README.md").read_text())):
            self.assertRegex(rules, rf"(?m)^{target}:")


class ProgressTest(unittest.TestCase):
    def test_time_left_is_hours_minutes_seconds(self) -> None:
        self.assertEqual([clock_text(s) for s in (-3, 59.9, 3661)], ["0:00:00", "0:00:59", "1:01:01"])
