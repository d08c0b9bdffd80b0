"""One model training in a process of its own, and what it has reported so far. No torch in here: only JSON lines are read."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from seq2seq_core.errors import file_trouble
from seq2seq_core.toys import messages
from seq2seq_core.toys.messages import Command, Failed, Finished, Kept, Learnt, Report, Scored, Started, Stopped

if TYPE_CHECKING:
    from demo.own.time_machine import Film

log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]
Stage = Literal["waiting", "starting", "running", "paused", "finished", "stopped", "failed"]
ENDED: tuple[Stage, ...] = ("finished", "stopped", "failed")
PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "TEMP", "SYSTEMROOT", "LD_LIBRARY_PATH")  # of the server's environment
GOAL = 0.95  # the share of held-out pairs that counts as learnt
RATE_REPORTS = 40  # the last reports, from which the time left is told
STOP_SECONDS = 5.0  # how long a process may take to save its model after a stop


@dataclass(slots=True)
class Progress:
    """Everything a training has said, in plain values."""

    steps: int = 0
    parameters: int = 0
    step: int = 0
    losses: list[float] = field(default_factory=list)  # of every step
    scores: list[tuple[int, float]] = field(default_factory=list)  # (step, share right)
    by_length: list[tuple[int, int, int]] = field(default_factory=list)  # (source length, pairs, pairs right), the newest
    moments: list[int] = field(default_factory=list)
    tokens_per_s: float = 0.0
    seconds: float = 0.0  # of training, pauses left out
    cpu_seconds: float = 0.0
    error: str = ""
    goal: tuple[int, float, float] | None = None  # step, seconds and processor seconds when GOAL was first reached


class Training:
    """Starts the process, reads it in a thread, and passes commands on. The process ends when its input does."""

    def __init__(self, folder: Path, job: Mapping[str, Any]) -> None:
        self.folder = folder
        self.job = dict(job)
        self.stage: Stage = "waiting"
        self.progress = Progress()
        self.lock = threading.Lock()
        self.film: Film | None = None  # made by whoever shows it
        self._process: subprocess.Popen[str] | None = None
        self._reports: deque[tuple[float, int]] = deque(maxlen=RATE_REPORTS)

    @property
    def name(self) -> str:
        return str(self.job["attention"])

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def start(self) -> None:
        environment = {name: value for name, value in os.environ.items() if name in PASSED_ON}
        paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment |= {"OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(paths), "PYTHONIOENCODING": "utf-8"}
        try:
            self._process = self._spawn(environment)
        except OSError as error:
            self.progress.error, self.stage = file_trouble(error), "failed"
            return
        self.stage = "starting"
        threading.Thread(target=self._read, args=(self._process.stdout,), name="training", daemon=True).start()

    def _spawn(self, environment: Mapping[str, str]) -> subprocess.Popen[str]:
        with (self.folder / messages.LOG_FILE).open("wb") as errors:
            return subprocess.Popen(
                [sys.executable, "-m", "seq2seq_core.toys.live", str(self.folder)],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
            )

    def tell(self, command: Command) -> None:
        """Pass a command on; a process that has ended hears nothing."""
        process = self._process
        if process is None or process.stdin is None:
            self.stage = "stopped" if command == "stop" and self.stage == "waiting" else self.stage
            return
        try:
            process.stdin.write(command + "\n")
            process.stdin.flush()
        except (OSError, ValueError):
            return
        if self.stage not in ENDED and command != "stop":
            self._reports.clear()
            self.stage = "paused" if command == "pause" else "running"

    def end(self) -> None:
        """Make sure that nothing is left of the process."""
        process = self._process
        if process is None:
            self.stage = "stopped"
            return
        self.tell("stop")
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def seconds_left(self) -> float | None:
        """By the pace of the last reports; None while nothing can be said."""
        with self.lock:
            if len(self._reports) < 2 or self.stage != "running":
                return None
            (then, before), (now, after) = self._reports[0], self._reports[-1]
        return (self.progress.steps - after) * (now - then) / max(1, after - before)

    def _read(self, lines: IO[str] | None) -> None:
        for line in lines or ():
            report = messages.from_line(line)
            if report is None:
                log.warning("A training said what is no report: %.200r", line)
                continue
            with self.lock:
                self._note(report)
        if self._process is not None:
            self._process.wait()
        if self.stage not in ENDED:
            self.progress.error = self.progress.error or "The training ended unexpectedly; start it again."
            self.stage = "failed"

    def _note(self, report: Report) -> None:
        progress = self.progress
        match report:
            case Started():
                progress.steps, progress.parameters = report.steps, report.parameters
                self.stage = "running" if self.stage == "starting" else self.stage
            case Learnt():
                progress.step, progress.tokens_per_s, progress.seconds = report.step, report.tokens_per_s, report.seconds
                progress.losses += report.losses
                self._reports.append((time.monotonic(), report.step))
            case Scored():
                progress.scores.append((report.step, report.exact))
                progress.by_length = list(report.by_length)
                if report.exact >= GOAL and progress.goal is None:
                    progress.goal = (report.step, report.seconds, report.cpu_seconds)
            case Kept():
                progress.moments = list(report.steps)
            case Finished():
                progress.cpu_seconds, self.stage = report.cpu_seconds, "finished"
            case Stopped():
                self.stage = "stopped"
            case Failed():
                progress.error, self.stage = report.message, "failed"
