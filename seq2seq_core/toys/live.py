"""Trains one toy in a process of its own and reports as JSON lines: python -m seq2seq_core.toys.live FOLDER.

The folder holds job.json (and pairs.tsv for a person's own pairs or text); moments/ and model/ are written into it. Commands are lines on
standard input: pause, go, stop. When standard input ends, the one who asked is gone, and the process ends too.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

import torch

from seq2seq_core.errors import InputError, file_trouble
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.store import checkpoint, moments
from seq2seq_core.store.card import read_json
from seq2seq_core.store.checkpoint import weights_of
from seq2seq_core.store.package import SCENES
from seq2seq_core.toys.job import OWN, OWN_TEXT, HeldOut, Job, prepare_job
from seq2seq_core.toys.messages import JOB_FILE, MODEL_FOLDER, Failed, Finished, Kept, Learnt, Report, Scored, Started, Stopped, to_line
from seq2seq_core.toys.texts import HeldOutText, TextData
from seq2seq_core.training.loop import FinishedEvent, StepEvent, Trainer

SCORES, MOMENTS = 60, 160  # in a whole training
MOMENT_BYTES = 48_000_000  # on disk
REPORT_SECONDS = 0.2
OWNED = {OWN: "the person's own pairs", OWN_TEXT: "the person's own text"}
NICENESS = 5  # whoever decodes goes first


class Control:
    """Commands as they come in; `wait` returns whether to go on."""

    def __init__(self) -> None:
        self._go = threading.Event()
        self._go.set()
        self._stop = False

    def do(self, command: str) -> None:
        if command == "pause":
            self._go.clear()
        elif command in ("go", "stop"):
            self._stop = self._stop or command == "stop"
            self._go.set()

    def wait(self) -> bool:
        self._go.wait()
        return not self._stop

    def listen(self, commands: TextIO, gone: Callable[[], None]) -> None:
        for line in commands:
            self.do(line.strip())
        gone()


class Live:
    """One training with what is told about it. Scores and moments come at fixed steps, so that they are the same in every run."""

    def __init__(self, job: Job, folder: Path) -> None:
        self.job = job
        self.folder = folder
        self.data, self.config = prepare_job(job, folder)
        torch.manual_seed(job.seed)
        self.model = Seq2Seq(self.config)
        self.trainer = Trainer(self.model, self.data, job.train_settings())
        self.held_out = HeldOutText(self.data) if isinstance(self.data, TextData) else HeldOut(self.data)
        size = 2 * self.model.parameter_count  # float16
        self.keeper = moments.Keeper(folder / moments.FOLDER, min(MOMENTS, MOMENT_BYTES // size))
        self.losses: list[float] = []  # not yet reported
        self.best = 0.0
        self.began = time.process_time()

    def reports(self, control: Control) -> Iterator[Report]:
        """The training as it is told; ends when it is finished or `control` says so."""
        self._save_model(weights_of(self.model), finished=False)
        yield Started(self.job.total_steps, self.model.parameter_count, self.config.source)
        yield self._score(0)
        yield self._moment(0)
        reported = time.monotonic()
        for event in self.trainer.events():
            if isinstance(event, StepEvent):
                self.losses.append(event.loss)
                score, moment = self._due(event.step, SCORES), self._due(event.step, MOMENTS)
                if score or moment or time.monotonic() - reported >= REPORT_SECONDS:
                    reported = time.monotonic()
                    yield self._progress(event)
                if score:
                    yield self._score(event.step)
                if moment:
                    yield self._moment(event.step)
            elif isinstance(event, FinishedEvent):
                self._save_model(event.weights, finished=True)
                yield Finished(round(event.seconds, 2), round(time.process_time(), 2))
                return
            if not control.wait():
                self._save_model(weights_of(self.model), finished=False)
                yield Stopped()
                return

    def _due(self, step: int, times: int) -> bool:
        return step % max(1, self.job.total_steps // times) == 0 or step == self.job.total_steps

    def _progress(self, event: StepEvent) -> Learnt:
        losses, self.losses = self.losses, []
        return Learnt(event.step, tuple(round(loss, 5) for loss in losses), round(event.tokens_per_s), round(event.seconds, 3))

    def _score(self, step: int) -> Scored:
        exact, by_length = self.held_out.score(self.model)
        self.best = max(self.best, exact)
        seconds, cpu_seconds = self.trainer.progress.seconds, time.process_time() - self.began
        return Scored(step, round(exact, 4), tuple(by_length), round(seconds, 2), round(cpu_seconds, 2))

    def _moment(self, step: int) -> Kept:
        self.keeper.add(step, weights_of(self.model))
        return Kept(tuple(self.keeper.steps))

    def _save_model(self, weights: dict[str, torch.Tensor], *, finished: bool) -> None:
        card = {
            "name": f"toy/{self.job.toy}-{self.job.attention}",
            "toy": self.job.to_dict(),
            "finished": finished,
            **({"pictures": SCENES} if self.config.source == "image" else {}),
            "parameters": self.model.parameter_count,
            "seed": self.job.seed,
            "held_out_exact": round(self.best, 4),
            "data": {"trained_on": OWNED.get(self.job.toy, f"generated: {self.job.toy}")},
            "scores": {},
        }
        tokenizers = self.data.source_tokenizer, self.data.target_tokenizer
        checkpoint.save(self.folder / MODEL_FOLDER, self.config, weights, tokenizers, card, "float32")


def read_job(folder: Path) -> Job:
    return Job.from_dict(read_json(folder, JOB_FILE))


def tell(report: Report) -> None:
    sys.stdout.write(to_line(report) + "\n")
    sys.stdout.flush()


def main(folder: Path) -> None:
    torch.set_num_threads(1)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    control = Control()
    threading.Thread(target=control.listen, args=(sys.stdin, lambda: os._exit(0)), daemon=True).start()
    try:
        for report in Live(read_job(folder), folder).reports(control):
            tell(report)
    except InputError as error:
        tell(Failed(str(error)))
    except OSError as error:
        tell(Failed(file_trouble(error)))
    except ValueError:  # a loss that is no longer a number cannot be written as JSON
        tell(Failed("The loss is no longer a finite number; choose a smaller learning rate."))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
