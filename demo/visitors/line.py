"""The line of those who ask at the same moment: as many pages are drawn at once as the processor can draw, the others wait and are told.

Drawn all at once each is as slow as all together: of 150 visitors nobody had an answer, nor a word, before seconds had passed.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TOLD_SECONDS = 0.8  # who waits longer is told
HOLD_SECONDS = 1.0  # who takes longer has long work to do, and holds up nobody
ELSEWHERE = 16  # at once, where other computers answer and most of a run is waiting for them
AT_ONCE = ELSEWHERE if os.environ.get("LAB_ENGINE") else 2 * int(os.environ.get("LAB_CORES") or os.cpu_count() or 2)


class Line:
    """First come, first served."""

    def __init__(self, at_once: int = AT_ONCE, told_seconds: float = TOLD_SECONDS, hold_seconds: float = HOLD_SECONDS) -> None:
        self._at_once, self._told, self._hold = at_once, told_seconds, hold_seconds
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._inside: dict[threading.Event, float] = {}  # since when

    @contextmanager
    def turn(self, tell: Callable[[int], object]) -> Iterator[None]:
        """Wait for a turn and keep it. `tell` is called once, with the number of those who come before, when that takes a while."""
        mine, told = threading.Event(), False
        with self._lock:
            self._waiting.append(mine)
        try:
            self._let_in()
            while not mine.wait(self._hold if told else self._told):
                self._let_in()
                if not told:
                    told = True
                    tell(self._before(mine))
            yield
        finally:
            with self._lock:
                if self._inside.pop(mine, None) is None and mine in self._waiting:
                    self._waiting.remove(mine)
            self._let_in()

    def _before(self, mine: threading.Event) -> int:
        with self._lock:
            return self._waiting.index(mine) if mine in self._waiting else 0

    def _let_in(self) -> None:
        with self._lock:
            now = time.monotonic()
            for each in [each for each, since in self._inside.items() if now - since > self._hold]:
                del self._inside[each]
            while self._waiting and len(self._inside) < self._at_once:
                first = self._waiting.popleft()
                self._inside[first] = now
                first.set()


LINE = Line()
