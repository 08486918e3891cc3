# SPDX-License-Identifier: Apache-2.0
"""Training of Second Look's passive liveness network: from folders of pictures to an ONNX file."""
