# SPDX-License-Identifier: Apache-2.0
"""What a camera does to a scene: blur, exposure, white balance, noise, resolution, compression. Live and attack alike.

Images are float32 RGB in 0..1, square. Everything random comes from the generator passed in.
"""

from __future__ import annotations

import cv2
import numpy as np

Rng = np.random.Generator


def chance(rng: Rng, probability: float) -> bool:
    """True with the probability."""
    return bool(rng.random() < probability)


def blur(image: np.ndarray, sigma: float) -> np.ndarray:
    """Gaussian defocus."""
    return image if sigma < 0.15 else cv2.GaussianBlur(image, (0, 0), sigma)


def motion_blur(image: np.ndarray, rng: Rng, longest: float = 7.0) -> np.ndarray:
    """A straight smear in a random direction."""
    length = rng.uniform(1.5, longest)
    angle = rng.uniform(0, np.pi)
    size = int(length) * 2 + 3
    kernel = np.zeros((size, size), np.float32)
    middle = size // 2
    dx, dy = np.cos(angle) * length / 2, np.sin(angle) * length / 2
    start = (int(round(middle - dx)), int(round(middle - dy)))
    cv2.line(kernel, start, (int(round(middle + dx)), int(round(middle + dy))), 1.0, 1)
    return cv2.filter2D(image, -1, kernel / kernel.sum())


def tone(image: np.ndarray, rng: Rng, strength: float = 1.0) -> np.ndarray:
    """Exposure, gamma, contrast, saturation and white balance."""
    out = np.clip(image * np.exp(rng.normal(0, 0.22 * strength)), 0, 1)
    out = out ** np.float32(np.exp(rng.normal(0, 0.18 * strength)))
    gains = np.exp(rng.normal(0, 0.07 * strength, 3)).astype(np.float32)
    out = out * gains
    grey = out.mean(axis=2, keepdims=True)
    out = grey + (out - grey) * np.float32(np.exp(rng.normal(-0.05, 0.2 * strength)))
    middle = out.mean()
    return np.clip(middle + (out - middle) * np.float32(np.exp(rng.normal(0, 0.12 * strength))), 0, 1)


def noise(image: np.ndarray, rng: Rng, sigma: float) -> np.ndarray:
    """Sensor noise: stronger where it is dark after gain, partly smeared by the camera's own denoising."""
    grain = rng.standard_normal(image.shape, dtype=np.float32)
    if chance(rng, 0.5):
        grain = cv2.GaussianBlur(grain, (0, 0), rng.uniform(0.5, 1.1)) * 2.0
    if chance(rng, 0.5):
        grain = grain * 0.4 + grain.mean(axis=2, keepdims=True)
    return np.clip(image + grain * sigma * (0.6 + 0.4 * (1 - image)), 0, 1)


def resample(image: np.ndarray, rng: Rng, smallest: float = 0.3) -> np.ndarray:
    """Lose resolution: shrink, then enlarge again."""
    side = image.shape[0]
    small = max(40, int(side * rng.uniform(smallest, 0.9)))
    down = cv2.resize(image, (small, small), interpolation=cv2.INTER_AREA)
    return cv2.resize(down, (side, side), interpolation=int(rng.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC])))


def sharpen(image: np.ndarray, amount: float) -> np.ndarray:
    """The halo of a camera's unsharp mask."""
    return np.clip(image + (image - cv2.GaussianBlur(image, (0, 0), 1.2)) * np.float32(amount), 0, 1)


