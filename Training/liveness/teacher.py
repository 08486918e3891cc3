# SPDX-License-Identifier: Apache-2.0
"""The teacher: an Apache-2.0 MiniFASNetV2-SE that the caller supplies. Only its outputs enter the student."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime

from .geometry import to_input

FEATURE_SIZE = 128


def session_of(model: bytes | str) -> onnxruntime.InferenceSession:
    """A one-thread session over a file or its bytes."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


class Teacher:
    """Logits and the 128-number feature before the last layer."""

    def __init__(self, path: Path) -> None:
        model = onnx.load(str(path))
        last = model.graph.node[-1]
        feature = onnx.helper.make_tensor_value_info(last.input[0], onnx.TensorProto.FLOAT, [None, FEATURE_SIZE])
        model.graph.output.append(feature)
        self.session = session_of(model.SerializeToString())

    def __call__(self, crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(N, 2) logits and (N, 128) features of uint8 RGB crops (N, 128, 128, 3)."""
        logits, features = self.session.run(None, {self.session.get_inputs()[0].name: to_input(crops)})
        return logits, features


class Scorer:
    """Any network of the same contract (student or teacher): the live probability of each crop."""

    def __init__(self, path: Path) -> None:
        self.session = session_of(str(path))
        self.input = self.session.get_inputs()[0].name

    def margins(self, crops: np.ndarray, batch: int = 64) -> np.ndarray:
        """Logit of live minus logit of attack, one a crop."""
        parts = []
        for start in range(0, len(crops), batch):
            logits = self.session.run(None, {self.input: to_input(crops[start : start + batch])})[0]
            parts.append(logits[:, 0] - logits[:, 1])
        return np.concatenate(parts) if parts else np.zeros(0, np.float32)
