"""What a person may override: forced tokens, attention rows, hidden source positions. No torch here, so that reading a trace needs none."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

import numpy as np

from seq2seq_core.config import MAX_STEPS, ModelConfig
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS, EOS, PAD
from seq2seq_core.trace.nodes import Floats

OWN_ROW = 1e-6  # a row whose sum is this near to 1 is used bit for bit: a model's own row, written back, changes nothing


def _whole(name: str, value: object, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(f"{name} is {value!r}; it must be a whole number between {low} and {high}.")
    return value


@dataclass(frozen=True, slots=True)
class RowEdit:
    """An attention row to use at `step` instead of the model's own, for every head; `onward`: at every later step too."""

    step: int
    weights: tuple[float, ...]
    onward: bool = False

    def __post_init__(self) -> None:
        _whole("The step of an attention row", self.step, 0, MAX_STEPS - 1)
        weights = tuple(self.weights)
        for weight in weights:
            if isinstance(weight, bool) or not isinstance(weight, int | float) or not math.isfinite(weight) or weight < 0:
                raise InputError(f"The attention row of step {self.step} has the weight {weight!r}; weights are numbers from 0 up.")
        if not any(weights):
            raise InputError(f"The attention row of step {self.step} is all 0; give at least one source position a weight.")
        if not isinstance(self.onward, bool):
            raise InputError(f"onward is {self.onward!r}; it must be true or false.")
        object.__setattr__(self, "weights", tuple(map(float, weights)))


