# SPDX-License-Identifier: Apache-2.0
"""The trained network as ONNX: batch norm folded into the convolutions, five kinds of operator, a free batch size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from .geometry import CROP_SIDE
from .network import Block, LivenessNet

OPSET = 13
IR_VERSION = 7


def fold(conv: nn.Conv2d, norm: nn.BatchNorm2d) -> tuple[np.ndarray, np.ndarray]:
    """Weight and bias of the convolution that equals convolution and batch norm; computed in double."""
    scale = norm.weight.double() / torch.sqrt(norm.running_var.double() + norm.eps)
    weight = conv.weight.double() * scale[:, None, None, None]
    bias = norm.bias.double() - norm.running_mean.double() * scale
    return weight.detach().float().numpy(), bias.detach().float().numpy()


class Graph:
    """Collects nodes and initialisers; values are numbered in order, so the file depends on the weights alone."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.initialisers: list[onnx.TensorProto] = []

    def constant(self, name: str, value: np.ndarray) -> str:
        """An initialiser."""
        self.initialisers.append(numpy_helper.from_array(np.ascontiguousarray(value, np.float32), name))
        return name

    def add(self, operator: str, inputs: list[str], output: str, **attributes: object) -> str:
        """A node with one output of the given name."""
        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def unit(self, unit: nn.Sequential, x: str, name: str) -> str:
        """Convolution, folded batch norm, ReLU."""
        conv = unit[0]
        weight, bias = fold(conv, unit[1])
        inputs = [x, self.constant(f"{name}.weight", weight), self.constant(f"{name}.bias", bias)]
        y = self.add(
            "Conv",
            inputs,
            f"{name}.conv",
            kernel_shape=list(conv.kernel_size),
            strides=list(conv.stride),
            pads=list(conv.padding) * 2,
            group=conv.groups,
        )
        return self.add("Relu", [y], f"{name}.relu")

    def block(self, block: Block, x: str, name: str) -> str:
        """A depthwise-separable block."""
        y = self.unit(block.depthwise, x, f"{name}.depthwise")
        y = self.unit(block.pointwise, y, f"{name}.pointwise")
        return self.add("Add", [x, y], f"{name}.sum") if block.residual else y


def export(net: LivenessNet) -> bytes:
    """The ONNX file of a network in evaluation mode: input (N, 3, 128, 128), output (N, 2)."""
    graph = Graph()
    x = graph.unit(net.tower[0], "input", "stem")
    for number, block in enumerate(list(net.tower)[1:], start=1):
        x = graph.block(block, x, f"block{number}")
    pool = [x, graph.constant("pool.weight", net.pool.weight.detach().numpy())]
    pool.append(graph.constant("pool.bias", net.pool.bias.detach().numpy()))
    x = graph.add("Conv", pool, "pool", kernel_shape=[8, 8], group=net.pool.groups)
    x = graph.add("Flatten", [x], "features", axis=1)
    head = [x, graph.constant("head.weight", net.head.weight.detach().numpy())]
    graph.add("Gemm", [*head, graph.constant("head.bias", net.head.bias.detach().numpy())], "output", transB=1)
    shape = ["n", 3, CROP_SIDE, CROP_SIDE]
    body = helper.make_graph(
        graph.nodes,
        "liveness",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT, ["n", 2])],
        graph.initialisers,
    )
    model = helper.make_model(body, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="second-look")
    model.ir_version = IR_VERSION
    onnx.checker.check_model(model, full_check=True)
    return model.SerializeToString(deterministic=True)


def write(net: LivenessNet, path: Path) -> bytes:
    """Export to a file."""
    data = export(net)
    path.write_bytes(data)
    return data
