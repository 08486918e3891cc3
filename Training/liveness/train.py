# SPDX-License-Identifier: Apache-2.0
"""Distillation of the student: the teacher's logits and feature, and the labels. Resumes from its checkpoint."""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from .cache import Crops
from .network import LivenessNet, SurroundNet
from .progress import Progress
from .recipe import KINDS
from .unfold import unfold

START_CROPS = 1024
"""Crops by which an exported network is made trainable again."""


@dataclass(frozen=True)
class Settings:
    """Everything that tells two runs apart."""

    epochs: float = 6.0
    start: str = ""
    batch: int = 128
    rate: float = 3e-3
    decay: float = 0.02
    label_weight: float = 0.3
    gated: bool = True
    gate_attacks: bool = True
    surround: bool = False
    without: tuple[str, ...] = ()
    averaging: float = 0.998
    seed: int = 1

    def network(self) -> LivenessNet:
        """A network with fresh weights; `start` names the run or the ONNX file whose weights the trainer then puts in."""
        torch.manual_seed(self.seed)
        return SurroundNet() if self.surround else LivenessNet()


def distance(student: torch.Tensor, teacher: torch.Tensor, temperature: float) -> torch.Tensor:
    """Kullback-Leibler divergence from teacher to student at a temperature, times its square; one a sample."""
    log_student = functional.log_softmax(student / temperature, dim=1)
    probability = functional.softmax(teacher / temperature, dim=1)
    loss = functional.kl_div(log_student, probability, reduction="none").sum(dim=1)
    return loss * temperature**2


def loss_of(
    logits: torch.Tensor,
    hint: torch.Tensor,
    teacher: torch.Tensor,
    feature: torch.Tensor,
    live: torch.Tensor,
    settings: Settings,
) -> torch.Tensor:
    """Distillation at T = 1 and (weighed 3/9) at T = 3, the feature hint, and smoothed labels.

    Gated: where the teacher contradicts the label it is heard at a quarter and the label counts in full; that is how
    the student can learn attacks that the teacher lets pass. With `gate_attacks` off this holds for live samples only.
    """
    target = torch.where(live, 0.97, 0.03)
    target = torch.stack([target, 1 - target], dim=1)
    label = -(target * functional.log_softmax(logits, dim=1)).sum(dim=1)
    match = 1 - functional.cosine_similarity(hint, feature, dim=1)
    taught = distance(logits, teacher, 1.0) + distance(logits, teacher, 3.0) / 3 + match
    if not settings.gated:
        return (taught + settings.label_weight * label).mean()
    wrong = (teacher[:, 0] > teacher[:, 1]) != live
    wrong = (wrong if settings.gate_attacks else wrong & live).float()
    return (taught * (1 - 0.75 * wrong) + label * (settings.label_weight + (1 - settings.label_weight) * wrong)).mean()


def tensor_of(crops: np.ndarray, flip: np.ndarray | None = None, gain: np.ndarray | None = None) -> torch.Tensor:
    """uint8 crops as a channels-last float tensor in 0..1, some mirrored, some brighter or darker."""
    batch = torch.from_numpy(crops).permute(0, 3, 1, 2).float() / 255
    if flip is not None:
        batch = torch.where(torch.from_numpy(flip)[:, None, None, None], batch.flip(3), batch)
    if gain is not None:
        batch = (batch * torch.from_numpy(gain)[:, None, None, None]).clamp(0, 1)
    return batch.contiguous(memory_format=torch.channels_last)


