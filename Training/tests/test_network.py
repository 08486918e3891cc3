# SPDX-License-Identifier: Apache-2.0
"""The exported ONNX equals the framework's network; the size and the loss are what they are said to be."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

try:
    import numpy as np
    import torch
    from liveness.export import export
    from liveness.network import LivenessNet
    from liveness.teacher import session_of
    from liveness.train import Settings, loss_of
    from liveness.unfold import unfold
except ImportError as error:
    raise unittest.SkipTest(str(error)) from error


def shaken_network() -> LivenessNet:
    """Random weights and random batch statistics, so that nothing folds trivially."""
    torch.manual_seed(5)
    net = LivenessNet()
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.3)
            module.running_var.uniform_(0.5, 2)
            torch.nn.init.uniform_(module.weight, 0.5, 1.5)
            torch.nn.init.normal_(module.bias, 0, 0.2)
    return net.eval()


class ExportTest(unittest.TestCase):
    def test_logits_equal_the_frameworks(self) -> None:
        net, data = shaken_network(), np.random.default_rng(3).random((5, 3, 128, 128), dtype=np.float32)
        with torch.no_grad():
            expected = net(torch.from_numpy(data))[0].numpy()
        got = session_of(export(net)).run(None, {"input": data})[0]
        self.assertLess(np.abs(got - expected).max() / max(1.0, np.abs(expected).max()), 1e-5)

    def test_network_taken_up_again_is_the_same_function(self) -> None:
        rng = np.random.default_rng(4)
        crops = torch.from_numpy(rng.random((40, 3, 128, 128), dtype=np.float32))
        net, again = shaken_network(), LivenessNet()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "net.onnx"
            path.write_bytes(export(net))
            unfold(again, path, crops, torch.from_numpy(rng.normal(size=(40, 128)).astype(np.float32)))
        with torch.no_grad():
            expected, got = net(crops)[0], again(crops)[0]
            self.assertLess(float((got - expected).abs().max() / expected.abs().max()), 1e-4)
            again.dropout.p = 0.0
            trained_on = again.train()(crops)[0]
        # In training mode the batch's own statistics are those that were measured.
        self.assertLess(float((trained_on - expected).abs().max() / expected.abs().max()), 1e-3)

    def test_same_weights_give_the_same_bytes(self) -> None:
        self.assertEqual(export(shaken_network()), export(shaken_network()))

    def test_file_is_small_enough(self) -> None:
        self.assertLessEqual(len(export(LivenessNet().eval())), 600_000)


class LossTest(unittest.TestCase):
    def loss(self, teacher_says_live: bool, gated: bool) -> float:
        logits = torch.tensor([[-3.0, 3.0]])
        teacher = torch.tensor([[4.0, -4.0]] if teacher_says_live else [[-4.0, 4.0]])
        feature = torch.ones(1, 128)
        return float(loss_of(logits, feature, teacher, feature, torch.tensor([False]), Settings(gated=gated)))

    def test_agreeing_teacher_is_heard_alike(self) -> None:
        self.assertAlmostEqual(self.loss(False, True), self.loss(False, False), places=6)

    def test_contradicting_teacher_is_heard_less(self) -> None:
        self.assertLess(self.loss(True, True), 0.5 * self.loss(True, False))
