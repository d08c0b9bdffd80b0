"""A decode that may be followed while it goes on, step by step, and ends in a trace."""

from __future__ import annotations

import time
from collections.abc import Iterator

from seq2seq_core.trace.builder import DecodeStep, TraceBuilder
from seq2seq_core.trace.trace import DecodeTrace


class Stream:
    """A decode under way: iterate over its steps, stop when you like, and take the trace of what was decoded so far."""

    def __init__(self, steps: Iterator[DecodeStep], builder: TraceBuilder, encode_ms: float) -> None:
        self._steps = steps
        self._builder = builder
        self._encode_ms = encode_ms
        self._seconds = 0.0

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> DecodeStep:
        start = time.perf_counter()
        try:
            step = next(self._steps)
            self._builder.add(step)
        finally:
            self._seconds += time.perf_counter() - start
        return step

    def traces(self) -> list[DecodeTrace]:
        """One per sentence; times are shared out evenly."""
        count = self._builder.count
        return self._builder.finish(self._encode_ms / count, 1000 * self._seconds / count)

    def trace(self) -> DecodeTrace:
        return self.traces()[0]
