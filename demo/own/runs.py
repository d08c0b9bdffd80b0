"""All trainings of this server: so many at a time, the others wait in line, and one whose visitor has gone is ended and removed.

While somebody waits, a visitor has one place: the second model of two side by side starts when there is room to spare. A paused run
has none, and waits for one again when it goes on.
"""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from demo import state
from demo.own.training import ENDED, Stage, Training
from demo.visitors import switches
from demo.visitors.kept import kept
from seq2seq_core.errors import InputError
from seq2seq_core.toys.messages import Command, write_job

if TYPE_CHECKING:
    from seq2seq_core.toys.job import Job

PLACES = max(2, min(8, os.cpu_count() or 2))  # processes at a time: one a core
MOST_WAITING = 50
GONE_SECONDS = 30.0  # after a tab is closed, in which a broken connection may come back
PAUSED_SECONDS = 600.0  # a paused run is ended after so long: its process takes memory
USUAL_SECONDS = 45.0  # of a training of which nothing is known yet
WATCH_SECONDS = 1.0

Alive = Callable[[], bool]


class Run:
    """One model, or two side by side on the same batches, for one visitor."""

    def __init__(self, folder: Path, jobs: Sequence[Mapping[str, Any]], alive: Alive) -> None:
        self.id = secrets.token_hex(16)  # stands in the visitor's link: nobody can guess it
        self.folder = folder
        self.alive = alive
        self.last_alive = time.monotonic()
        self.paused_since: float | None = None
        self.trainings = [Training(folder / str(number), job) for number, job in enumerate(jobs)]
        self.wants_on = False  # paused, and waits for a place to go on

    @property
    def toy(self) -> str:
        return str(self.trainings[0].job["toy"])

    @property
    def stage(self) -> Stage:
        stages = [training.stage for training in self.trainings]
        for stage in ("failed", "starting", "running", "paused", "waiting", "stopped"):
            if stage in stages:
                return stage
        return "finished"

    @property
    def places(self) -> int:
        """How many it takes up."""
        return sum(training.stage in ("starting", "running") for training in self.trainings)

    @property
    def waiting(self) -> bool:
        """Whether it has no place and wants one."""
        return not self.places and (self.wants_on or self.stage == "waiting")

    @property
    def error(self) -> str:
        return next((training.progress.error for training in self.trainings if training.progress.error), "")

    def claim(self, alive: Alive) -> bool:
        """A visitor who comes back, as after loading the page anew, takes it up again; never one whose owner is still there."""
        if self.alive():
            return False
        self.alive, self.last_alive = alive, time.monotonic()
        return True

    def pause(self) -> None:
        self.paused_since = time.monotonic()
        self._tell("pause")

    def go_on(self) -> None:
        """As soon as there is room: see `Runs`."""
        self.wants_on = True

    def take_place(self) -> bool:
        """Start, or go on with, the next of its models; False when there is none."""
        for training in self.trainings:
            if training.stage == "waiting" and self.paused_since is None:
                training.start()
                return True
            if training.stage == "paused" and self.wants_on:
                training.tell("go")
                if not any(other.stage == "paused" for other in self.trainings):
                    self.wants_on, self.paused_since = False, None
                return True
        return False

    def stop(self) -> None:
        """The models stay as they are at this step, and can be looked at."""
        self.wants_on = False
        self._tell("stop")

    def _tell(self, command: Command) -> None:
        for training in self.trainings:
            if training.stage not in ENDED and (training.stage != "waiting" or command == "stop"):
                training.tell(command)

    def close(self) -> None:
        for training in self.trainings:
            training.end()
        shutil.rmtree(self.folder, ignore_errors=True)