class Trainer:
    """One run: weights, their running average, optimiser, step."""

    def __init__(self, crops: Crops, settings: Settings, folder: Path) -> None:
        self.crops, self.settings, self.folder = crops, settings, folder
        self.chosen = np.flatnonzero(~np.isin(crops.kind, [KINDS.index(kind) for kind in settings.without]))
        self.per_epoch = len(self.chosen) // settings.batch
        self.total = int(self.per_epoch * settings.epochs)
        if self.total == 0:
            raise ValueError(f"{len(self.chosen)} samples are too few for {settings.epochs} epochs of {settings.batch}")
        self.net = settings.network()
        if settings.start and not (folder / "checkpoint.pt").exists():
            self.begin_with(settings.start)
        self.net = self.net.to(memory_format=torch.channels_last).train()
        self.average = {name: value.clone() for name, value in self.net.state_dict().items()}
        self.optimiser = torch.optim.AdamW(self.net.parameters(), lr=settings.rate, weight_decay=settings.decay)
        self.step, self.seen = 0, 0.0
        folder.mkdir(parents=True, exist_ok=True)
        self.resume()

    def begin_with(self, start: str) -> None:
        """Take the averaged weights of another run, or those of an ONNX file that was exported here."""
        if not start.endswith(".onnx"):
            self.net.load_state_dict(load_network(self.folder.parent / start / "checkpoint.pt").state_dict())
            return
        rows = np.sort(np.random.default_rng(self.settings.seed).permutation(self.chosen)[:START_CROPS])
        wanted = torch.from_numpy(self.crops.features[rows].astype(np.float32))
        unfold(self.net, Path(start), tensor_of(self.crops.near[rows]), wanted)

    @property
    def checkpoint(self) -> Path:
        """The file a run resumes from."""
        return self.folder / "checkpoint.pt"

    def resume(self) -> None:
        """Continue where the last run of the same settings stopped."""
        if not self.checkpoint.exists():
            return
        state = torch.load(self.checkpoint)
        if state["settings"] != asdict(self.settings):
            raise ValueError(f"'{self.checkpoint}' belongs to other settings; remove it or choose another name")
        if state.get("samples", len(self.chosen)) != len(self.chosen):
            raise ValueError(f"'{self.checkpoint}' belongs to other crops; remove it or choose another name")
        self.net.load_state_dict(state["net"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.average, self.step = state["average"], state["step"]

    def save(self) -> None:
        """Write the checkpoint in one step."""
        state = {
            "settings": asdict(self.settings),
            "samples": len(self.chosen),
            "net": self.net.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "average": self.average,
            "step": self.step,
        }
        partial = self.checkpoint.with_suffix(".partial")
        torch.save(state, partial)
        os.replace(partial, self.checkpoint)

    def rate(self) -> float:
        """Warm-up over 200 steps (a tenth of a short run), then a cosine to zero."""
        warm = min(1.0, (self.step + 1) / max(1, min(200, self.total // 10)))
        return self.settings.rate * warm * 0.5 * (1 + math.cos(math.pi * self.step / max(1, self.total)))

    def rows(self) -> tuple[np.ndarray, np.random.Generator]:
        """The samples of this step: each epoch is one fixed shuffle."""
        epoch, within = divmod(self.step, self.per_epoch)
        order = np.random.default_rng([self.settings.seed, epoch]).permutation(self.chosen)
        start = within * self.settings.batch
        rng = np.random.default_rng([self.settings.seed, 7, self.step])
        return np.sort(order[start : start + self.settings.batch]), rng

    def advance(self) -> float:
        """One step; returns the loss."""
        rows, rng = self.rows()
        torch.manual_seed(int(rng.integers(2**62)))  # dropout: a resumed run goes on as the whole one would have
        crops, settings = self.crops, self.settings
        flip = rng.random(len(rows)) < 0.5
        gain = np.exp(rng.normal(0, 0.06, len(rows))).astype(np.float32)
        near = tensor_of(crops.near[rows], flip, gain)
        far = None if crops.far is None or not settings.surround else tensor_of(crops.far[rows], flip, gain)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits, hint = self.net(near, far)
        loss = loss_of(
            logits.float(),
            hint.float(),
            torch.from_numpy(crops.logits[rows]),
            torch.from_numpy(crops.features[rows].astype(np.float32)),
            torch.from_numpy(crops.is_live[rows]),
            settings,
        )
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate()
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()
        self.step += 1
        self.update_average()
        return float(loss.detach())

    def update_average(self) -> None:
        """The exponential average of the weights, which is what is exported."""
        keep = min(self.settings.averaging, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            for name, value in self.net.state_dict().items():
                if value.dtype.is_floating_point:
                    self.average[name].mul_(keep).add_(value, alpha=1 - keep)
                else:
                    self.average[name].copy_(value)

    def run(self) -> LivenessNet:
        """Train to the end; returns the averaged network in evaluation mode."""
        save_every = max(1, min(150, self.total // 8))
        progress = Progress(f"training {self.folder.name}", self.total, self.step)
        mean = 0.0
        while self.step < self.total:
            loss = self.advance()
            mean = loss if mean == 0.0 else 0.98 * mean + 0.02 * loss
            progress.advance(1, f"loss {mean:.4f}")
            if self.step % save_every == 0:
                self.save()
        self.save()
        (self.folder / "settings.json").write_text(json.dumps(asdict(self.settings), indent=1) + "\n")
        return load_network(self.checkpoint)


def load_network(checkpoint: Path) -> LivenessNet:
    """The averaged network of a checkpoint, in evaluation mode."""
    state = torch.load(checkpoint)
    net = Settings(**{**state["settings"], "without": tuple(state["settings"]["without"])}).network()
    net.load_state_dict(state["average"])
    return net.eval()


def margins_of(net: LivenessNet, near: np.ndarray, far: np.ndarray | None = None, batch: int = 128) -> np.ndarray:
    """Live logit minus attack logit of crops, in float32."""
    parts = []
    with torch.no_grad():
        for start in range(0, len(near), batch):
            around = tensor_of(far[start : start + batch]) if far is not None else None
            logits, _ = net(tensor_of(near[start : start + batch]), around)
            parts.append((logits[:, 0] - logits[:, 1]).numpy())
    return np.concatenate(parts)
