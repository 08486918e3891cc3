# SPDX-License-Identifier: Apache-2.0
"""The student: seven depthwise-separable blocks on 128x128, two logits, about 125,000 numbers."""

from __future__ import annotations

import torch
from torch import nn

STEM = 24
BLOCKS = ((48, 2), (48, 1), (128, 2), (128, 1), (128, 1), (192, 2), (192, 1))
"""Output width and stride of each block; a block that changes neither is residual."""
FEATURE_SIZE = 128


def conv_unit(inputs: int, outputs: int, size: int, stride: int = 1, groups: int = 1) -> nn.Sequential:
    """Convolution, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Block(nn.Module):
    """Depthwise 3x3, then 1x1; with the input added when the shape allows."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.depthwise = conv_unit(inputs, inputs, 3, stride, groups=inputs)
        self.pointwise = conv_unit(inputs, outputs, 1)
        self.residual = inputs == outputs and stride == 1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(N, inputs, H, W) to (N, outputs, H / stride, W / stride)."""
        y = self.pointwise(self.depthwise(x))
        return x + y if self.residual else y


def tower(stem: int, blocks: tuple[tuple[int, int], ...]) -> nn.Sequential:
    """A stem at stride 2 and blocks."""
    layers: list[nn.Module] = [conv_unit(3, stem, 3, 2)]
    inputs = stem
    for outputs, stride in blocks:
        layers.append(Block(inputs, outputs, stride))
        inputs = outputs
    return nn.Sequential(*layers)


class LivenessNet(nn.Module):
    """Logits (class 0 live) of (N, 3, 128, 128) RGB in 0..1. `hint` maps to the teacher's feature, in training only."""

    def __init__(self) -> None:
        super().__init__()
        width = BLOCKS[-1][0]
        self.tower = tower(STEM, BLOCKS)
        self.pool = nn.Conv2d(width, width, 8, groups=width, bias=True)
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(width, 2)
        self.hint = nn.Linear(width, FEATURE_SIZE)
        nn.init.normal_(self.pool.weight, 1 / 64, 0.01)

    def features(self, near: torch.Tensor) -> torch.Tensor:
        """(N, 192) before the last layer."""
        return self.pool(self.tower(near)).flatten(1).float()

    def forward(self, near: torch.Tensor, far: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and hint; `far` is ignored."""
        features = self.features(near)
        return self.head(self.dropout(features)), self.hint(features)


class SurroundNet(LivenessNet):
    """An experiment: a second, smaller tower looks at the 2.7x surround (N, 3, 96, 96)."""

    def __init__(self) -> None:
        super().__init__()
        self.far_tower = tower(16, ((32, 2), (64, 2), (96, 2)))
        self.far_pool = nn.Conv2d(96, 96, 6, groups=96)
        self.head = nn.Linear(BLOCKS[-1][0] + 96, 2)
        nn.init.normal_(self.far_pool.weight, 1 / 36, 0.01)

    def forward(self, near: torch.Tensor, far: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and hint from both inputs."""
        if far is None:
            raise ValueError("the surround network needs the surround")
        features = self.features(near)
        around = self.far_pool(self.far_tower(far)).flatten(1).float()
        return self.head(self.dropout(torch.cat([features, around], dim=1))), self.hint(features)