class Runs:
    """The runs of all visitors, in the order of their coming."""

    def __init__(self, places: int = PLACES, gone_seconds: float = GONE_SECONDS, paused_seconds: float = PAUSED_SECONDS) -> None:
        self.places = places
        self.gone_seconds = gone_seconds
        self.paused_seconds = paused_seconds
        self._runs: dict[str, Run] = {}
        self._lock = threading.RLock()
        self._watching = False

    def start(self, jobs: Sequence[Job], pairs: str = "", alive: Alive = lambda: True) -> Run:
        """Put a run in line; it starts at once when there is room. `pairs`: a person's own, as checked lines."""
        switches.demand("training")
        if not 1 <= len(jobs) <= min(2, self.places):
            raise InputError(f"{len(jobs)} models cannot train side by side here; choose one or two.")
        with self._lock:
            waiting = sum(run.waiting for run in self._runs.values())
            if waiting >= MOST_WAITING:
                raise InputError(f"{waiting} trainings are waiting already; try again in a few minutes.")
            run = Run(Path(tempfile.mkdtemp(prefix="training-")), [job.to_dict() for job in jobs], alive)
            try:
                self._fill_folders(run, jobs, pairs)
            except OSError:
                run.close()
                raise
            self._runs[run.id] = run
            self._promote()
            if not self._watching:
                self._watching = True
                threading.Thread(target=self._watch, name="runs", daemon=True).start()
        return run

    @staticmethod
    def _fill_folders(run: Run, jobs: Sequence[Job], pairs: str) -> None:
        for training, job in zip(run.trainings, jobs, strict=True):
            training.folder.mkdir()
            write_job(training.folder, job.to_dict(), pairs)

    def find(self, run_id: object) -> Run | None:
        return self._runs.get(run_id) if isinstance(run_id, str) else None

    def remove(self, run: Run) -> None:
        with self._lock:
            self._runs.pop(run.id, None)
        run.close()
        with self._lock:
            self._promote()

    def remove_all(self) -> None:
        for run in list(self._runs.values()):
            self.remove(run)

    @property
    def busy(self) -> int:
        return sum(run.places for run in self._runs.values())

    def go_on(self, run: Run) -> None:
        """After a pause, in line like everybody else."""
        run.go_on()
        with self._lock:
            self._promote()

    def place_in_line(self, run: Run) -> int:
        """1: the next to start; 0: not waiting."""
        waiting = [other.id for other in self._runs.values() if other.waiting]
        return waiting.index(run.id) + 1 if run.id in waiting else 0

    def seconds_until(self, place: int) -> float:
        """When the run at this place in line will start, if trainings go on as they do."""
        running = [training for run in self._runs.values() for training in run.trainings if training.stage in ("starting", "running")]
        left = [training.seconds_left() for training in running]
        ends = sorted(USUAL_SECONDS if seconds is None else seconds for seconds in left)
        for _ in range(place - 1):  # who is before takes the place that comes free first, for as long as usual
            ends = sorted([*ends[1:], ends[0] + USUAL_SECONDS]) if ends else ends
        return ends[0] if ends else 0.0

    def waiting_message(self, run: Run) -> str:
        place = self.place_in_line(run)
        now = "1 model trains" if self.busy == 1 else f"{self.busy} models train"
        before = "yours is next" if place == 1 else f"{place - 1} before yours"
        seconds = 10 * max(1, round(self.seconds_until(place) / 10))
        return f"{now} at this moment, and {self.places} may at once; {before} in line and starts by itself in about {seconds} s."

    def _promote(self) -> None:
        """Give free places to whoever is first in line; then, if nobody is left without one, a second to those with two models."""
        runs = list(self._runs.values())
        for run in [run for run in runs if run.waiting] + [run for run in runs if not run.waiting]:
            while self.busy < self.places and (run.waiting or not any(other.waiting for other in runs)):
                if not run.take_place():
                    break

    def look_after(self) -> None:
        """Remove the runs whose visitors have gone, end those paused too long, start the next."""
        now = time.monotonic()
        for run in list(self._runs.values()):
            if run.alive():
                run.last_alive = now
            elif now - run.last_alive > self.gone_seconds:
                self.remove(run)
            if run.paused_since is not None and run.stage == "paused" and not run.wants_on and now - run.paused_since > self.paused_seconds:
                run.stop()
        with self._lock:
            self._promote()

    def _watch(self) -> None:
        while True:
            time.sleep(WATCH_SECONDS)
            with self._lock:
                if not self._runs:
                    self._watching = False
                    return
            self.look_after()


@kept(1)
def all_runs() -> Runs:
    """Of this server, for all visitors. When the server ends, so do they."""
    runs = Runs()
    atexit.register(runs.remove_all)
    return runs


def my_runs() -> list[Run]:
    """The visitor's trainings, the newest last: those of this session, and those of the link that were theirs before."""
    ids: list[str] = st.session_state.setdefault(state.TRAINING_RUNS, [])
    for run_id in state.current(state.RUNS):
        run = None if run_id in ids else all_runs().find(run_id)
        if run is not None and run.claim(visitor()):
            ids.append(run_id)
    return [run for run_id in ids if (run := all_runs().find(run_id)) is not None]


def visitor() -> Alive:
    """Whether the visitor of the script that runs now is still connected."""
    from streamlit import runtime
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx()
    if context is None or not runtime.exists():
        return lambda: True
    session = context.session_id
    return lambda: runtime.exists() and runtime.get_instance().is_active_session(session)
