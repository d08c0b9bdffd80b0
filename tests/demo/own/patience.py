"""Waiting for a process. Trainings step back before everything else on a machine, so a busy one lets them wait long."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_SECONDS = 900


def until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
