"""What is asked of a model: one value that holds all an answer depends on, so that it can be remembered, compared and put in a link."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from seq2seq_core.config import DecodeSettings
from seq2seq_core.trace.steering import Steering

DEFAULTS, FREE = DecodeSettings(), Steering()


@dataclass(frozen=True, slots=True)
class Asset:
    """Something that is no text; `demo.given.assets` holds its bytes."""

    kind: Literal["photo", "sound", "clip"]
    name: str  # of a sample, or made from the content of an upload


@dataclass(frozen=True, slots=True)
class Query:
    """A whole question: equal queries have equal answers."""

    model_id: str
    given: tuple[str | Asset, ...] = ()  # everything the model reads, in the order of its task
    prompt: str = ""  # what the output begins with
    settings: DecodeSettings = DEFAULTS
    steering: Steering = FREE
    target: str | tuple[int, ...] | Query = ""  # an output to be scored instead of a search: its text, its tokens, or what this says

    @property
    def text(self) -> str:
        """The first text among what is given."""
        return next((one for one in self.given if isinstance(one, str)), "")

    @property
    def asset(self) -> Asset | None:
        """The first that is no text."""
        return next((one for one in self.given if isinstance(one, Asset)), None)

    @property
    def free(self) -> Query:
        """The same without what a person changed."""
        return replace(self, steering=FREE)
