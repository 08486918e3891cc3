# SPDX-License-Identifier: Apache-2.0
"""An exported network as a trainable one again, so that training can go on from the committed file alone.

The export folds batch norm away and leaves the hint out. Here every convolution gets a batch norm that measures its
output on a few crops and then undoes what it measured: the network is the same function as before, and further
training sees the layers it expects. The hint is fitted to the teacher's features by least squares.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from .network import LivenessNet

FILTER_NORM = 0.577
"""Length of a fresh filter (uniform with variance 1 / 3 fan-in), so that the learning rate means what it did before."""


def settle(unit: nn.Sequential, weight: np.ndarray, bias: np.ndarray, x: torch.Tensor) -> torch.Tensor:
    """Put a folded convolution into convolution and norm; returns the unit's output for x."""
    conv, norm = unit[0], unit[1]
    folded, shift = torch.from_numpy(weight.copy()), torch.from_numpy(bias.copy())
    length = folded.flatten(1).norm(dim=1).clamp_min(1e-6)
    conv.weight.copy_(folded * (FILTER_NORM / length)[:, None, None, None])
    y = conv(x)
    variance, mean = torch.var_mean(y, dim=(0, 2, 3), unbiased=False)
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
    norm.weight.copy_(torch.sqrt(variance + norm.eps) * length / FILTER_NORM)
    norm.bias.copy_(shift + mean * length / FILTER_NORM)
    return unit(x)


def fit_hint(net: LivenessNet, features: torch.Tensor, wanted: torch.Tensor, ridge: float = 1e-2) -> None:
    """The linear layer that best maps the network's features to the teacher's."""
    x = torch.cat([features, torch.ones(len(features), 1)], dim=1).double()
    gram = x.T @ x / len(x) + ridge * torch.eye(x.shape[1], dtype=torch.double)
    solution = torch.linalg.solve(gram, x.T @ wanted.double() / len(x))
    net.hint.weight.copy_(solution[:-1].T.float())
    net.hint.bias.copy_(solution[-1].float())


@torch.no_grad()
def unfold(net: LivenessNet, path: Path, near: torch.Tensor, wanted: torch.Tensor) -> None:
    """Fill a fresh network from an ONNX file; `near` are crops (N, 3, 128, 128) and `wanted` the teacher's features."""
    held = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(str(path)).graph.initializer}
    net.eval()
    x = settle(net.tower[0], held["stem.weight"], held["stem.bias"], near)
    for number, block in enumerate(list(net.tower)[1:], start=1):
        y = x
        for part in ("depthwise", "pointwise"):
            name = f"block{number}.{part}"
            y = settle(getattr(block, part), held[f"{name}.weight"], held[f"{name}.bias"], y)
        x = x + y if block.residual else y
    for name in ("pool", "head"):
        layer = getattr(net, name)
        layer.weight.copy_(torch.from_numpy(held[f"{name}.weight"].copy()))
        layer.bias.copy_(torch.from_numpy(held[f"{name}.bias"].copy()))
    fit_hint(net, net.features(near), wanted)