def compress(image: np.ndarray, quality: int) -> np.ndarray:
    """A JPEG round trip (webcams stream MJPEG; video codecs leave similar blocks)."""
    good, data = cv2.imencode(".jpg", (np.clip(image, 0, 1) * 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not good:
        raise ValueError("cannot encode JPEG")
    return cv2.imdecode(data, cv2.IMREAD_COLOR).astype(np.float32) / 255


def side_light(image: np.ndarray, rng: Rng, depth: float = 0.5) -> np.ndarray:
    """A lamp or a window: a soft gradient over the picture."""
    side = image.shape[0]
    ramp = np.linspace(-1, 1, side, dtype=np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    field = ramp[None, :] * np.cos(angle) + ramp[:, None] * np.sin(angle)
    gain = 1 + rng.uniform(0, depth) * field.astype(np.float32)
    return np.clip(image * gain[..., None], 0, 1)


def photograph(image: np.ndarray, rng: Rng, strength: float = 1.0) -> np.ndarray:
    """One frame of some camera pointed at the scene; strength 1 reaches from good to poor webcams."""
    out = tone(image, rng, strength)
    if chance(rng, 0.3 * strength):
        out = side_light(out, rng)
    if chance(rng, 0.5 * strength):
        out = resample(out, rng)
    if chance(rng, 0.5 * strength):
        out = blur(out, rng.uniform(0.2, 1.6))
    if chance(rng, 0.15 * strength):
        out = motion_blur(out, rng)
    if chance(rng, 0.6 * strength):
        out = noise(out, rng, float(rng.exponential(0.022)))
    if chance(rng, 0.35 * strength):
        out = sharpen(out, rng.uniform(0.3, 1.5))
    if chance(rng, 0.7 * strength):
        out = compress(out, int(rng.integers(30, 96)))
    return out


def smear(image: np.ndarray, rng: Rng) -> np.ndarray:
    """The denoising of a cheap camera in the dark: flat skin, soft edges, colours that run."""
    out = cv2.bilateralFilter(image, 5, rng.uniform(0.05, 0.2), rng.uniform(1.5, 4))
    luma_chroma = cv2.cvtColor(out, cv2.COLOR_RGB2YCrCb)
    luma_chroma[..., 1:] = cv2.GaussianBlur(luma_chroma[..., 1:], (0, 0), rng.uniform(0.5, 4))
    return np.clip(cv2.cvtColor(luma_chroma, cv2.COLOR_YCrCb2RGB), 0, 1)


def beautify(image: np.ndarray, rng: Rng) -> np.ndarray:
    """A phone's skin smoothing: wide and edge-preserving, mixed with what it was made of."""
    smooth = cv2.bilateralFilter(image, 9, rng.uniform(0.05, 0.16), rng.uniform(2.5, 6))
    share = np.float32(rng.uniform(0.5, 1.0))
    return image + (smooth - image) * share


def recode(image: np.ndarray, rng: Rng) -> np.ndarray:
    """A video call's or a messenger's encoder: few pixels, few bits, and block edges smoothed over."""
    out = compress(resample(image, rng, 0.4), int(rng.integers(18, 65)))
    return cv2.bilateralFilter(out, 5, rng.uniform(0.02, 0.1), rng.uniform(1.0, 2.5))


def selfie(image: np.ndarray, rng: Rng) -> np.ndarray:
    """A frame of a phone's front camera or a laptop's, after its software: smoothed skin, then a video encoder."""
    out = tone(image, rng, 0.8)
    if chance(rng, 0.3):
        out = side_light(out, rng)
    if chance(rng, 0.5):
        out = noise(out, rng, rng.uniform(0.003, 0.03))
    which = rng.random()
    if which < 0.75:
        out = smear(out, rng) if which < 0.35 else beautify(out, rng)
    if chance(rng, 0.4):
        out = blur(out, rng.uniform(0.3, 1.6))
    if chance(rng, 0.75):
        out = recode(out, rng)
    if chance(rng, 0.3):
        out = sharpen(out, rng.uniform(0.3, 1.5))
    return np.clip(out, 0, 1)


def poor_webcam(image: np.ndarray, rng: Rng) -> np.ndarray:
    """A frame of a poor webcam or a video call: little light, noise smeared away, few pixels, few bits."""
    out = tone(image, rng)
    if chance(rng, 0.6):
        out = out * np.float32(rng.uniform(0.25, 0.9))
    if chance(rng, 0.4):
        out = side_light(out, rng, 0.8)
    out = noise(out, rng, rng.uniform(0.005, 0.07))
    if chance(rng, 0.7):
        out = smear(out, rng)
    if chance(rng, 0.35):
        out = motion_blur(out, rng)
    for _ in range(int(rng.integers(1, 3))):
        out = compress(resample(out, rng, 0.3), int(rng.integers(14, 60)))
    if chance(rng, 0.4):
        out = sharpen(out, rng.uniform(0.3, 2.0))
    return np.clip(out * np.float32(np.exp(rng.uniform(-0.1, 0.6))), 0, 1) if chance(rng, 0.5) else out
