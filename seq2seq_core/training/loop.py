"""The training loop, as a generator of events that the terminal, the app and the tests consume alike. Resumable to the bit."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import torch
import torch.distributed as dist
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as save_tensors
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from seq2seq_core.config import Precision, TrainSettings
from seq2seq_core.errors import InputError
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.store.checkpoint import fill, weights_of, write_atomically
from seq2seq_core.trace.trace import DecodeTrace
from seq2seq_core.training.objective import Loss, Objective
from seq2seq_core.training.readers import Batch, Example, bucketed_batches

if TYPE_CHECKING:
    from seq2seq_core.training.self_critical import Critic

STATE = "state.safetensors"


class TrainingData(Protocol):
    """What the loop needs of a data set."""

    def examples(self, seed: int) -> list[Example]: ...

    def dev_examples(self) -> list[Example]: ...

    def batch(self, examples: list[Example]) -> Batch: ...


@dataclass(frozen=True, slots=True)
class StepEvent:
    step: int  # steps done
    steps: int  # steps in all
    epoch: int
    loss: float  # per target token
    tokens_per_s: float
    learning_rate: float
    seconds: float  # of training so far, earlier starts included


@dataclass(frozen=True, slots=True)
class EpochEvent:
    epoch: int  # epochs done
    epochs: int
    dev: Mapping[str, float]
    best: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class FinishedEvent:
    weights: dict[str, Tensor]
    dev: Mapping[str, float]
    epochs: int
    seconds: float


@dataclass(frozen=True, slots=True)
class WatchEvent:
    """What the model makes of a watched source by now."""

    step: int
    trace: DecodeTrace


TrainEvent = StepEvent | EpochEvent | WatchEvent | FinishedEvent
Evaluate = Callable[[Seq2Seq], Mapping[str, float]]
Watch = Callable[[Seq2Seq], DecodeTrace]


@dataclass(slots=True)
class Progress:
    """Where a training stands; together with the tensors it is the whole state."""

    epoch: int = 0
    batch: int = 0  # batches done in this epoch
    step: int = 0
    seconds: float = 0.0
    best: float = -math.inf
    best_epoch: int = 0
    dev: dict[str, float] = field(default_factory=dict)


def learning_rate(step: int, steps: int, settings: TrainSettings) -> float:
    """One cycle: a straight warm-up to the peak, then half a cosine to a hundredth of it (Smith & Topin 2019)."""
    warmup = max(1, round(settings.warmup * steps))
    if step < warmup:
        return settings.learning_rate * (step + 1) / warmup
    return settings.learning_rate * half_cosine((step - warmup) / max(1, steps - warmup))


def half_cosine(part: float) -> float:
    """From 1 to a hundredth."""
    return 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * part))


def half_precision(precision: Precision) -> bool:
    """Whether to multiply in bfloat16; `auto` does where the processor has instructions for it."""
    if precision == "auto":
        return bool(torch.cpu._is_avx512_bf16_supported())
    return precision == "bfloat16"


class Trainer:
    """Trains one model. `events()` may be left at any event; a new Trainer with the same folder goes on from the last save."""

    def __init__(
        self,
        model: Seq2Seq,
        data: TrainingData,
        settings: TrainSettings,
        folder: Path | None = None,
        evaluate: Evaluate | None = None,
        metric: str = "loss",
        watch: Watch | None = None,
        watch_steps: int = 0,
        critic: Critic | None = None,
    ) -> None:
        """`watch` decodes a source after every epoch, and after every `watch_steps` steps if that is not 0.

        `critic`: judges the model's own draws in the self-critical epochs, which come last.
        """
        self.settings = settings
        self.critic = critic
        self.watch = watch
        self.watch_steps = watch_steps
        self.data = data
        self.folder = folder
        self.evaluate = evaluate
        self.metric = metric
        self.model = model
        weights = settings.entropy, settings.expected, settings.written, settings.prompt, settings.looking, settings.reason
        self.objective = Objective(model, settings.teacher_forcing, *weights)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay, fused=True)
        self.progress = Progress()
        self.snapshots: list[dict[str, Tensor]] = []  # of the last epochs, to be averaged; with patience: of the best
        self.before: dict[str, Tensor] = {}  # the self-critical epochs: half of the result stays there (Wortsman et al. 2022, WiSE-FT)
        self.half = half_precision(settings.precision)
        self.rank = dist.get_rank() if dist.is_initialized() else 0
        self.world = dist.get_world_size() if dist.is_initialized() else 1
        self.engine: nn.Module = DistributedDataParallel(self.objective) if self.world > 1 else self.objective
        torch.manual_seed(settings.seed + 1000 * self.rank)

    # -- the loop ---------------------------------------------------------------------------------------------------

    def events(self) -> Iterator[TrainEvent]:
        dev = self.data.dev_examples()
        last_save = time.monotonic()
        while self.progress.epoch < self.epochs and not self._out_of_patience():
            critic = self.critic if self.progress.epoch >= self.settings.epochs else None
            seed = self.settings.seed * 1000 + self.progress.epoch
            examples = critic.examples(seed) if critic else self.data.examples(seed)
            size = max(1, self.settings.batch_size // self.settings.draws) if critic else self.settings.batch_size
            batches = bucketed_batches(examples, size, torch.Generator().manual_seed(seed), self.settings.pool)
            to_come = (self.epochs if critic else self.settings.epochs) - self.progress.epoch
            steps = self.progress.step - self.progress.batch + len(batches) * to_come
            for indices in batches[self.progress.batch :]:
                rate = self._rate(steps, len(batches), critic)
                yield self._step([examples[index] for index in indices], steps, rate, critic)
                if self.watch_steps and self.progress.step % self.watch_steps == 0:
                    yield from self._watched()
                if self.folder and time.monotonic() - last_save >= self.settings.save_seconds:
                    self.save()
                    last_save = time.monotonic()
            yield self._finish_epoch(dev)
            yield from self._watched()
            self.save()
        yield FinishedEvent(self._final_weights(), self.progress.dev, self.progress.epoch, self.progress.seconds)

    @property
    def epochs(self) -> int:
        return self.settings.epochs + (self.settings.self_critical if self.critic else 0)

    def _rate(self, steps: int, batches: int, critic: Critic | None) -> float:
        if critic is None:
            return learning_rate(self.progress.step, steps, self.settings)
        to_come = (steps - self.progress.step) / (batches * self.settings.self_critical)
        return self.settings.self_critical_rate * half_cosine(1 - to_come)

    def _step(self, examples: list[Example], steps: int, rate: float, critic: Critic | None) -> StepEvent:
        began = time.perf_counter()
        mine = examples[self.rank :: self.world] or examples[:1]
        tokens = sum(len(example.target) + 1 for example in examples)
        own = sum(len(example.target) + 1 for example in mine) if len(examples) > self.rank else 0
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        with torch.autocast("cpu", torch.bfloat16, enabled=self.half):
            loss = self._loss(mine, own * self.world / tokens, critic)
        self.optimizer.zero_grad(set_to_none=True)
        loss.total.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.clip)
        self.optimizer.step()
        seconds = time.perf_counter() - began
        self.progress.step += 1
        self.progress.batch += 1
        self.progress.seconds += seconds
        value = float(loss.summed) / max(1, loss.tokens)
        speed = (loss.tokens * self.world if critic else tokens) / seconds
        return StepEvent(self.progress.step, steps, self.progress.epoch, value, speed, rate, self.progress.seconds)

    def _loss(self, examples: list[Example], share: float, critic: Critic | None) -> Loss:
        batch = self.data.batch(examples)
        drawn = critic.draw(self.model, examples, batch) if critic else None
        found: Loss = self.engine.train()(batch, share, drawn)
        return found

    def _watched(self) -> Iterator[WatchEvent]:
        if self.watch is not None and self.rank == 0:
            with keep_random_state():
                trace = self.watch(self.model.eval())
            yield WatchEvent(self.progress.step, trace)

    def _finish_epoch(self, dev: list[Example]) -> EpochEvent:
        began = time.perf_counter()
        scores = {"loss": self.dev_loss(dev)}
        if self.evaluate is not None:
            with keep_random_state():
                scores.update(self.evaluate(self.model.eval()))
        value = -scores["loss"] if self.metric == "loss" else scores[self.metric]
        best = value > self.progress.best
        self.progress.epoch += 1
        self.progress.batch = 0
        self.progress.dev = scores
        if best:
            self.progress.best, self.progress.best_epoch = value, self.progress.epoch
        if best or not self.settings.patience:
            current = {name: weight.clone() for name, weight in weights_of(self.model).items()}
            self.snapshots = [*self.snapshots, current][-(1 if self.settings.patience else self.settings.average) :]
            if self.critic and self.progress.epoch == self.settings.epochs:
                self.before, self.snapshots = current, []
        self.progress.seconds += time.perf_counter() - began
        return EpochEvent(self.progress.epoch, self.epochs, scores, best, self.progress.seconds)

    @torch.inference_mode()
    def dev_loss(self, examples: list[Example]) -> float:
        """Negative log-likelihood per target token, without smoothing."""
        self.objective.eval()
        total, tokens = 0.0, 0
        for indices in bucketed_batches(examples, self.settings.batch_size, torch.Generator().manual_seed(0)):
            loss = self.objective(self.data.batch([examples[index] for index in indices]))
            total, tokens = total + float(loss.summed), tokens + loss.tokens
        return total / max(1, tokens)

    def _out_of_patience(self) -> bool:
        return 0 < self.settings.patience <= self.progress.epoch - self.progress.best_epoch

    def _final_weights(self) -> dict[str, Tensor]:
        """The mean over the kept snapshots; half way back from them where there were self-critical epochs."""
        if not self.snapshots:
            return weights_of(self.model)
        mean = {name: torch.stack([snapshot[name] for snapshot in self.snapshots]).mean(0) for name in self.snapshots[0]}
        return {name: (weight + self.before.get(name, weight)) / 2 for name, weight in mean.items()}

    # -- saving and going on ----------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write everything that the next step depends on into one file, atomically; only the first process does."""
        if self.folder is None or self.rank:
            return
        tensors = {f"weight/{name}": weight for name, weight in weights_of(self.model).items()}
        for name, parameter in self.model.named_parameters():
            for key, value in self.optimizer.state.get(parameter, {}).items():
                tensors[f"optimizer/{key}/{name}"] = value
        for index, snapshot in enumerate(self.snapshots):
            tensors |= {f"snapshot/{index}/{name}": weight for name, weight in snapshot.items()}
        tensors |= {f"before/{name}": weight for name, weight in self.before.items()}
        tensors |= {"random": torch.get_rng_state(), "baseline": self.objective.baseline}
        about = {"progress": json.dumps(_plain(self.progress))}
        self.folder.mkdir(parents=True, exist_ok=True)
        write_atomically(self.folder / STATE, save_tensors({key: value.contiguous() for key, value in tensors.items()}, metadata=about))

    def resume(self) -> bool:
        """Go on from the last save in the folder; False when there is none."""
        path = self.folder / STATE if self.folder else None
        if path is None or not path.exists():
            return False
        try:
            with safe_open(str(path), "pt") as file:
                tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118  (not a dict)
                self.progress = Progress(**json.loads(file.metadata()["progress"]))
        except (SafetensorError, KeyError, TypeError, ValueError):
            raise InputError(f"{path} is not the state of a training; delete it to start from the beginning.") from None
        self._restore(tensors, str(path))
        return True

    def _restore(self, tensors: dict[str, Tensor], where: str) -> None:
        fill(self.model, _below(tensors, "weight/"), where)
        for name, parameter in self.model.named_parameters():
            keys = ("step", "exp_avg", "exp_avg_sq")
            if f"optimizer/step/{name}" in tensors:
                self.optimizer.state[parameter] = {key: tensors[f"optimizer/{key}/{name}"].clone() for key in keys}
        count = len({key.split("/")[1] for key in tensors if key.startswith("snapshot/")})
        self.snapshots = [_below(tensors, f"snapshot/{index}/") for index in range(count)]
        self.before = _below(tensors, "before/")
        self.objective.baseline.copy_(tensors["baseline"])
        if self.rank == 0:
            torch.set_rng_state(tensors["random"])


def _below(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {key.removeprefix(prefix): value for key, value in tensors.items() if key.startswith(prefix)}


def _plain(progress: Progress) -> dict[str, Any]:
    return {name: getattr(progress, name) for name in Progress.__slots__}


@contextmanager
def keep_random_state() -> Iterator[None]:
    state = torch.get_rng_state()
    try:
        yield
    finally:
        torch.set_rng_state(state)
