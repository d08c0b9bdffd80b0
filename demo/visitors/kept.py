"""What is remembered for all visitors: so many results of a function, so many bytes of them, for so long.

Streamlit's own caches are emptied for everybody when any client says "clear_cache"; this one is not.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def bytes_of(value: object) -> int:
    """What arrays, traces and whatever else knows its size say of it."""
    if isinstance(value, dict):
        return sum(map(bytes_of, value.values()))
    if isinstance(value, tuple):
        return sum(map(bytes_of, value))
    if is_dataclass(value) and not hasattr(value, "nbytes"):
        return sum(bytes_of(getattr(value, field.name)) for field in fields(value))
    return int(getattr(value, "nbytes", 0))


class Kept(Generic[P, R]):
    """A function that remembers its results, the least recently used going first. Two who ask the same at once wait for one computation."""

    def __init__(
        self, function: Callable[P, R], most: int, most_bytes: float, by: Callable[P, Hashable] | None, seconds: float
    ) -> None:  # fmt: skip
        self.__wrapped__ = function
        self._most, self._most_bytes, self._by, self._seconds = most, most_bytes, by, seconds
        self._results: OrderedDict[Hashable, tuple[R, int, float]] = OrderedDict()  # with its bytes, and until when it holds
        self._bytes = 0
        self._under_way: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        key = self._by(*args, **kwargs) if self._by else (args, *sorted(kwargs.items()))
        with self._lock:
            if self._holds(key):
                self._results.move_to_end(key)
                return self._results[key][0]
            turn = self._under_way.setdefault(key, threading.Lock())
        with turn:
            with self._lock:
                if self._holds(key):  # somebody else was faster
                    return self._results[key][0]
            try:
                result = self.__wrapped__(*args, **kwargs)
                self._keep(key, result)
            finally:
                with self._lock:
                    self._under_way.pop(key, None)
        return result

    def known(self, *args: P.args, **kwargs: P.kwargs) -> R | None:
        """The result if it is remembered; nothing is computed for it."""
        key = self._by(*args, **kwargs) if self._by else (args, *sorted(kwargs.items()))
        with self._lock:
            return self._results[key][0] if self._holds(key) else None

    def _holds(self, key: Hashable) -> bool:
        return key in self._results and time.monotonic() < self._results[key][2]

    def _keep(self, key: Hashable, result: R) -> None:
        size = bytes_of(result)
        with self._lock:
            if size > self._most_bytes:
                return
            self._bytes += size - self._results.pop(key, (None, 0))[1]
            self._results[key] = result, size, time.monotonic() + self._seconds
            while len(self._results) > self._most or self._bytes > self._most_bytes:
                self._bytes -= self._results.popitem(last=False)[1][1]

    def clear(self) -> None:
        with self._lock:
            self._results.clear()
            self._bytes = 0


def kept(
    most: int, megabytes: float = float("inf"), by: Callable[..., Hashable] | None = None, seconds: float = float("inf")
) -> Callable[[Callable[P, R]], Kept[P, R]]:
    """`by`: what tells two calls apart, where not all arguments do; `seconds`: for how long a result holds."""
    return lambda function: Kept(function, most, 1e6 * megabytes, by, seconds)