@dataclass(frozen=True, slots=True)
class Steering:
    """Everything a person put in. Steps and source positions count from 0."""

    prefix: tuple[int, ...] = ()  # the output begins with these token ids
    tokens: tuple[tuple[int, int], ...] = ()  # (step, token id) forced
    rows: tuple[RowEdit, ...] = ()
    hidden: tuple[int, ...] = ()  # source positions that are masked out

    def __post_init__(self) -> None:
        for name in ("prefix", "tokens", "rows", "hidden"):
            if not isinstance(getattr(self, name), Sequence) or isinstance(getattr(self, name), str):
                raise InputError(f"{name} of a steering is {getattr(self, name)!r}; it must be a list.")
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "tokens", tuple(sorted(_pair(pair) for pair in self.tokens)))
        object.__setattr__(self, "hidden", tuple(sorted({_whole("A hidden source position", i, 0, 100_000) for i in self.hidden})))
        for row in self.rows:
            if not isinstance(row, RowEdit):
                raise InputError(f"A row of a steering is {row!r}; it must be a RowEdit.")
        forced = self.forced()
        if len(forced) < len(self.prefix) + len(self.tokens):
            steps = [*range(len(self.prefix)), *(step for step, _ in self.tokens)]
            twice = next(step for step in steps if steps.count(step) > 1)
            raise InputError(f"Step {twice} is forced twice; force one token per step.")
        if len({(row.step, row.onward) for row in self.rows}) < len(self.rows):
            raise InputError("Two attention rows are given for the same step; give one.")
        self._check_tokens(forced)

    def __bool__(self) -> bool:
        return bool(self.prefix or self.tokens or self.rows or self.hidden)

    @staticmethod
    def _check_tokens(forced: Mapping[int, int]) -> None:
        for step, token in forced.items():
            _whole(f"The token forced at step {step}", token, 0, 100_000)
            if token in (PAD, BOS):
                raise InputError(
                    f"The token forced at step {step} is {'padding' if token == PAD else 'the start sign'}; force a real token."
                )
            if token == EOS and max(forced) > step:
                raise InputError(f"The end of the sentence is forced at step {step}, but a later token is forced too; remove one of them.")

    def forced(self) -> dict[int, int]:
        """The forced token ids by step."""
        return dict(enumerate(self.prefix)) | dict(self.tokens)

    def after(self, prompt: Sequence[int]) -> Steering:
        """The same where the output begins with these tokens: what a search is told. Steps count from the prompt's first token."""
        given, forced = dict(enumerate(prompt)), self.forced()
        for step in given.keys() & forced.keys():
            if given[step] != forced[step]:
                raise InputError(f"A token is forced at step {step}, which is part of what was given to go on from; force a later one.")
        tokens = tuple((step, token) for step, token in self.tokens if step not in given)
        return replace(self, prefix=tuple(prompt) if len(prompt) > len(self.prefix) else self.prefix, tokens=tokens)

    def row_at(self, step: int) -> RowEdit | None:
        """The row that holds at a step: one given for it alone, else the latest that holds onward."""
        onward = [row for row in self.rows if row.onward and row.step <= step]
        here = [row for row in self.rows if not row.onward and row.step == step]
        return here[0] if here else max(onward, key=lambda row: row.step, default=None)

    def check(self, config: ModelConfig, parts: Sequence[int], limit: int) -> None:
        """Refuse what does not fit parts of so many positions each and an output of at most `limit` tokens."""
        positions = sum(parts)
        for step, token in self.forced().items():
            _whole(f"The token forced at step {step}", token, 0, config.target_vocab - 1)
            if step >= limit:
                raise InputError(
                    f"A token is forced at step {step}; this output has at most {limit} tokens, so the last step is {limit - 1}."
                )
        if (self.rows or self.hidden) and config.source == "none":
            raise InputError("This model has no source, so there is no attention to change.")
        for place in self.hidden:
            _whole("A hidden source position", place, 0, positions - 1)
        for number, (start, count) in enumerate(zip(accumulate(parts, initial=0), parts, strict=False), 1):
            if count and len([place for place in self.hidden if start <= place < start + count]) == count:
                which = f"positions of part {number}" if len(parts) > 1 else "source positions"
                raise InputError(f"All {count} {which} are hidden; leave at least one visible.")
        if self.rows and not config.has_map:
            raise InputError(f"This model's attention is {config.attention!r}: it has no attention rows to change.")
        for row in self.rows:
            if len(row.weights) != positions:
                raise InputError(
                    f"The attention row of step {row.step} has {len(row.weights)} weights; the source has {positions} positions."
                )
            visible(row, self.hidden)

    def to_dict(self) -> dict[str, Any]:
        rows = [{"step": row.step, "weights": list(row.weights), "onward": row.onward} for row in self.rows]
        return {"prefix": list(self.prefix), "tokens": [list(pair) for pair in self.tokens], "rows": rows, "hidden": list(self.hidden)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Steering:
        """Read what `to_dict` gave; a missing part is empty."""
        if not isinstance(values, Mapping):
            raise InputError(f"A steering is {values!r}; it must be an object with prefix, tokens, rows, hidden.")
        for name in values:
            if name not in ("prefix", "tokens", "rows", "hidden"):
                raise InputError(f"{name!r} is not a part of a steering; it has prefix, tokens, rows, hidden.")
        parts = dict(values)
        try:
            parts["rows"] = tuple(RowEdit(**row) for row in values.get("rows", ()))
        except TypeError:
            raise InputError("A row of a steering must be an object with step, weights, onward.") from None
        return cls(**parts)


def _pair(pair: object) -> tuple[int, int]:
    if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
        raise InputError(f"A forced token is {pair!r}; it must be a step and a token id.")
    step, token = pair
    return _whole("The step of a forced token", step, 0, MAX_STEPS - 1), _whole("A forced token", token, 0, 100_000)


def visible(row: RowEdit, hidden: Sequence[int]) -> Floats:
    """The row as the model uses it: 0 on hidden positions, and a sum of 1 over the others."""
    weights = np.array(row.weights, dtype=np.float64)
    weights[list(hidden)] = 0.0
    if not weights.any():
        raise InputError(f"The attention row of step {row.step} has weight only on hidden source positions; give a visible one some.")
    with np.errstate(over="ignore"):
        near = abs(weights.sum() - 1.0) <= OWN_ROW
    if not near:
        weights /= weights.max()  # so that the sum is finite
        weights /= weights.sum()
    return weights.astype(np.float32)
